"""The page that maps ContextSeek to what is here, held against both."""

from __future__ import annotations

import inspect
import re

import pytest
from documents import read_page
from test_docs_settings import known

from toolnexus import Home
from toolnexus.cli.commands import SUMMARIES
from toolnexus.home.layout import DREAM_FILE

PAGE = "docs/contextseek.md"

# What contextseek 0.1.3 has: fields and methods of its client, commands, environment variables,
# and the fields of its strategies that no variable sets.
CALLS = """
adapter resolver embedder summarizer llm llm_prompts evolution_engine audit_log strategy
skill_executor plug add retrieve expand expand_by_ids tools forget delete upstream
evidence_chain chain_confidence overview_from_items overview feedback compact items scope_tree
scope_stats skills skill_tools skill_context dream tag pin from_runtime_config from_settings
"""
COMMANDS = """
add retrieve expand compact forget delete overview tools metrics dream lint feedback upstream
evidence-chain chain-confidence scope-tree scope-stats skill-tools skill-context skill-import
skill-export items init daemon sync
"""
SETTINGS = """
STORAGE_BACKEND STORAGE_PATH STORAGE_URI_SCHEME STORAGE_COLD_BACKEND STORAGE_COLD_PATH
SEEKDB_PATH SEEKDB_HOST SEEKDB_PORT SEEKDB_DATABASE OB_HOST OB_PORT OB_USER OB_PASSWORD
OB_DB_NAME OB_TABLE_NAME EMBEDDING_PROVIDER EMBEDDING_CLASS_PATH EMBEDDING_MODEL EMBEDDING_DIMS
EMBEDDING_BASE_URL EMBEDDING_KWARGS LLM_PROVIDER LLM_CLASS_PATH LLM_MODEL LLM_BASE_URL
LLM_KWARGS SUMMARIZER_PROVIDER SUMMARIZER_L2_MAX_CHARS SUMMARIZER_L1_MAX_CHARS
RETRIEVAL_DEFAULT_K RETRIEVAL_RECALL_ROUTES RETRIEVAL_CANDIDATE_MULTIPLIER
RETRIEVAL_VECTOR_WEIGHT RETRIEVAL_FTS_WEIGHT RETRIEVAL_TERM_WEIGHT RETRIEVAL_RECENCY_WEIGHT
RETRIEVAL_FEEDBACK_WEIGHT RETRIEVAL_ARCHIVE_PENALTY RETRIEVAL_PROVENANCE_WEIGHT
RETRIEVAL_LINK_BOOST RETRIEVAL_LINK_REFUTE_PENALTY RETRIEVAL_LINK_SUPERSEDE_PENALTY
RETRIEVAL_RERANKER_MODE RETRIEVAL_LLM_RERANK_TOP_N EVOLUTION_ENABLED EVOLUTION_DEDUPE_BY_HASH
EVOLUTION_SEMANTIC_MERGE EVOLUTION_SEMANTIC_MERGE_THRESHOLD EVOLUTION_MIN_CLUSTER_SIZE
EVOLUTION_DECAY_HALF_LIFE_DAYS EVOLUTION_EXTRACT_MIN_AGE_SECONDS
EVOLUTION_DISTILL_MIN_USE_COUNT EVOLUTION_DISTILL_MIN_RELEVANCE_BOOST
EVOLUTION_EPHEMERAL_TTL_SECONDS EVOLUTION_LLM_MERGE_ENABLED
EVOLUTION_LLM_CONFLICT_CHECK_ENABLED EVOLUTION_LLM_STAGE_INFER_ENABLED
EVOLUTION_LLM_DISTILL_ENABLED EVOLUTION_LLM_FEEDBACK_ENABLED EVOLUTION_TEXT_EXTRACT_MIN_ACCESS
EVOLUTION_HEURISTIC_DISTILL_MIN_USE EVOLUTION_HEURISTIC_DISTILL_MIN_AGE_DAYS
EVOLUTION_HEURISTIC_DISTILL_MIN_BOOST DREAM_LLM_ENABLED PROMPT_SUMMARIZER_ABSTRACT_TEMPLATE
PROMPT_SUMMARIZER_SUMMARY_TEMPLATE PROMPT_RETRIEVAL_RELEVANCE_TEMPLATE
PROMPT_CONFLICT_JUDGE_TEMPLATE PROMPT_STAGE_CLASSIFIER_TEMPLATE PROMPT_FEEDBACK_TAG_TEMPLATE
PROMPT_MERGE_SYNTHESIS_TEMPLATE PROMPT_DISTILL_CANDIDATE_TEMPLATE
PROMPT_DISTILL_RENDER_TEMPLATE PROMPT_DREAM_CONSOLIDATION_TEMPLATE
PROMPT_DREAM_DIVERGENCE_TEMPLATE SECURITY_ACL_ENABLED SECURITY_ALLOW_ANY_SOURCE
SECURITY_ALLOWED_SOURCES SECURITY_REDACT_SENSITIVE SECURITY_REDACTION_TOKEN
SECURITY_REDACT_FIELDS SECURITY_DROP_FIELDS OBSERVABILITY_AUDIT_ENABLED
OBSERVABILITY_AUDIT_PATH OBSERVABILITY_METRICS_ENABLED OBSERVABILITY_METRICS_PATH
OBSERVABILITY_TRACE_SAMPLE_RATE GEO_ENABLED GEO_GEO_TABLE_NAME GEO_SRID GEO_DEFAULT_RADIUS_KM
GEO_DISTANCE_DECAY_KM GEO_GEO_WEIGHT GEO_ROUTE_SAMPLE_INTERVAL_KM GEO_SPATIAL_MERGE_THRESHOLD_M
LIFECYCLE_INTERVAL_SECONDS LIFECYCLE_AUTO_COMPACT LIFECYCLE_COMPACT_MIN_ITEMS SCOPE_LINT
DEFAULT_SCOPE SKILL_EXPORT_DIR
"""
STRATEGIES = """
conflict_penalty consolidation_max_outputs consolidation_min_access
consolidation_similarity_range consolidation_window_hours cooldown_hours divergence_cross_scope
divergence_enabled divergence_max_outputs divergence_min_clusters divergence_temperature
dream_decay_multiplier dream_initial_confidence dream_stability evidence_quality_weight
evidence_weight importance_alpha importance_floor min_items_for_dream namespace_weights
reverification_threshold rrf_k stage_weights
"""


def rows(heading: str) -> list[tuple[str, str, str]]:
    """Return the rows of a section's table, a heading's left out."""
    section = read_page(PAGE).partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    cells = [line.strip("| ").split(" | ") for line in section.splitlines() if line[:1] == "|"]
    return [(row[0], row[1], row[2] if len(row) > 2 else "") for row in cells[2:]]


def quoted(text: str) -> list[str]:
    return re.findall(r"`([^`]+)`", text)


@pytest.mark.parametrize(
    ("heading", "names"),
    [("Calls", CALLS), ("The command line", COMMANDS), ("Settings", SETTINGS)],
)
def test_every_name_of_contextseek_has_its_row(heading, names):
    """Each call, command and setting of contextseek 0.1.3 stands in the first column, once."""
    listed = [name.removesuffix("()") for first, _, _ in rows(heading) for name in quoted(first)]
    assert sorted(set(listed) - {"ContextSeek"}) == sorted(names.split())
    assert len(listed) == len(set(listed))


def test_strategies_without_a_variable_are_told():
    """What a strategy holds that no variable sets is told below the table."""
    told = set(quoted(read_page(PAGE).partition("Strategies (")[2]))
    assert set(STRATEGIES.split()) <= told


def test_every_name_of_ours_exists():
    """Each method, command and setting in the second column is there; no row lacks its reason."""
    methods = {name for name, _ in inspect.getmembers(Home)}
    arguments = set(inspect.signature(Home.open).parameters)
    settings = known()
    for heading in ("Calls", "The command line", "Settings"):
        for first, ours, why in rows(heading):
            assert quoted(ours) or (ours == "none" and why), first
            for name in quoted(ours):
                if name.startswith("toolnexus "):
                    assert name.removeprefix("toolnexus ") in SUMMARIES, name
                elif name.lower().startswith("home."):
                    assert name.partition(".")[2] in methods, name
                else:
                    assert name in settings | arguments | {DREAM_FILE}, name
