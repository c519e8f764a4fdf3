"""basic-memory, full text alone, through the parts that its own commands are made of."""

from __future__ import annotations

import asyncio
from pathlib import Path

PROJECT = "main"


class Driver:
    """Its one project, which is the vault."""

    def open(self, vault: str, state: str) -> None:
        """Open its database, and let it know the project."""
        from loguru import logger

        logger.remove()
        Path(state, "config").mkdir(parents=True, exist_ok=True)
        self.vault = vault
        self.loop = asyncio.new_event_loop()
        self.loop.run_until_complete(self._open())
        self.added = 0

    def index(self) -> int:
        """Index what is new or changed, as its command `reindex` does; return how many files."""
        return self.loop.run_until_complete(self._index())

    refresh = index

    def search(self, query: str) -> int:
        """Search what is indexed."""
        from basic_memory.schemas.search import SearchQuery

        words = SearchQuery(text=query.replace('"', " "))
        return len(self.loop.run_until_complete(self.searching.search(words, limit=8)))

    def find(self, query: str) -> int:
        """Look for what changed, index it, and search."""
        self.index()
        return self.search(query)

    def add(self, text: str) -> None:
        """Write a note, as its tool for agents does."""
        from basic_memory.mcp.tools import write_note

        self.added += 1
        call = getattr(write_note, "fn", write_note)
        said = self.loop.run_until_complete(
            call(title=f"Added {self.added}", content=text, directory="memory", project=PROJECT)
        )
        if "error" in str(said).lower():
            raise RuntimeError(said)

    async def _open(self) -> None:
        from basic_memory import db
        from basic_memory.config import ConfigManager
        from basic_memory.markdown.entity_parser import EntityParser
        from basic_memory.markdown.markdown_processor import MarkdownProcessor
        from basic_memory.repository import EntityRepository, ProjectRepository
        from basic_memory.repository.search_repository import create_search_repository
        from basic_memory.services.file_service import FileService
        from basic_memory.services.initialization import reconcile_projects_with_config
        from basic_memory.services.search_service import SearchService

        config = ConfigManager().config
        await reconcile_projects_with_config(config)
        _, sessions = await db.get_or_create_db(
            db_path=config.database_path, db_type=db.DatabaseType.FILESYSTEM
        )
        async with db.scoped_session(sessions) as session:
            projects = await ProjectRepository().get_active_projects(session)
        self.project = next(each for each in projects if each.path == self.vault)
        processor = MarkdownProcessor(EntityParser(Path(self.vault)), app_config=config)
        self.searching = SearchService(
            create_search_repository(sessions, project_id=self.project.id, app_config=config),
            EntityRepository(project_id=self.project.id),
            FileService(Path(self.vault), processor, app_config=config),
            session_maker=sessions,
        )

    async def _index(self) -> int:
        from basic_memory.index.local_project import (
            LocalProjectIndexRuntimeFactory,
            run_local_project_index_for_project,
        )

        done = await run_local_project_index_for_project(
            self.project, runtime_factory=LocalProjectIndexRuntimeFactory(), embeddings=False
        )
        return int(done.enqueued_files)
