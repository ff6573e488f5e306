"""The versions of Unicode that introduced the characters of names, from 13.0 to 16.0.

A Python's own tables know what is assigned, but not since when, and they end with the Python's version. These
are the characters that continue names, by the version that introduced them, taken from the tables of CPython
3.9 (13.0) and 3.11 to 3.14.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_right

NEW = {
    "13.0": """
        8BE-8C7 B55 D04 D81 1ABF-1AC0 31BB-31BF 4DB6-4DBF 9FF0-9FFC A7C7-A7CA A7F5-A7F6 A82C
        AB68-AB69 10E80-10EA9 10EAB-10EAC 10EB0-10EB1 10FB0-10FC4 11147 111CE-111CF 11460-11461
        11900-11906 11909 1190C-11913 11915-11916 11918-11935 11937-11938 1193B-11943
        11950-11959 11FB0 16FE4 16FF0-16FF1 18AF3-18CD5 18D00-18D08 1FBF0-1FBF9 2A6D7-2A6DD
        30000-3134A
    """,
    "14.0": """
        870-887 889-88E 898-89F 8B5 8C8-8D2 C3C C5D CDD 170D 1715 171F 180F 1AC1-1ACE 1B4C 1DFA
        2C2F 2C5F 9FFD-9FFF A7C0-A7C1 A7D0-A7D1 A7D3 A7D5-A7D9 A7F2-A7F4 10570-1057A 1057C-1058A
        1058C-10592 10594-10595 10597-105A1 105A3-105B1 105B3-105B9 105BB-105BC 10780-10785
        10787-107B0 107B2-107BA 10F70-10F85 11070-11075 110C2 11740-11746 11AB0-11ABF
        12F90-12FF0 16A70-16ABE 16AC0-16AC9 1AFF0-1AFF3 1AFF5-1AFFB 1AFFD-1AFFE 1B11F-1B122
        1CF00-1CF2D 1CF30-1CF46 1DF00-1DF1E 1E290-1E2AE 1E7E0-1E7E6 1E7E8-1E7EB 1E7ED-1E7EE
        1E7F0-1E7FE 2A6DE-2A6DF 2B735-2B738
    """,
    "15.0": """
        CF3 ECE 10EFD-10EFF 1123F-11241 11F00-11F10 11F12-11F3A 11F3E-11F42 11F50-11F59 1342F
        13440-13455 1B132 1B155 1DF25-1DF2A 1E030-1E06D 1E08F 1E4D0-1E4F9 2B739 31350-323AF
    """,
    "15.1": """
        2EBF0-2EE5D
    """,
    "16.0": """
        897 1C89-1C8A A7CB-A7CD A7DA-A7DC 105C0-105F3 10D40-10D65 10D69-10D6D 10D6F-10D85
        10EC2-10EC4 10EFC 11380-11389 1138B 1138E 11390-113B5 113B7-113C0 113C2 113C5
        113C7-113CA 113CC-113D3 113E1-113E2 116D0-116E3 11BC0-11BE0 11BF0-11BF9 11F5A
        13460-143FA 16100-16139 16D40-16D6C 16D70-16D79 18CFF 1CCF0-1CCF9 1E5D0-1E5FA
    """,
}
OLDEST = (12, 1)
"""The tables of Python 3.8, the oldest version that we know."""
NEVER = (99, 0)
Version = tuple[int, ...]


def _ranges() -> list[tuple[int, int, Version]]:
    found = []
    for version, words in NEW.items():
        for word in words.split():
            low, _, high = word.partition("-")
            found.append((int(low, 16), int(high or low, 16), tuple(map(int, version.split(".")))))
    return sorted(found)


RANGES = _ranges()


def age(character: str) -> Version:
    """The version that introduced a character, or NEVER; anything older than OLDEST counts as OLDEST.

    The result is right only for characters of names.
    """
    code = ord(character)
    place = bisect_right(RANGES, (code, 0x110000)) - 1
    if place >= 0 and RANGES[place][0] <= code <= RANGES[place][1]:
        return RANGES[place][2]
    return OLDEST if unicodedata.category(character) != "Cn" else NEVER
