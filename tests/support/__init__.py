"""What tests of several areas share: clinics in this process, and a conversation with them."""

from tests.support.patience import sitecustomize

sitecustomize.install()
