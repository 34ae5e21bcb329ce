"""The modules of `generated.mesh.v1` under the name by which protoc's code of other contracts imports them."""

import sys

from generated.mesh.v1 import error_reason_pb2 as error_reason_pb2
from generated.mesh.v1 import options_pb2 as options_pb2
from generated.mesh.v1 import remarks_pb2 as remarks_pb2
from generated.mesh.v1 import tool_service_pb2 as tool_service_pb2

for _module in (error_reason_pb2, options_pb2, remarks_pb2, tool_service_pb2):
    sys.modules[f"{__name__}.{_module.__name__.rpartition('.')[2]}"] = _module
