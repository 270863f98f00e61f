"""Names that look like others are refused, and names that differ to the eye are not."""

import pytest
from boards import submit

from zs_lab.board import BoardError, NotAccepted, owner
from zs_lab.board.look_alikes import look_alike, mixed_scripts

#: What an attack tried beside "System X", by what was done to the name.
BESIDE_SYSTEM_X = {
    "capitals": ("SYSTEM X", "system x", "sYSTEM x"),
    "spaces and punctuation": (
        "SystemX",
        "System  X",
        "System\u00a0X",
        "System\u3000X",
        "System_X",
        "System-X",
        "System\u2014X",
        "System\u2013X",
        "System\u2e31X",
        "System\u2022X",
        "System X.",
        "System X!",
        "System X\u2026",
        "(System X)",
        "'System X'",
        "\u201cSystem X\u201d",
        "System | X",
    ),
    "signs and marks": (
        "System X\u2122",
        "System X\u00ae",
        "System X \u2728",
        "System X\ufe0f",
        "Syste\u0301m X",
        "Syst\u0117m X",
        "S\u00ffstem X",
        "System\u02bc X",
        "System\u02d0 X",
        "System X\u0660",
    ),
    "forms of Latin letters": (
        "\uff33\uff59\uff53\uff54\uff45\uff4d \uff38",
        "\U0001d412\U0001d432\U0001d42c\U0001d42d\U0001d41e\U0001d426 \U0001d417",
        "s\u028fs\u1d1b\u1d07\u1d0d x",
        "\ua731\u028f\ua731\u1d1b\u1d07\u1d0d x",
        "S\u0263stem X",
        "Systern X",
        "System \u2169",
        "System \u24e7",
        "System \U0001f147",
        "System \U0001f187",
        "System \U0001f1fd",
    ),
    "signs like letters": (
        "System \u2717",
        "System \u2718",
        "System \u2715",
        "System \u2613",
        "System \u00d7",
        "System \u2a2f",
        "System \U0001f7a8",
    ),
    "letters of other scripts": (
        "S\u0443stem X",
        "Sy\u0455tem X",
        "\u0405ystem X",
        "System \u0425",
        "System \u04b2",
        "System \u03a7",
        "System \u2cad",
        "\u13daystem X",
        "\ua4e2ystem X",
        "System \ua4eb",
        "\U00010420ystem X",
        "\u2d59ystem X",
        "System \u16b7",
        "System \u157d",
        "System \u166d",
        "S\u10e7stem X",
        "System \U000118ec",
        "System \U00010317",
        "System \U00010290",
        "\u0405\u0443\u0455\u0442\u0435\u043c \u0425",
    ),
}
DIFFERENT = [
    ("Model 5", "Model S"),
    ("Model 8B", "Model BB"),
    ("Llama 2", "Llama Z"),
    ("\u6a21\u578b", "\u6a21\u5f62"),
    ("\u6771\u4eac", "\u4e1c\u4eac"),
    ("\u304b", "\u304c"),
    ("\u30cf\u30b9", "\u30d0\u30b9"),
    ("\ud55c\uad6d", "\ud55c\uae00"),
    ("Model 1.1", "Model 11"),
    ("Model 1.1", "Model 1.2"),
    ("Qwen 2.5 7B", "Qwen 2 57B"),
    ("GPT-4", "GPT-4o"),
    ("C", "C++"),
    ("Bench", "\u221eBench"),
    ("Claude", "Clause"),
]


@pytest.mark.parametrize("how", BESIDE_SYSTEM_X)
def test_no_name_that_looks_like_another_is_accepted(how):
    assert len(sum(BESIDE_SYSTEM_X.values(), ())) >= 60
    tried = BESIDE_SYSTEM_X[how]
    assert [name for name in tried if not look_alike("System X", name) and not mixed_scripts(name)] == []


@pytest.mark.parametrize(("name", "other"), DIFFERENT)
def test_names_that_differ_to_the_eye_are_accepted_whatever_they_sound_like(name, other):
    assert not look_alike(name, other)
    assert mixed_scripts(name) == mixed_scripts(other) == []


@pytest.mark.parametrize(
    ("name", "others"),
    [
        ("Claude", ("\u03f9laude", "C\u04cfaude", "Cl\u237aude", "Ciaude", "Daude", "C|aude")),
        ("Qwen 3", ("\u051awen 3", "Q\u0461en 3", "Qvven 3", "Qwen \u0417", "Qwen \u01b7")),
        ("Model 690", ("Model \u04319\u07c0", "Model 6\u09ed0", "Moclel 690", "Model 69O")),
        ("Model v1.1", ("Model vl.l", "Model v1-1", "Model v\u0661.1")),
    ],
)
def test_letters_digits_and_pairs_of_letters_that_look_like_others_are_recognised(name, others):
    assert [other for other in others if not look_alike(name, other)] == []


@pytest.mark.parametrize(
    ("name", "scripts"),
    [
        ("Qwen \u5343\u95ee", []),
        ("Qwen \ubaa8\ub378 \u6a21", []),
        ("\u30e2\u30c7\u30eb\u30fcX \u6f22\u3005 \uff76", []),
        ("\u041c\u043e\u0434\u0435\u043b\u044c 1", []),
        ("\u00dcn\u00efcode \u00b5-Net \u2113\u00b9", []),
        ("\uff26ull\uff57idth", []),
        ("Q\u03c9en 3", ["greek", "latin"]),
        ("\u30e2\ubaa8", ["hangul", "katakana"]),
    ],
)
def test_the_letters_of_a_name_are_of_one_script_or_latin_with_one_of_east_asia(name, scripts):
    assert mixed_scripts(name) == scripts


def test_no_system_or_submitter_can_copy_the_name_of_another(board, tmp_path):
    submit(board, tmp_path, 20, system="System X v1.1")
    for name in ("System\u2014X v1.1", "system_x  V1.1", "Syste\u0301m X v1.1", "System X vl.l", "System X v1.1!"):
        with pytest.raises(NotAccepted, match=r"there is a system 'System X v1\.1' already, which looks alike"):
            submit(board, tmp_path, 30, "B", system=name)
    with pytest.raises(NotAccepted, match="the name of the system mixes cyrillic and latin letters, some of which"):
        submit(board, tmp_path, 30, "B", system="S\u0443stem X v1.1")
    for right, name in enumerate(("System X v1.1", "System X v11", "System X v1.2", "5ystem X v1.1")):
        assert submit(board, tmp_path, right, "B", system=name).id == right + 2
    with pytest.raises(BoardError, match="there is 'A' already, which looks alike"):
        owner.invite(board, "\u0410")
    with pytest.raises(BoardError, match="the name of a submitter mixes cyrillic and latin"):
        owner.invite(board, "T\u0435am")
