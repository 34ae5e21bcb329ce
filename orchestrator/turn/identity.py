"""Who speaks: name, CPF (digits in the contract's form, masked on screens), role, language."""

import hmac
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from stdnum.br import cpf as cpf_number

_ORDINAL = 2  # digits of the longest ordinal in a name

Role = StrEnum("Role", "PATIENT OPERATOR")  # on whose behalf the person speaks


class Language(StrEnum):
    """A language of the conversation; the value is its ISO 639-1 code."""

    PT = "pt"
    EN = "en"

    @property
    def english_name(self) -> str:
        """What the language is called in a prompt to a language model."""
        return "Brazilian Portuguese" if self is Language.PT else "English"


def language_of_locale(environ: Mapping[str, str], unnamed: Language = Language.EN) -> Language:
    """Return the locale's language, for what is said before anyone speaks; English for any but Portuguese.

    `unnamed` is the language where the locale names none. The first of LC_ALL, LC_MESSAGES and LANG that is set counts.
    """
    locale = next((value for name in ("LC_ALL", "LC_MESSAGES", "LANG") if (value := environ.get(name))), "")
    if locale.split(".")[0] in {"", "C", "POSIX"}:
        return unnamed
    return Language.PT if locale.lower().startswith("pt") else Language.EN


class IdentityError(ValueError):
    """A name or CPF that cannot be used; the message never repeats it."""


@dataclass(frozen=True, slots=True)
class Identity:
    """A person as the clinics know them."""

    name: str = field(repr=False)  # full name, single spaces
    cpf: str = field(repr=False)  # CPF as 000.000.000-00

    @classmethod
    def of(cls, name: str, cpf: str) -> "Identity":
        """Return the identity for what a person typed; raise IdentityError where name or CPF is not in its form."""
        return cls(parse_name(name), parse_cpf(cpf))

    def digest(self, key: bytes) -> str:
        """Return a keyed digest of the person, meaningless without the key."""
        return hmac.new(key, f"{self.digits}\0{self.name.casefold()}".encode(), "sha256").hexdigest()

    @property
    def digits(self) -> str:
        """The digits of the CPF; none where it is not known."""
        return re.sub(r"\D", "", self.cpf)

    @property
    def masked_cpf(self) -> str:
        """The CPF as `mask_of` shows it; empty where it is not known."""
        return mask_of(self.digits) if self.cpf else ""

    @property
    def has_valid_check_digits(self) -> bool:
        """Whether the CPF is one that can exist: right check digits, not one digit repeated."""
        return len(set(self.digits)) > 1 and bool(cpf_number.is_valid(self.digits))


NOBODY = Identity("", "")  # whoever has not said who they are


def mask_of(digits: str) -> str:
    """Return the eleven digits of a CPF with all but the two before the check digits hidden: ***.***.*89-**."""
    return f"***.***.*{digits[7:9]}-**"


def parse_name(text: str) -> str:
    """Return a full name with single spaces; raise IdentityError for no two words of letters, or over 120 characters.

    It has no control characters, nor more digits than "2º", which are a number in the wrong place.
    """
    name = " ".join(text.split())
    words = [word for word in name.split() if any(map(str.isalpha, word))]
    if len(words) < 2 or len(name) > 120 or not name.isprintable() or sum(map(str.isdigit, name)) > _ORDINAL:
        raise IdentityError("give the full name: at least two words, 120 characters at most, no number")
    return name


def parse_cpf(text: str) -> str:
    """Return eleven digits, bare or dotted as usual, as 000.000.000-00; raise IdentityError for any other text."""
    match = re.fullmatch(r"(\d{3})\.?(\d{3})\.?(\d{3})-?(\d{2})", text.strip(), re.ASCII)
    if match is None:
        raise IdentityError("a CPF has eleven digits, such as 000.000.000-00")
    return "{}.{}.{}-{}".format(*match.groups())
