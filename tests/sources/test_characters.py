import numpy as np

from tbframe.sources.trf.characters import Characters, decode, strings, whole_numbers


def cells(*texts: str) -> np.ndarray:
    return np.array([list(text.encode()) for text in texts], dtype=np.uint8)


def test_encodings_are_told_apart() -> None:
    assert decode("012 Kö".encode()) == ("012 Kö", "utf-8")
    assert decode("012 Kö".encode("cp1252")) == ("012 Kö", "cp1252")
    # 0x81 has no meaning in Windows-1252.
    assert decode(b"012 K\x81") == ("012 K\x81", "latin-1")
    assert decode("012 Kö".encode("utf-16")) == ("012 Kö", "utf-16")


def test_byte_order_mark_and_line_ends_go() -> None:
    assert decode("\ufeff012 A\r\n022 B\r032 C\n".encode())[0] == "012 A\n022 B\n032 C\n"


def test_lines_are_numbered_in_their_own_file() -> None:
    text = Characters.of(["a\nb\n", "", "c"])
    content = text.whole(np.arange(len(text.start))).to_list()
    assert content == ["a", "b", "", "", "c"]
    assert text.file.tolist() == [0, 0, 0, 1, 2]
    assert text.number.tolist() == [1, 2, 3, 1, 1]


def test_columns_count_characters_not_bytes() -> None:
    text = Characters.of(["Łódź 12\n"])
    assert text.field(np.array([0]), 1, 4).to_list() == ["Łódź"]
    assert text.field(np.array([0]), 6, 7).to_list() == ["12"]
    assert bytes(text.cells(np.array([0]), 6, 7)[0]) == b"12"


def test_a_field_ends_with_its_line() -> None:
    text = Characters.of(["abc\nxyz\n"])
    lines = np.array([0])
    assert text.field(lines, 2, 9).to_list() == ["bc"]
    assert text.field(lines, 7, 9).to_list() == [None]
    assert bytes(text.cells(lines, 3, 5)[0]) == b"c  "


def test_trailing_blanks_are_no_part_of_a_line() -> None:
    text = Characters.of(["a" + " " * 500 + "\n" + " " * 40 + "\nb \t\u00a0\n"])
    assert (text.end - text.start).tolist() == [1, 0, 1, 0]


def test_no_text_at_all() -> None:
    text = Characters.of([])
    assert len(text.start) == 0
    assert text.whole(np.arange(0)).to_list() == []


def test_whole_numbers() -> None:
    value, blank, wrong = whole_numbers(
        cells("  12", "7   ", "    ", "1 2 ", "  -1", "0000", " x  ")
    )
    assert value.tolist() == [12, 7, 0, 0, 0, 0, 0]
    assert blank.tolist() == [False, False, True, False, False, False, False]
    assert wrong.tolist() == [False, False, False, True, True, False, True]


def test_strings_are_stripped_and_empty_ones_null() -> None:
    assert strings(cells(" a ", "   ", "b c")).to_list() == ["a", None, "b c"]
