"""Replies in pieces print as the whole would."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from toolnexus.cli.console import inert, visible
from toolnexus.cli.reply_stream import ReplyStream

PIECES = st.lists(st.text(alphabet="a: \n\x1b", max_size=6), max_size=8)


@given(PIECES)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_pieces_print_as_the_whole(capsys, pieces):
    """However a reply is cut into pieces, what is printed is the whole made harmless, ended."""
    capsys.readouterr()
    stream = ReplyStream()
    for piece in pieces:
        stream.write(piece)
    stream.close()
    stream.write("after the end")
    whole = "".join(pieces)
    ended = whole if not whole or whole.endswith("\n") else f"{whole}\n"
    assert capsys.readouterr().out == inert(visible(ended))
