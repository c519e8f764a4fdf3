"""Outside knowledge streamed into a home: once, in parts, around what people edited."""

from __future__ import annotations

import asyncio
import errno

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ripe_homes import CLOCK, made_home

from toolnexus.app import Home
from toolnexus.errors import DiskError, UsageError
from toolnexus.evolve.plugging import run as running
from toolnexus.evolve.plugging.event import PlugEvent, PlugSkip
from toolnexus.evolve.plugging.paper import is_of, paper_of, slugs_for
from toolnexus.home.note import is_daily
from toolnexus.home.ripening import ripening_of
from toolnexus.home.snapshot import Snapshot
from toolnexus.testing.disk import CrashError, FaultyDisk
from toolnexus.text.frontmatter import read_front_matter
from toolnexus.text.slug import is_safe_slug


class Facts:
    """A source in memory, which counts how many of its events are alive."""

    name = "facts"

    def __init__(self, *events: PlugEvent | PlugSkip) -> None:
        self.list = list(events)

    def events(self):
        """Yield them."""
        yield from self.list


def fact(number: int, text: str = "", **fields) -> PlugEvent:
    return PlugEvent(f"id-{number}", text or f"Fact {number}.", title=f"Fact {number}", **fields)


def notes_of(home: Home) -> dict[str, str]:
    snapshot = home.read()
    return {path: snapshot.text(path) for path in snapshot.notes if path.startswith("memory/")}


def test_an_event_becomes_a_note_that_says_where_it_is_from(tmp_path):
    """Title, tags, stage, stability, day and provenance stand in the note's front matter."""
    home = made_home(tmp_path, {})
    event = PlugEvent(
        "https://user:secret@example.org/tea",
        "Green tea calms.\r\nSencha at 70 degrees.",
        title="Tea: green",
        tags=("#drinks", "tea"),
        stability="stable",
        created="2026-03-01",
    )
    done = home.plug(Facts(event, fact(2)))
    assert (done.read, done.added, len(done.ids), done.wrote) == (2, 2, 1, True)
    text = notes_of(home)["memory/facts/tea-green.md"]
    front, problems = read_front_matter(text)
    assert not problems
    assert front.fields == {
        "title": "Tea: green",
        "tags": ["drinks", "tea"],
        "stage": "extracted",
        "stability": "stable",
        "created": "2026-03-01",
        "updated": "2026-11-29",
        "plugged": "facts",
        "source": "https://[redacted]@example.org/tea",
        "plug_id": front.fields["plug_id"],
    }
    assert text[front.end :] == "\nGreen tea calms.\nSencha at 70 degrees.\n"
    other = ripening_of(home.read().notes["memory/facts/fact-2.md"])
    assert (other.stage, f"{other.created:%Y-%m-%d}") == ("extracted", "2026-11-29")


def test_twice_is_once(tmp_path):
    """The same source again writes nothing, with what is known of it or without."""
    home = made_home(tmp_path, {})
    source = Facts(*(fact(number) for number in range(5)))
    home.plug(source)
    before = notes_of(home)
    again = home.plug(source)
    assert (again.unchanged, again.added, again.ids) == (5, 0, ())
    (home.store.state / "state" / "plug-facts.json").unlink()
    forgotten = home.plug(source)
    assert (forgotten.unchanged, forgotten.added, forgotten.ids) == (5, 0, ())
    assert notes_of(home) == before
    (home.store.state / "state" / "plug-facts.json").write_text('{"version": 1, "notes": [7]}')
    assert home.plug(source).unchanged == 5


def test_what_changed_in_the_source_changes_its_note(tmp_path):
    """An event with other words rewrites its note; what is gone upstream stays and is told."""
    home = made_home(tmp_path, {})
    home.plug(Facts(fact(1), fact(2), fact(3)))
    done = home.plug(Facts(fact(1), fact(2, "Fact 2, revised.")))
    assert (done.unchanged, done.updated, done.gone) == (1, 1, 1)
    notes = notes_of(home)
    assert notes["memory/facts/fact-2.md"].endswith("\nFact 2, revised.\n")
    assert "memory/facts/fact-3.md" in notes
    assert home.revert(done.ids[0]).left == ()
    assert notes_of(home)["memory/facts/fact-2.md"].endswith("\nFact 2.\n")


def test_what_is_gone_is_counted_in_whatever_folder_it_lies(tmp_path):
    """A record with a scope of its own is missed as any other is, by its source and no other."""
    home = made_home(tmp_path, {})
    away, stays = fact(1, scope="food"), fact(2)
    home.plug(Facts(away, stays))
    assert (home.plug(Facts(stays), dry_run=True).gone, home.plug(Facts(stays)).gone) == (1, 1)
    assert home.plug(Facts(away, stays)).gone == 0
    assert home.plug(Facts(stays), scope="elsewhere").gone == 0
    other = Facts(fact(3))
    other.source = "another"
    assert home.plug(other).gone == 0
    assert home.plug(Facts(stays)).gone == 1
    assert "memory/food/fact-1.md" in notes_of(home)


def test_a_flat_home_takes_all_into_its_one_folder(tmp_path):
    """Where notes have no folders an event's scope is passed over, and asking for one refused."""
    (tmp_path / "MEMORY.md").write_text("# Memory\n\n- [Tea](tea.md)\n")
    home = Home.open(tmp_path, clock=CLOCK)
    home.plug(Facts(fact(1, scope="food")))
    assert (tmp_path / "fact-1.md").exists()
    for ask in (
        lambda: home.plug(Facts(fact(1)), scope="food"),
        lambda: home.search("fact", scope="food"),
    ):
        with pytest.raises(UsageError) as raised:
            ask()
        assert raised.value.hint == "all notes of this home lie in one folder: leave the scope out"


def test_what_a_person_edited_stays(tmp_path):
    """A note that was edited, renamed and edited, or taken away here is left and reported."""
    home = made_home(tmp_path, {})
    home.plug(Facts(*(fact(number) for number in range(4))))
    edited = tmp_path / "memory/facts/fact-0.md"
    edited.write_text(edited.read_text() + "\nMine.\n")
    (tmp_path / "memory/facts/fact-1.md").unlink()
    home.rename("fact-2", "second-fact")
    unchanged = home.plug(Facts(*(fact(number) for number in range(4))))
    assert (unchanged.unchanged, unchanged.left) == (4, ())
    done = home.plug(Facts(*(fact(number, "New words.") for number in range(4))))
    assert {note.path: note.reason for note in done.left} == {
        "memory/facts/fact-0.md": "the note was changed here",
        "memory/facts/fact-1.md": "the note was taken away here",
    }
    assert edited.read_text().endswith("Mine.\n")
    assert not (tmp_path / "memory/facts/fact-1.md").exists()
    notes = notes_of(home)
    assert notes["memory/facts/second-fact.md"].endswith("\nNew words.\n")
    assert notes["memory/facts/fact-3.md"].endswith("\nNew words.\n")


def test_one_scope_wins_over_the_events(tmp_path):
    """Without a scope events choose their folder, else the plug's name is it; with one, it is."""
    home = made_home(tmp_path, {})
    source = Facts(fact(1, scope="work/garden"), fact(2))
    home.plug(source)
    assert set(notes_of(home)) == {"memory/work/garden/fact-1.md", "memory/facts/fact-2.md"}
    home.plug(source, scope="private")
    assert {path for path in notes_of(home) if "private" in path} == {
        path for path in notes_of(home) if path.startswith("memory/private/")
    }
    assert sum(path.startswith("memory/private/") for path in notes_of(home)) == 2
    top = made_home(tmp_path / "other", {})
    top.plug(Facts(fact(1)), scope=".")
    assert set(notes_of(top)) == {"memory/fact-1.md"}


@pytest.mark.parametrize("scope", ["..", "../x", "/etc", "a/../b", ".hidden", "archive", "a\\b"])
def test_no_scope_leads_elsewhere(tmp_path, scope):
    """A scope that is no folder for notes is refused, and an event's own is skipped and told."""
    home = made_home(tmp_path, {})
    with pytest.raises(UsageError):
        home.plug(Facts(fact(1)), scope=scope)
    done = home.plug(Facts(fact(1, scope=scope), fact(2)))
    assert (done.added, [skip.count for skip in done.skipped]) == (1, [1])


def test_notes_of_one_name_stay_apart(tmp_path):
    """Events of one title, and one that a note of the home has, become notes of their own."""
    home = made_home(tmp_path, {"memory/tea.md": "- Mine.\n"})
    home.plug(Facts(*(PlugEvent(f"id-{n}", f"Tea {n}.", title="Tea") for n in range(3))))
    notes = notes_of(home)
    assert len(notes) == 4
    assert notes["memory/tea.md"] == "- Mine.\n"
    assert "duplicate-slug" not in {each.rule for each in home.check()}
    again = home.plug(Facts(*(PlugEvent(f"id-{n}", f"Tea {n}.", title="Tea") for n in range(3))))
    assert again.unchanged == 3


def test_bad_events_are_counted_and_stop_nothing(tmp_path):
    """What can become no note is skipped with a reason; the rest comes in."""
    home = made_home(tmp_path, {})
    bad = [
        PlugEvent("", "No id."),
        PlugEvent("a", "  "),
        PlugEvent("b", "x" * 500_001),
        PlugEvent("c", "NUL \0."),
        PlugEvent("d", "Half \ud800."),
        PlugEvent("e", "Stage.", stage="rotten"),  # type: ignore[arg-type]
        PlugEvent("f", "Stability.", stability="shaky"),  # type: ignore[arg-type]
        PlugEvent("g", 7),  # type: ignore[arg-type]
        PlugEvent("h", "Tags.", tags="tea"),  # type: ignore[arg-type]
        PlugSkip("torn", "a.jsonl:3"),
        "nonsense",
        fact(1),
        fact(1, "Again."),
    ]
    done = home.plug(Facts(*bad))  # type: ignore[arg-type]
    assert done.added == 1
    assert sum(skip.count for skip in done.skipped) == 12
    assert {"torn", "its id came before", "it has no id"} <= {s.reason for s in done.skipped}
    assert "Fact 1." in notes_of(home)["memory/facts/fact-1.md"]


def test_a_dry_run_decides_and_writes_nothing(tmp_path):
    """A dry run tells the same counts and leaves home and state as they are."""
    home = made_home(tmp_path, {})
    done = home.plug(Facts(fact(1), fact(2)), dry_run=True)
    assert (done.added, done.ids, done.dry_run, done.wrote) == (2, (), True, False)
    assert notes_of(home) == {}
    assert not (home.store.state / "state" / "plug-facts.json").exists()


def test_a_plug_that_fails_keeps_what_came_before(tmp_path, monkeypatch):
    """Parts before the failure are in the home, and the next run goes on behind them."""
    monkeypatch.setattr(running, "PART_EVENTS", 2)
    home = made_home(tmp_path, {})

    class Torn(Facts):
        def events(self):
            yield from self.list[:3]
            raise OSError(errno.EIO, "the cable was pulled")

    source = Torn(*(fact(number) for number in range(5)))
    with pytest.raises(UsageError, match=r"failed after 3 events: .*cable"):
        home.plug(source)
    assert len(notes_of(home)) == 2
    done = home.plug(Facts(*source.list))
    assert (done.unchanged, done.added) == (2, 3)


def test_a_stream_of_any_length_is_held_in_parts(tmp_path, monkeypatch):
    """No more events are alive at once than a part has, and progress is told after each."""
    monkeypatch.setattr(running, "PART_EVENTS", 10)
    home = made_home(tmp_path, {})
    alive = most = 0

    class Counted(PlugEvent):
        __slots__ = ()

        def __del__(self):
            nonlocal alive
            alive -= 1

    class Stream(Facts):
        def events(self):
            nonlocal alive, most
            for number in range(95):
                alive += 1
                most = max(most, alive)
                yield Counted(f"id-{number}", f"Fact {number}.")

    told: list[tuple[int, int]] = []
    done = home.plug(Stream(), progress=lambda read, written: told.append((read, written)))
    assert (done.added, len(done.ids)) == (95, 10)
    assert most <= 2 * 10 + 2
    assert told == [(n, n) for n in [*range(10, 91, 10), 95]]


def test_long_texts_end_a_part_early(tmp_path, monkeypatch):
    """A part is bounded by its text as well as by its number of events."""
    monkeypatch.setattr(running, "PART_CHARS", 1_000)
    home = made_home(tmp_path, {})
    done = home.plug(Facts(*(fact(number, "x" * 400) for number in range(6))))
    assert (done.added, len(done.ids)) == (6, 2)


@pytest.mark.slow
def test_a_crash_at_any_call_leaves_whole_parts(tmp_path, monkeypatch):
    """Whenever the process dies, each part is there or not, and the next run makes the rest."""
    monkeypatch.setattr(running, "PART_EVENTS", 2)
    source = Facts(*(fact(number) for number in range(5)))
    counting = made_home(tmp_path / "count", {})
    disk = FaultyDisk()
    _with_disk(counting, disk)
    counting.plug(source)
    wanted = notes_of(counting)
    seen = set()
    for call in range(0, disk.count, 3):
        home = made_home(tmp_path / f"crash-{call}", {})
        _with_disk(home, FaultyDisk(call, "crash"))
        with pytest.raises(CrashError):
            home.plug(source)
        opened = Home.open(home.root, clock=CLOCK)
        notes = notes_of(opened)
        assert len(notes) in {0, 2, 4, 5}
        assert notes.items() <= wanted.items()
        seen.add(len(notes))
        done = opened.plug(source)
        assert (done.unchanged, done.added, done.left) == (len(notes), 5 - len(notes), ())
        assert notes_of(opened) == wanted
    assert {0, 2, 4} <= seen


def test_a_full_disk_leaves_what_was_written(tmp_path, monkeypatch):
    """A disk error is told, the parts before stay, and running it again goes on."""
    monkeypatch.setattr(running, "PART_EVENTS", 2)
    source = Facts(*(fact(number) for number in range(5)))
    home = made_home(tmp_path, {})
    _with_disk(home, FaultyDisk(40, errno.ENOSPC, lasting=True))
    with pytest.raises(DiskError):
        home.plug(source)
    again = Home.open(tmp_path, clock=CLOCK)
    before = len(notes_of(again))
    assert before in {0, 2, 4}
    assert again.plug(source).added == 5 - before
    assert again.plug(source).unchanged == 5


def _with_disk(home: Home, disk: FaultyDisk) -> None:
    """Have a home write through a disk that fails on command."""
    store = home.store
    for part in (store, store._journal, store._history, store._values):
        part._disk = disk
    store._journal.disk = disk


def test_awaited_events_come_in_as_well(tmp_path):
    """A plug whose events have to be awaited is streamed like any other."""
    home = made_home(tmp_path, {})

    class Awaited(Facts):
        async def events(self):  # type: ignore[override]
            for event in self.list:
                yield event

    assert home.plug(Awaited(fact(1), fact(2))).added == 2

    async def beside_a_loop() -> int:
        with pytest.raises(UsageError, match="an event loop runs here"):
            home.plug(Awaited(fact(3)))
        return (await home.aplug(Awaited(fact(3), fact(4)), scope="later")).added

    assert asyncio.run(beside_a_loop()) == 2


@pytest.mark.parametrize("name", ["", "Facts", "../x", "a" * 32, "a b", None])
def test_a_plug_needs_a_plain_name(tmp_path, name):
    """A name that could be no folder and no file is refused before anything is read."""
    source = Facts(fact(1))
    source.name = name  # type: ignore[assignment]
    with pytest.raises(UsageError, match="plug's name"):
        made_home(tmp_path, {}).plug(source)


@pytest.mark.parametrize("thing", ["markdown", None, 3])
def test_what_is_no_plug_is_told_how_one_is_made(tmp_path, thing):
    """A plug's name in the place of a plug is refused with what makes one of it."""
    with pytest.raises(UsageError, match="is no plug") as raised:
        made_home(tmp_path, {}).plug(thing)
    assert "load_plug(name, source)" in raised.value.hint


@pytest.mark.parametrize("created", ["yesterday", "2026-02-30", "1772323200", "03/01/2026"])
def test_a_date_that_is_none_is_told(tmp_path, created):
    """An event whose day cannot be read becomes no note, and is counted with the form of a date."""
    done = made_home(tmp_path, {}).plug(Facts(fact(1, created=created), fact(2, created=" ")))
    (skip,) = done.skipped
    assert (done.added, skip.count, skip.place) == (1, 1, "id-1")
    assert "no date such as 2026-03-01" in skip.reason


texts = st.text(max_size=60).filter(lambda text: text.strip() and "\0" not in text)
safe = texts.map(lambda text: text.encode("utf-8", "ignore").decode())
events = st.builds(
    PlugEvent,
    id=safe.filter(str.strip),
    text=st.one_of(safe.filter(str.strip), st.just("---\nplugged: forged\nstage: skill\n---\nx")),
    title=safe,
    tags=st.lists(safe, max_size=3).map(tuple),
    aliases=st.lists(safe, max_size=2).map(tuple),
    source=safe,
    created=st.sampled_from(["", "2026-03-01", " 2026-03-02 ", "2026-03-01T10:00:00Z"]),
)


@given(events)
def test_no_event_forges_its_paper(event):
    """Whatever an event says, its note has our front matter, its words, and a safe name."""
    text = paper_of("facts", event, "2026-11-30")
    front, problems = read_front_matter(text)
    assert not problems
    assert (front.fields["plugged"], front.fields["stage"]) == ("facts", "extracted")
    assert is_of(text, "facts", event.id)
    assert "status" not in front.fields
    body = event.text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").strip("\n")
    assert text[front.end :] == f"\n{body}\n"
    for slug in slugs_for("facts", event):
        assert is_safe_slug(slug)
        assert not is_daily(f"{slug}.md")
    home = Snapshot(name="ava").with_texts({"memory/facts/a.md": text})
    assert home.notes["memory/facts/a.md"].kind == "note"


@pytest.mark.slow
@settings(max_examples=15)
@given(st.lists(events, max_size=6, unique_by=lambda event: event.id), st.data())
def test_any_source_twice_is_once(tmp_path_factory, source, data):
    """For any events a second run changes no file, in whatever order they come."""
    home = made_home(tmp_path_factory.mktemp("any"), {})
    home.plug(Facts(*source))
    before = notes_of(home)
    again = home.plug(Facts(*data.draw(st.permutations(source))))
    assert (again.added, again.updated, again.left) == (0, 0, ())
    assert notes_of(home) == before
    assert len(before) == len(source)
