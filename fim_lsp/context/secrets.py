"""Secrets, which are never remembered: lines that may hold one are left out.

Excluded files are not read at all (`server/exclusion.py`). In other files a line is left out if it has a long
string of random characters, a key in PEM's armour, or a string assigned to a name such as `password`. A line
too many costs an offer; one too few would show a password in another file.
"""

from __future__ import annotations

import math
import re
from collections import Counter

# Random characters: as in keys, hashes and tokens. Paths and dotted names have other signs in them.
RANDOM = re.compile(r"[A-Za-z0-9+/=_\-]{20,}")
# Bits per character: hexadecimal digits have at most 4.0, words of a language about 3.
MOST_BITS = 3.5
LONG = 36
HEXADECIMAL = re.compile(r"[0-9a-fA-F]{32,}")
ARMOUR = re.compile(r"-----(BEGIN|END) [A-Z ]+-----")
NAMES = (
    r"passw(or)?d|passphrase|pwd|secret|token|api_?key|apikey|access_?key|private_?key|credential|auth_?key"
)
# A name that means a secret, and a string of some length behind it.
NAMED = re.compile(rf"(?i)({NAMES})\w*[\"']?\]?\s*(:\s*\w+\s*)?(:?=|:|,)\s*[bruf]*[\"'][^\"']{{6,}}[\"']")
# A call that logs in with two strings: `login("admin", "...")`.
LOGIN = re.compile(
    r"(?i)(log_?in|log_?on|sign_?in|authenticate|basic_?auth)\w*\(\s*(?:[^()\"']{1,80},\s*)?"
    r"[bruf]{0,2}[\"'][^\"']+[\"']\s*,\s*[bruf]{0,2}[\"'][^\"']{4,}[\"']"
)
# Secrets that are recognized by their beginning.
KNOWN = re.compile(
    r"\b(AKIA[0-9A-Z]{16}|gh[pousr]_\w{20,}|sk-[\w-]{16,}|xox[abpr]-[\w-]{10,}|eyJ[\w-]{10,}\.|npm_\w{20,}"
    r"|hooks\.slack\.com/services/\w)"
)
# A password in an address, `postgres://admin:secret@host`, and an authorization header.
SHOWN = re.compile(r"://[^\s/:@\"']*:[^\s/@\"']{3,}@|(?i:\b(?:bearer|basic) +[\w+/=.\-]{12,})")


def is_secret(line: str) -> bool:
    """Whether a line may hold a secret."""
    if len(line) < 8:
        return False
    # Most lines have no string, and the search for names in all lines took half of the time.
    has_string = '"' in line or "'" in line
    if (
        KNOWN.search(line)
        or ARMOUR.search(line)
        or (has_string and (NAMED.search(line) or SHOWN.search(line) or LOGIN.search(line)))
    ):
        return True
    return any(is_random(found[0]) for found in RANDOM.finditer(line))


def is_random(text: str) -> bool:
    """Whether a run of characters looks random."""
    if HEXADECIMAL.search(text):
        return True
    # A key of forty characters may have only one digit.
    has_digits = sum(character.isdigit() for character in text) >= (1 if len(text) >= LONG else 2)
    is_mixed = text.lower() != text != text.upper()
    words = re.findall(r"[a-z]{4,}|[A-Z]{4,}", text)
    # `test_http_1_and_2_responses_are_equal` consists of words.
    if sum(map(len, words)) > 0.6 * len(text):
        return False
    return has_digits and (is_mixed or text.isalnum()) and entropy(text) > MOST_BITS


def entropy(text: str) -> float:
    """Bits per character, by the frequencies in the text."""
    counts = Counter(text).values()
    return -sum(count / len(text) * math.log2(count / len(text)) for count in counts)
