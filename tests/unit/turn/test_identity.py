import pytest

from orchestrator.turn.identity import Identity, IdentityError, parse_cpf, parse_name


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("Carlos Teste", "Carlos Teste"),
        ("  Carlos \t  Teste ", "Carlos Teste"),
        ("João d'Ávila Sant'Anna", "João d'Ávila Sant'Anna"),
        ("Maria-José 2º Lima", "Maria-José 2º Lima"),
        ("Ana " + "B" * 116, "Ana " + "B" * 116),
    ],
)
def test_a_full_name_is_taken_with_single_spaces(typed: str, name: str) -> None:
    assert parse_name(typed) == name


@pytest.mark.parametrize(
    "typed",
    [
        pytest.param("", id="empty"),
        pytest.param("Carlos", id="one word"),
        pytest.param("Carlos 123", id="one word of letters"),
        pytest.param("Carlos Teste 123.456.789-00", id="a CPF in it"),
        pytest.param("Carlos Teste 1 2 3", id="a number in it"),
        pytest.param("Ana " + "B" * 117, id="121 characters"),
        pytest.param("Carlos Teste\x1b[2J", id="terminal control"),
        pytest.param("Carlos Te\u200bste", id="invisible character"),
    ],
)
def test_what_is_no_full_name_is_refused_without_repeating_it(typed: str) -> None:
    with pytest.raises(IdentityError) as refusal:
        parse_name(typed)
    assert "Carlos" not in str(refusal.value)
    assert "Ana" not in str(refusal.value)


@pytest.mark.parametrize("typed", ["123.456.789-00", "12345678900", " 123456789-00 ", "123.456789-00"])
def test_a_cpf_is_taken_bare_or_with_dots_and_dash(typed: str) -> None:
    assert parse_cpf(typed) == "123.456.789-00"


@pytest.mark.parametrize(
    "typed",
    [
        pytest.param("", id="empty"),
        pytest.param("1234567890", id="ten digits"),
        pytest.param("123456789001", id="twelve digits"),
        pytest.param("123-456-789.00", id="separators swapped"),
        pytest.param("123.456.789-0a", id="letter"),
        pytest.param("１２３.456.789-00", id="full-width digits"),
        pytest.param("123.456.789-00\n123.456.789-00", id="two lines"),
    ],
)
def test_what_is_no_cpf_is_refused_without_repeating_it(typed: str) -> None:
    with pytest.raises(IdentityError) as refusal:
        parse_cpf(typed)
    assert "456" not in str(refusal.value)


def test_the_mask_shows_the_two_digits_before_the_check_digits_only() -> None:
    assert Identity.of("Carlos Teste", "12345678900").masked_cpf == "***.***.*89-**"


def test_a_representation_shows_neither_name_nor_cpf() -> None:
    identity = Identity.of("Carlos Teste", "123.456.789-00")
    shown = f"{identity!r} {identity}"
    assert "Carlos" not in shown
    assert "789" not in shown


@pytest.mark.parametrize(
    ("cpf", "valid"),
    [
        pytest.param("529.982.247-25", True, id="right check digits"),
        pytest.param("123.456.789-09", True, id="right check digits for the example's number"),
        pytest.param("123.456.789-00", False, id="the blueprint's example"),
        pytest.param("111.111.111-11", False, id="one digit repeated"),
        pytest.param("000.000.000-00", False, id="zeros"),
    ],
)
def test_check_digits_are_judged_and_never_refused(cpf: str, *, valid: bool) -> None:
    assert Identity.of("Carlos Teste", cpf).has_valid_check_digits is valid
