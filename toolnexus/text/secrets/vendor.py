"""detect-secrets: the keys of many more services, by patterns that its keepers look after.

Its detectors for source code are left out: they take any assignment, or any text of high entropy,
for a secret, which hashes, pictures and prose are full of. Loading it takes 0.4 s of CPU time, so
it is loaded when a text holds the letters without which none of its keys can stand.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from toolnexus.text.secrets.shapes import compiled

if TYPE_CHECKING:
    from collections.abc import Iterator

PIECE_CHARS = 2_000
OVERLAP_CHARS = 400
"""A line is put to the patterns in pieces: what they cost grows no faster than the text."""

LONG_WORD_CHARS = 32
"""A word as long as this is no one's own, and may be a key whose letters prose has as well."""


@dataclass(frozen=True, slots=True)
class Detector:
    """One of its detectors.

    Attributes:
        kind: What it finds, for a person, with its article.
        module: Where it is, below ``detect_secrets.plugins``.
        name: Its class.
        anchors: Letters of which at least one stands in all that it finds; none where only its
            length tells.
        word_chars: The least length of the word that such a key stands in.
    """

    kind: str
    module: str
    name: str
    anchors: tuple[str, ...]
    word_chars: int

    def has_anchor(self, text: str) -> bool:
        """Whether it could find anything in a text."""
        return not self.anchors or any(anchor in text for anchor in self.anchors)


DETECTORS = (
    Detector("an Artifactory key", "artifactory", "ArtifactoryDetector", ("AKC",), 13),
    Detector("an AWS key", "aws", "AWSKeyDetector", ("A3T", "ABIA", "ACCA", "AKIA", "ASIA"), 20),
    Detector("an AWS key", "aws", "AWSKeyDetector", ("aws", "AWS", "Aws"), 40),
    Detector(
        "an Azure storage key", "azure_storage_key", "AzureStorageKeyDetector", ("AccountKey=",), 99
    ),
    Detector("a Discord token", "discord", "DiscordBotTokenDetector", (), 58),
    Detector(
        "a GitHub token",
        "github_token",
        "GitHubTokenDetector",
        ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"),
        40,
    ),
    Detector(
        "a GitLab token",
        "gitlab_token",
        "GitLabTokenDetector",
        (
            "glpat-", "gldt-", "glft-", "glsoat-", "glrt-", "GR1348941", "glcbt-", "glimt-",
            "glptt-", "glagent-", "gloas-",
        ),
        25,
    ),
    Detector("a JSON Web Token", "jwt", "JwtTokenDetector", ("eyJ",), 10),
    Detector("a Mailchimp key", "mailchimp", "MailchimpDetector", ("-us",), 36),
    Detector("an OpenAI key", "openai", "OpenAIDetector", ("T3BlbkFJ",), 51),
    Detector("a private key", "private_key", "PrivateKeyDetector", ("PRIVATE KEY", "PuTTY-"), 3),
    Detector("a PyPI token", "pypi_token", "PypiTokenDetector", ("pypi-Ag",), 80),
    Detector("a SendGrid key", "sendgrid", "SendGridDetector", ("SG.",), 69),
    Detector("a Slack token", "slack", "SlackDetector", ("xox", "XOX", "hooks.slack.com"), 7),
    Detector("a Square secret", "square_oauth", "SquareOAuthDetector", ("sq0csp-",), 50),
    Detector("a Stripe key", "stripe", "StripeDetector", ("k_live_",), 32),
    Detector("a Twilio key", "twilio", "TwilioKeyDetector", ("AC", "SK"), 34),
)  # fmt: skip


ANCHORS = tuple(
    dict.fromkeys(
        anchor for each in DETECTORS if each.word_chars < LONG_WORD_CHARS for anchor in each.anchors
    )
)
"""The anchors of what may stand in short words."""


def has_long_word(text: str) -> bool:
    """Whether a word is so long that only detectors could tell whether it is a key."""
    return compiled(rf"\S{{{LONG_WORD_CHARS}}}").search(text) is not None


def vendor_spans(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield what detect-secrets finds in a text: what it is, and where its value stands."""
    is_long = has_long_word(text)
    fitting = [
        each
        for each in DETECTORS
        if (is_long or each.word_chars < LONG_WORD_CHARS) and each.has_anchor(text)
    ]
    if not fitting:
        return
    longest = max(map(len, text.split()), default=0)
    fitting = [each for each in fitting if longest >= each.word_chars]
    for start, piece in _pieces(text):
        for detector in fitting:
            if detector.has_anchor(piece):
                yield from _found(detector, piece, start)


def found_by_all(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield the same with every detector asked, whatever its anchors say; for tests of those."""
    for start, piece in _pieces(text):
        for detector in DETECTORS:
            yield from _found(detector, piece, start)


def _found(detector: Detector, piece: str, start: int) -> Iterator[tuple[str, int, int]]:
    at = 0
    for given in _loaded(detector.module, detector.name).analyze_string(piece):
        value = given.strip(' \t\r\n"=:')
        place = piece.find(value, at)
        if value and place >= 0:
            at = place + len(value)
            yield detector.kind, start + place, start + at


def _pieces(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines of a text with where they begin; those that are long in overlapping parts."""
    start = 0
    for line in text.split("\n"):
        for at in range(0, max(1, len(line) - OVERLAP_CHARS), PIECE_CHARS - OVERLAP_CHARS):
            yield start + at, line[at : at + PIECE_CHARS]
        start += len(line) + 1


@cache
def _loaded(module: str, name: str) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what its own imports have to say is no user's concern
        plugin = getattr(import_module(f"detect_secrets.plugins.{module}"), name)
    return plugin()
