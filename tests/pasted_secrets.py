"""Secrets as people paste them: made up, and put together here, so that no scanner minds."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_LETTERS = "aB3dE6gH9jK2mN5pQ8sT1vW4xY7zC0fL"

PASTED: Mapping[str, str] = {
    "an OpenAI key": "sk-proj-" + _LETTERS,
    "a GitHub token": "ghp_" + _LETTERS + "Rr7u",
    "a GitLab token": "glpat-" + _LETTERS[:20],
    "an npm token": "npm_" + _LETTERS + "Rr7u",
    "a Hugging Face token": "hf_" + _LETTERS,
    "a Slack token": "xoxb-" + "123456789012-" + _LETTERS.lower(),
    "an AWS key": "AKIA" + "IOSFODNN7EXAMPLE",
    "a Google key": "AIza" + "SyD-" + _LETTERS,
    "a Telegram token": "123456789:AA" + _LETTERS + "x",
    "a JSON Web Token": "eyJhbGciOiJIUzI1NiJ9." + "eyJzdWIiOiJtYXJpYSJ9." + _LETTERS,
    "a Stripe key": "sk" + "_live_" + _LETTERS[:24],
    "a SendGrid key": "SG." + _LETTERS[:22] + "." + (_LETTERS * 2)[:43],
    "a Twilio key": "SK" + "0123456789abcdef" * 2,
    "a Mailchimp key": "0123456789abcdef" * 2 + "-us12",
    "a PyPI token": "pypi-AgEIcHlwaS5vcmc" + _LETTERS * 3,
    "an Azure key": "AccountKey=" + (_LETTERS * 3)[:86] + "==",
    "a Square secret": "sq0csp-" + (_LETTERS * 2)[:43],
    "a Discord token": "M" + _LETTERS[:23] + "." + _LETTERS[:6] + "." + _LETTERS[:27],
    "a private key": (
        "-----BEGIN RSA " + "PRIVATE KEY-----\n" + (_LETTERS * 2 + "\n") * 3 + "x7=\n"
        "-----END RSA " + "PRIVATE KEY-----"
    ),
    "a bearer token": "Bearer " + _LETTERS,
    "a password in an address": "postgres://maria:" + "tr0ub4dor" + "@db.example.org/notes",
    "a card": "4111 1111 1111 " + "1111",
    "a password said": "The wifi password is " + "hunter22",
    "a password assigned": "DB_PASSWORD=" + "corr3ct-horse",
    "a password quoted": 'the password is "' + "swordfish" + '"',
    "ein Passwort": "Das Kennwort lautet " + "Sommer2024!",
    "un mot de passe": "le mot de passe est " + "Ete2024!",
    "una contraseña": "contraseña: " + "gatito99",
    "uma senha": "A senha é " + "cafe1234",
    "a PIN": "The PIN is " + "4821",
}  # fmt: skip
"""A text for each kind; what it gives away is in `VALUES`."""


_SAID_LAST = frozenset(
    {
        "a bearer token",
        "a password said",
        "ein Passwort",
        "un mot de passe",
        "una contraseña",
        "uma senha",
        "a PIN",
    }
)


def _value(kind: str, text: str) -> str:
    if kind in _SAID_LAST:
        return text.rpartition(" ")[2]
    if kind == "a password quoted":
        return text.split('"')[1]
    if kind == "a password assigned":
        return text.split("=")[1]
    if kind == "a password in an address":
        return "tr0ub4dor"
    return text


VALUES: Mapping[str, str] = {kind: _value(kind, text) for kind, text in PASTED.items()}

INNOCENT = (
    "The password is wrong, and the token ran out.",
    "Her password manager is 1Password.",
    "The api key is in the vault, and the secret is out.",
    "The token budget is 20000 a day, and the PIN was changed on 2026-11-20.",
    "commit 8ddafc315ab34aa5221bbc37e14b6ac5e69dc5d1 of 2026-11-20",
    (
        "d41d8cd98f00b204e9800998ecf8427e and "
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855 are empty files"
    ),
    "conversation 6d5f27b6-6b0a-4d36-8c9b-7d1a2f9f0b11#14 said so",
    (
        "![cat](data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4//8/w38"
        "GIAXDIBKE0DHxgljNBAAO9TXL0Y4OHwAAAABJRU5ErkJggg==)"
    ),
    "See https://example.org/a/very/long/path/to/some/page?with=query&and=more#anchor",
    "git@github.com:maria/notes.git and https://example.org:8080/a",
    "const apiKey = 'YOUR_API_KEY_HERE'; const token = process.env.TOKEN;",
    'password = "mypassword"  # and api_key: ${API_KEY}, token: <your token>',
    "hashed_password = bcrypt.hashpw(password.encode('utf-8'), salt)",
    "Order 978-3-16-148410-0, instant 1732701600000, phone +49 170 1234567890",
    "pass 20261129T030012Z-3f2a, blake2b d2a84f4b8b650937ec8f73cd8be2c74a",
    "What is the password? It was swordfish in the film.",
    "The secret to good bread is time.",
)
"""Texts that hold no secret, though they look a little like it."""
