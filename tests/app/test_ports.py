"""What the ports do, ours does too, by the same names; and not what they do badly."""

from __future__ import annotations

import subprocess
import sys

import pytest
from small_homes import write_files
from talking_homes import FILES, MORNING, Listing

import toolnexus
from toolnexus import (
    FileConversationStore,
    Home,
    dreamer,
    from_dir,
    heartbeat_prompt,
    memory_tool,
    run,
    start_agent,
)
from toolnexus.errors import HomeError, ToolnexusError, UsageError
from toolnexus.home.layout import SOUL_FILES
from toolnexus.testing.clock import VirtualClock
from toolnexus.testing.model import ScriptedModel, call, use

MOVED = {"role": "user", "content": "We moved to Berlin.", "ts": "2026-11-20T14:00:00Z"}


@pytest.fixture
def ava(tmp_path, monkeypatch):
    """A small persona's folder."""
    monkeypatch.delenv("TOOLNEXUS_MODEL", raising=False)
    return write_files(tmp_path / "ava", FILES)


@pytest.fixture
def store(ava):
    """The persona's own conversations."""
    found = FileConversationStore(ava / "transcripts")
    found.append("move", MOVED)
    return found


def system_prompt(model: ScriptedModel, number: int = 0) -> str:
    return model.requests[number].messages[0].text


def tools_sent(model: ScriptedModel) -> set[str]:
    return {tool.name for tool in model.requests[0].tools}


# What is composed


def test_only_files_that_exist_are_composed_in_order(ava):
    """The prompt has a section for each soul file that is there, in the canonical order."""
    for name in reversed(SOUL_FILES):
        if name not in {"IDENTITY.md", "TOOLS.md"}:
            (ava / name).write_text(f"About {name}.\n")
    headings = [line for line in from_dir(ava).soul.splitlines() if line.startswith("## ")]
    wanted = [name for name in SOUL_FILES if name not in {"IDENTITY.md", "TOOLS.md"}]
    assert headings == [f"## {name}" for name in wanted]


def test_the_composed_text_is_what_the_model_gets(ava):
    """The system prompt is the soul, and nothing else."""
    model = ScriptedModel("Hello.")
    agent = from_dir(ava, model=model)
    assert run(agent, "hi").text == "Hello."
    assert system_prompt(model) == agent.soul


@pytest.mark.slow
def test_a_file_of_3_mb_gives_a_bounded_section(ava):
    """The prompt is cut with a notice, and the file on the disk stays whole."""
    (ava / "SOUL.md").write_text("A line of it.\n" * 230_000)
    size = (ava / "SOUL.md").stat().st_size
    soul = from_dir(ava).soul
    assert len(soul.encode()) <= 262_144
    assert "cut here" in soul
    assert (ava / "SOUL.md").stat().st_size == size > 3_000_000


def test_the_whole_prompt_has_a_bound(ava):
    """Seven large files together stay under the bound of the soul."""
    for name in SOUL_FILES:
        (ava / name).write_text("A line of it.\n" * 20_000)
    assert len(from_dir(ava, memory_index_cap=False).soul.encode()) <= 262_144


def test_the_cap_of_the_index_can_be_left_out(ava):
    """MEMORY.md over its cap is cut in the prompt, unless that is turned off."""
    (ava / "MEMORY.md").write_text("".join(f"- Fact number {n}.\n" for n in range(300)))
    assert "Fact number 299." not in from_dir(ava).soul
    assert "over its cap" in from_dir(ava).soul
    assert "Fact number 299." in from_dir(ava, memory_index_cap=False).soul


# The memory tool


def test_the_memory_tool_adds_replaces_and_removes(ava):
    """What it does is on the disk; for the user it is in USER.md."""
    tool = memory_tool(ava)
    tool.call({"action": "add", "text": "Has a cat."})
    tool.call({"action": "add", "text": "Is called Maria.", "target": "user"})
    assert "- Has a cat.\n" in (ava / "MEMORY.md").read_text()
    assert "Is called Maria." in (ava / "USER.md").read_text()
    tool.call({"action": "replace", "text": "Has a cat.", "with": "Has a dog."})
    assert "Has a dog." in (ava / "MEMORY.md").read_text()
    tool.call({"action": "remove", "text": "Has a dog."})
    assert (ava / "MEMORY.md").read_text() == FILES["MEMORY.md"]


@pytest.mark.parametrize(
    "arguments",
    [
        {"action": "replace", "text": "Has a horse.", "with": "x"},
        {"action": "remove", "text": "Has a horse."},
        {"action": "add", "text": "x", "target": "nowhere"},
        {"action": "forget", "text": "x"},
        {"action": "add", "text": " "},
    ],
)
def test_a_miss_is_an_error(ava, arguments):
    """What is not there, an unknown target or action, an empty text: an error, and no change."""
    with pytest.raises(UsageError):
        memory_tool(ava).call(arguments)
    assert (ava / "MEMORY.md").read_text() == FILES["MEMORY.md"]
    assert not (ava / "USER.md").exists()


def test_replace_changes_one_claim_and_whole_words(ava):
    """A text that stands in several claims is an error, and part of a word is none."""
    (ava / "MEMORY.md").write_text("- Likes tea.\n- Teal is her colour.\n- More tea, always.\n")
    before = (ava / "MEMORY.md").read_text()
    tool = memory_tool(ava)
    with pytest.raises(UsageError):
        tool.call({"action": "replace", "text": "tea", "with": "coffee"})
    assert (ava / "MEMORY.md").read_text() == before
    tool.call({"action": "replace", "text": "Likes tea.", "with": "Likes coffee."})
    assert "Teal is her colour.\n- More tea, always." in (ava / "MEMORY.md").read_text()


def test_a_write_during_a_run_shows_in_the_next_persona(ava):
    """It is on the disk at once; the live prompt stays; a persona built afterwards knows."""
    model = ScriptedModel(use(call("memory", action="add", text="Has a cat.")), "Noted.", "Yes.")
    agent = from_dir(ava, model=model)
    run(agent, "I have a cat.")
    assert "Has a cat." in (ava / "MEMORY.md").read_text()
    run(agent, "Do I?")
    assert "Has a cat." not in system_prompt(model, 2) + agent.soul
    assert "Has a cat." in from_dir(ava).soul


@pytest.mark.parametrize(
    ("options", "names"),
    [
        ({}, {"memory", "note_search", "transcript_search"}),
        ({"memory": False}, {"note_search", "transcript_search"}),
        ({"notes": False}, {"memory", "transcript_search"}),
    ],
)
def test_tiers_of_memory_can_be_left_out(ava, options, names):
    """With memory off there is no such tool, and without notes it reaches the two files alone."""
    model = ScriptedModel("Hello.")
    agent = from_dir(ava, model=model, **options)
    run(agent, "hi")
    assert set(agent.tools) == tools_sent(model) == names
    if names == {"memory", "transcript_search"}:
        with pytest.raises(UsageError):
            agent.tools["memory"].call({"action": "read", "target": "tea"})
        assert "Likes tea" in str(agent.tools["memory"].call({"action": "read"}))


# The heartbeat


def test_a_due_beat_reports_real_text_and_an_idle_one_nothing(ava):
    """Text is handed on; the token alone, or nothing to do, is not; stopping ends it."""
    model = ScriptedModel("The parcel is here.", "HEARTBEAT_OK", default="HEARTBEAT_OK")
    clock = VirtualClock(MORNING)
    (ava / "HEARTBEAT.md").write_text("Look for parcels.\n")
    said: list[str] = []
    agent = from_dir(ava, model=model, clock=clock)
    on_beat = lambda beat: said.append(str(beat))  # noqa: E731
    with start_agent(agent, every_ms=60_000, on_beat=on_beat) as started:
        for _ in range(3):
            clock.advance(seconds=60)
            assert started.settle()
    clock.advance(seconds=600)
    assert (said, len(model.requests)) == (["The parcel is here."], 3)
    assert heartbeat_prompt() in model.requests[0].messages[1].text


def test_an_alert_that_mentions_the_token_is_delivered(ava):
    """Only the token and nothing else is silence."""
    alert = "Not HEARTBEAT_OK: the cellar is wet."
    (ava / "HEARTBEAT.md").write_text("Look into the cellar.\n")
    said: list[str] = []
    agent = from_dir(ava, model=ScriptedModel(alert), clock=VirtualClock(MORNING))
    with start_agent(agent, every_ms=60_000, on_beat=lambda b: said.append(b.reply)) as started:
        started.wake()
        assert started.settle()
    assert said == [alert]


def test_heartbeat_instructions_are_read_at_every_beat(ava):
    """HEARTBEAT.md edited while the persona runs is what the next beat goes by."""
    model = ScriptedModel(default="HEARTBEAT_OK")
    agent = from_dir(ava, model=model, clock=VirtualClock(MORNING))
    with start_agent(agent, every_ms=60_000) as started:
        for task in ("Look for parcels.", "Look into the cellar."):
            (ava / "HEARTBEAT.md").write_text(f"{task}\n")
            started.wake()
            assert started.settle()
    prompts = [system_prompt(model, number) for number in range(2)]
    assert ["parcels" in prompts[0], "cellar" in prompts[1]] == [True, True]
    assert "parcels" not in prompts[1]


def test_what_a_beat_said_outlives_the_program(ava):
    """The delivered turn stands in the transcripts, for another process to read."""
    (ava / "HEARTBEAT.md").write_text("Look.\n")
    agent = from_dir(ava, model=ScriptedModel("Here."), clock=VirtualClock(MORNING))
    with start_agent(agent, every_ms=60_000) as started:
        started.wake()
        assert started.settle()
    [turn] = FileConversationStore(ava / "transcripts").get("heartbeat").turns
    assert (turn.text, turn.record["unprompted"]) == ("Here.", True)


@pytest.mark.parametrize("every_ms", [0, -1, -0.5, float("nan"), True, "60", 1e30, 1e-9])
def test_every_ms_is_above_zero(ava, store, every_ms):
    """A pace of zero, below it, or that is no number is refused, for beats and for dreams."""
    with pytest.raises(UsageError, match="every_ms"):
        start_agent(from_dir(ava), every_ms=every_ms)
    with pytest.raises(UsageError, match="every_ms"):
        from_dir(ava, dream={"every_ms": every_ms, "store": store})


# The dreamer


def test_a_dreamer_needs_a_store_that_can_list(ava):
    """Without a store, or with one that cannot list, none is built."""

    class Blind:
        def get(self, conversation: str) -> None:
            """Know nothing."""

    for broken in (None, Blind(), "transcripts"):
        with pytest.raises(UsageError, match="store"):
            dreamer(ava, store=broken)
        with pytest.raises(UsageError, match="store"):
            from_dir(ava, dream={"every_ms": 1_000, "store": broken})
    with pytest.raises(UsageError, match="store"):
        Home.open(ava, store=Blind())


def test_a_dreamer_has_two_tools_and_one_section(ava, store):
    """Its tools are memory and the search; its soul is the dream prompt, DREAM.md, instructions."""
    (ava / "DREAM.md").write_text("# Guidance\n\nKeep birthdays.\n")
    made = dreamer(ava, store=store, instructions="Be brief.")
    (ava / "DREAM.md").write_text("Changed since.\n")
    assert set(made.tools) == {"memory", "transcript_search"}
    assert [line for line in made.soul.splitlines() if line.startswith("## ")] == [
        "## HEARTBEAT.md"
    ]
    assert made.soul.index("Keep birthdays.") < made.soul.index("Be brief.")
    assert made.soul.endswith("Be brief.")
    with pytest.raises(UsageError):
        made.tools["memory"].call({"action": "add", "text": "Made up."})
    assert "Likes tea" in str(made.tools["memory"].call({"action": "read"}))


def test_the_defaults_of_a_dreamer(ava, store):
    """It is named after the folder and thinks as the persona does; both can be said."""
    made = dreamer(ava, store=store)
    assert (made.name, made.model) == ("ava-dreamer", "inherit")
    model = ScriptedModel()
    named = dreamer(ava, store=store, name="night", model=model)
    assert (named.name, named.model) == ("night", model)


def test_a_dreamer_asks_under_the_soul_it_was_built_with(ava, store):
    """A whole pass is made, whatever the prompt, with exactly its two tools."""
    (ava / "MEMORY.md").write_text("- Maria lives in Paris.\n")
    (ava / "DREAM.md").write_text("Keep birthdays.\n")
    model = ScriptedModel(default="HEARTBEAT_OK")
    made = dreamer(ava, store=store, model=model)
    (ava / "DREAM.md").write_text("Changed since.\n")
    reply = run(made, "anything")
    assert reply.text == "HEARTBEAT_OK"
    assert reply.usage.model_calls == len(model.requests) > 0
    assert system_prompt(model) == made.soul
    assert tools_sent(model) == {"memory", "transcript_search"}


@pytest.mark.parametrize("kind", ["own", "elsewhere", "host"])
def test_a_dream_corrects_by_what_its_store_says(ava, store, tmp_path, kind):
    """The evidence may lie in the home, in another folder, or in any store with get and list."""
    (ava / "MEMORY.md").write_text("- Maria lives in Paris.\n")
    moved = {**MOVED, "content": "Maria lives in Berlin now, no longer in Paris."}
    stores = {
        "own": store,
        "elsewhere": FileConversationStore(tmp_path / "talks"),
        "host": Listing(),
    }
    if kind == "host":
        stores[kind].said["move"] = [moved]
    else:
        stores[kind].save("move", [moved])
    evidence = [{"conversation": "move", "turn": 1, "quote": moved["content"]}]
    correction = use(
        call(
            "memory",
            action="replace",
            text="Maria lives in Paris.",
            with_="Maria lives in Berlin.",
            evidence=evidence,
        )
    )
    model = ScriptedModel(correction, default="HEARTBEAT_OK")
    reply = run(dreamer(ava, store=stores[kind], model=model))
    assert reply.text == "1 corrected"
    assert (ava / "MEMORY.md").read_text() == "- Maria lives in Berlin.\n"


def test_a_pass_with_nothing_to_change_writes_nothing(ava, store):
    """It replies with the token, and no file of the home is touched."""
    files = {p: p.stat().st_mtime_ns for p in ava.rglob("*.md")}
    reply = run(dreamer(ava, store=store, model=ScriptedModel(default="HEARTBEAT_OK")))
    assert reply.text == "HEARTBEAT_OK"
    assert {p: p.stat().st_mtime_ns for p in ava.rglob("*.md")} == files


def test_a_started_persona_dreams_and_its_dreamer_stops_with_it(ava, store):
    """Its dreams come at their own pace, by its store and instructions, until it is stopped."""
    (ava / "memory").mkdir()
    (ava / "memory/green-teas.md").write_text("- Sencha.\n")
    (ava / "MEMORY.md").write_text("- Drinks [[gren-teas]].\n")
    clock = VirtualClock(MORNING)
    thinks = ScriptedModel(default="HEARTBEAT_OK")
    plan = {"every_ms": 3_600_000, "store": store, "instructions": "Be brief.", "model": thinks}
    agent = from_dir(ava, model="none", clock=clock, dream=plan)
    said: list[str] = []
    on_beat = lambda done: said.append(str(done))  # noqa: E731
    with start_agent(agent, every_ms=60_000, on_beat=on_beat) as started:
        clock.advance(hours=1)
        assert started.settle()
    assert said == ["1 link repaired"]
    asked = len(thinks.requests)
    clock.advance(hours=9)
    assert len(thinks.requests) == asked
    assert all("Be brief." in request.messages[0].text for request in thinks.requests)


def test_a_dreamer_can_be_started_alone(ava, store):
    """Given a dreamer, its passes come at the pace."""
    (ava / "memory").mkdir()
    (ava / "memory/green-teas.md").write_text("- Sencha.\n")
    (ava / "MEMORY.md").write_text("- Drinks [[gren-teas]].\n")
    clock = VirtualClock(MORNING)
    made = dreamer(ava, store=store, model="none", clock=clock)
    said: list[str] = []
    with start_agent(made, every_ms=1_000, on_beat=lambda d: said.append(str(d))) as started:
        clock.advance(seconds=1)
        assert started.settle()
        clock.advance(seconds=1)
        assert started.settle()
    assert said == ["1 link repaired"]


def test_leaving_dreaming_out_changes_nothing(ava):
    """Without `dream` no pass is ever made."""
    clock = VirtualClock(MORNING)
    agent = from_dir(ava, model="none", clock=clock)
    assert agent.dream is None
    with start_agent(agent, every_ms=60_000) as started:
        clock.advance(days=9)
        assert started.settle()
    assert agent.home.log() == []
    assert agent.home.store.read_state("dream-last") is None


# What the ports do badly


def test_a_missing_folder_makes_no_persona(tmp_path):
    """Neither a persona nor a dreamer is built of a folder that is not there or is no home."""
    (tmp_path / "empty").mkdir()
    for name in ("missing", "empty"):
        with pytest.raises(HomeError):
            from_dir(tmp_path / name)
        with pytest.raises(HomeError):
            dreamer(tmp_path / name, store=Listing())
    assert not (tmp_path / "missing").exists()


def test_a_home_does_as_well(ava):
    """A home is asked and started; one without a model is an error and not silence."""
    assert run(Home.open(ava, model=ScriptedModel("Hello.")), "hi").text == "Hello."
    with start_agent(Home.open(ava, model="none"), every_ms=1_000) as started:
        started.wake()
        assert started.settle()
    with pytest.raises(ToolnexusError):
        run(from_dir(ava), "hi")


def test_every_public_name_is_there():
    """What the package offers can be imported, and is listed."""
    assert all(getattr(toolnexus, name) is not None for name in toolnexus.__all__)
    assert set(toolnexus.__all__) <= set(dir(toolnexus))


def test_the_public_names_load_no_vendor():
    """Importing all that the package offers brings in no vector store and no model library."""
    script = "import sys; from toolnexus import *; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    loaded = set(done.stdout.split())
    assert {"toolnexus.app.home", "toolnexus.app.ports", "toolnexus.app.homes"} <= loaded
    assert not loaded & {"chromadb", "litellm", "httpx", "numpy", "onnxruntime"}
