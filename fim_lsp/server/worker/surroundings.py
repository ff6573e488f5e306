"""The surroundings of a site: the other documents, the project's files, its type checkers."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial

from fim_lsp.checkers.advice import Checkers
from fim_lsp.context.snippet import Context
from fim_lsp.declared.advice import Declared, has_declarations
from fim_lsp.decoding.writing.advised import Adviser
from fim_lsp.known_languages import PYTHON, KnownLanguage
from fim_lsp.server.worker.attempt import Attempt
from fim_lsp.server.worker.calls import Calls
from fim_lsp.server.worker.choosing import show_part
from fim_lsp.server.worker.kept_texts import KeptTexts
from fim_lsp.server.worker.ladder import Footing
from fim_lsp.server.worker.messages import Wishes
from fim_lsp.server.worker.missing_import import MissingImports
from fim_lsp.server.worker.offer_request import OfferRequest
from fim_lsp.server.worker.project_context import ProjectContext
from fim_lsp.server.worker.site import Site
from fim_lsp.server.worker.with_model import is_package


@dataclass(slots=True)
class Surroundings:
    texts: KeptTexts = field(default_factory=KeptTexts)
    project_context: ProjectContext = field(default_factory=ProjectContext)
    imports: MissingImports = field(default_factory=MissingImports)
    checkers: Checkers = field(default_factory=Checkers)

    def attempt(
        self, footing: Footing, request: OfferRequest, without_imports: Footing | None = None
    ) -> Attempt:
        """An attempt with all known facts."""
        site, wishes = request.site, request.wishes
        adviser = self.adviser(site, wishes)
        return Attempt(
            footing,
            request,
            request.show and partial(show_part, request.show, without_imports or footing, wishes, adviser),
            without_imports,
            partial(self.context, site) if knows_files_of(site.known_language) else None,
            adviser,
            self.imports.of(site.uri).parts(site.uri) if is_package(site.uri) else None,
            partial(self.imports.openings, site.uri),
        )

    def context(self, site: Site) -> Context:
        """The context of the project's other files for a model."""
        opened = self.texts.beside(site.uri)
        return self.project_context.context(site.uri, site.left, site.right, opened, site.known_language)

    def adviser(self, site: Site, wishes: Wishes) -> Adviser | None:
        """The adviser on types at a place, or on declared names."""
        if has_declarations(site.known_language) and wishes.names:
            hole = site.hole
            opened = self.texts.beside(site.uri)
            return Declared(site.text, hole.start, hole.stop, hole.begun, opened=opened)
        if site.known_language is not PYTHON:
            return None
        checker = self.checkers.advice(site.uri, site.left, site.right, wishes.is_asked)
        if not wishes.names:
            return checker
        return Calls(site.text, site.hole.start, site.hole.stop, site.hole.begun, checker)

    def forget(self, uri: str) -> None:
        """Drops the state of a closed document."""
        self.texts.forget(uri)
        self.project_context.forget(uri)
        self.imports.forget(uri)
        self.checkers.close(uri)


def knows_files_of(known_language: KnownLanguage) -> bool:
    """Whether the related files of a document in a language are known."""
    return known_language is PYTHON or has_declarations(known_language)
