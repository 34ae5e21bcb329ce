"""The contracts of services that are no clinics; loads server reflection, so only `call` opens this room."""

from orchestrator.agents.contracts.service_contract import Contract, ContractError, contract_of
