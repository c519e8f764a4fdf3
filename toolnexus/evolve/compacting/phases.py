"""The phases that a model does, or that are left to a person where there is none."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from toolnexus.errors import UsageError
from toolnexus.evolve.compacting.asking import ask, shown
from toolnexus.evolve.compacting.desk import fact_door, merge_door, skill_door
from toolnexus.evolve.compacting.extract import extracted_note
from toolnexus.evolve.compacting.merging import merge_cluster
from toolnexus.evolve.compacting.nearby import find_clusters, group_by_values, may_be_near
from toolnexus.evolve.compacting.types import Due
from toolnexus.evolve.due import distilled_refs, is_due_for_distilling
from toolnexus.home.drafts.draft import Refusal
from toolnexus.home.resolve import resolve_target
from toolnexus.home.ripening import ripening_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from toolnexus.evolve.compacting.extract import Fact
    from toolnexus.evolve.compacting.nearby import Cluster
    from toolnexus.evolve.compacting.work import Thinker, Work

_NO_MODEL = "it is old enough to be extracted, which takes a model"
_LEFT = "it is old enough to be extracted, and is left for the next compaction"
_NO_DRAFT = "it is often used and well rated: a model could draft a skill from it"


def extract_sources(work: Work) -> None:
    """Draw facts out of the sources that are due; without a model they are listed alone."""
    teacher, thinker = work.means.teacher, work.means.thinker
    due = list(teacher.due(work.home))
    if thinker is None:
        work.due += [Due("extract", (source,), _NO_MODEL) for source in due]
        return
    done: set[str] = set()
    for lesson in teacher.lessons(work.home) if due else ():
        facts: list[Fact] = []
        if not ask(work, thinker, "extract", fact_door(work, teacher, facts), lesson.prompt):
            break
        teacher.finish(lesson)
        done.update(lesson.sources)
        _keep(work, facts)
    work.sources = len(done)
    work.due += [Due("extract", (source,), _LEFT) for source in due if source not in done]


def _keep(work: Work, facts: Sequence[Fact]) -> None:
    """Write the facts of each source into a note of their own; doubtful ones wait in another."""
    by_source: defaultdict[tuple[str, bool], list[Fact]] = defaultdict(list)
    for fact in facts:
        by_source[fact.source, bool(fact.doubt)].append(fact)
    for (_, waits), group in by_source.items():
        step = extracted_note(work.home, group, work.means.now)
        if waits:
            work.let_wait(step)
        else:
            work.draft.take(step)


def merge_near(work: Work) -> None:
    """Merge the clusters that a model says are one; without a model each waits for a person.

    Only clusters with a note that is new or changed are looked at: what a compaction leaves behind
    is not compacted further by the next one.
    """
    home, mode = work.home, work.means.mode
    paths = [path for path in home.notes if may_be_near(home, path, work.options.scope)]
    found = find_clusters(
        home,
        group_by_values(home, paths),
        work.means.near,
        work.options.likeness,
        lambda path: work.looked.is_new(mode, path, home.notes[path].digest),
    )
    clusters = [cluster for cluster in found if not work.is_waiting(cluster.paths)]
    work.clusters = len(clusters)
    if work.means.thinker is not None:
        _ask(work, work.means.thinker, clusters)
        return
    for cluster in clusters:
        reason = f"they say nearly the same (cosine {cluster.cosine:.2f}), and the same values"
        try:
            work.let_wait(merge_cluster(work.home, cluster.paths, reason))
        except UsageError as error:
            action = f"merge {', '.join(cluster.paths)}"
            work.refused.append(Refusal(action, str(error), error.hint))


def _ask(work: Work, thinker: Thinker, clusters: Sequence[Cluster]) -> None:
    """Put each cluster to the model; what was left when it stopped is due the next time."""
    for cluster in clusters:
        home = work.home
        notes = [home.notes[path] for path in cluster.paths]
        bodies = [shown(note, home.text(note.path)[note.document.front.end :]) for note in notes]
        if work.is_over or not ask(
            work, thinker, "merge", merge_door(work, cluster), "\n\n".join(bodies)
        ):
            work.undone.update(cluster.paths)


def distil_skills(work: Work) -> None:
    """Have skills drafted from the procedures that are due; without a model they are listed."""
    thinker = work.means.thinker
    for path in list(_due(work)):
        note = work.home.notes[path]
        if thinker is None:
            work.due.append(Due("distil", (path,), _NO_DRAFT))
            continue
        if work.is_over:
            return
        prompt = shown(note, work.home.text(path)[note.document.front.end :])
        if ask(work, thinker, "distil", skill_door(work, path), prompt):
            work.distilled[path] = note.digest


def _due(work: Work) -> Iterator[str]:
    home, tried = work.home, {**work.looked.distilled, **work.distilled}
    candidates = [
        path
        for path, note in home.notes.items()
        if work.covers(path)
        and is_due_for_distilling(
            note, ripening_of(note), work.uses_of(path), work.means.compact.distil_uses
        )
    ]
    if not candidates:
        return
    named = distilled_refs(ripening_of(note) for note in home.notes.values())
    done = {resolve_target(home.names, "", name).path for name in named}
    for path in candidates:
        is_tried = work.means.thinker is not None and tried.get(path) == home.notes[path].digest
        if path not in done and not is_tried:
            yield path
