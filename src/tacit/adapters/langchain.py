"""A step of a LangChain chain: text, messages or documents go in, the same come out and say less.

    chain = Sanitizer(tacit.CSanitized(protect=["HIV"])) | prompt | model

What goes in together is one document: the messages of a conversation get the same replacement for the same thing. The
metadata of documents is swept of what was removed. If no guarantee can be given, or something is in the input that
Tacit does not read (a picture, the call of a tool), the chain ends with an error and nothing goes on.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from langchain_core.documents import Document as Page
from langchain_core.messages import BaseMessage
from langchain_core.prompt_values import ChatPromptValue, PromptValue, StringPromptValue
from langchain_core.runnables import Runnable, RunnableConfig

from tacit.batch.tables import Columns
from tacit.batch.work import release_row
from tacit.document import Document
from tacit.knowledge import Knowledge
from tacit.models import Model
from tacit.policy import Policy
from tacit.release import sanitize

__all__ = ["Sanitizer"]

_TEXT = "page_content"


class Sanitizer(Runnable[Any, Any]):
    """Releases a string, a prompt, a message, a document, or a list of messages, documents or strings."""

    def __init__(self, models: Model | Sequence[Model] | Policy, knowledge: Knowledge | None = None) -> None:
        self._models = models
        self._knowledge = knowledge

    def invoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> Any:  # noqa: A002 - LangChain's name
        """The input with its texts released."""
        return self._call_with_config(self._released, input, config)

    def _released(self, given: Any) -> Any:
        if isinstance(given, StringPromptValue):
            return StringPromptValue(text=self._released(given.text))
        if isinstance(given, PromptValue):
            return ChatPromptValue(messages=self._together(given.to_messages()))
        if isinstance(given, list | tuple):
            items = list(given)
            if items and all(isinstance(item, Page) for item in items):
                return [self._page(page) for page in items]
            return self._together(items)
        return self._page(given) if isinstance(given, Page) else self._together([given])[0]

    def _together(self, items: Sequence[Any]) -> list[Any]:
        """Strings and messages, as one document of a segment each."""
        document = Document.join((f"message {i}", _text(item)) for i, item in enumerate(items, 1))
        release = sanitize(document, self._models, self._knowledge)
        texts = [release.text[s.start : s.end] for s in release.document.segments]
        return [
            text if isinstance(item, str) else item.model_copy(update={"content": text})
            for item, text in zip(items, texts, strict=True)
        ]

    def _page(self, page: Page) -> Page:
        models = self._models.build() if isinstance(self._models, Policy) else self._models
        several = tuple(models) if isinstance(models, Sequence) else (models,)
        knowledge = self._knowledge if self._knowledge is not None else Knowledge.default()
        cells = {**page.metadata, _TEXT: page.page_content, "id": page.id}
        changed, certificate = release_row(cells, Columns((_TEXT,)), several, knowledge)
        new = {**cells, **changed}
        metadata = {name: new[name] for name in page.metadata} | {"certificate": certificate.to_json()}
        return Page(page_content=new[_TEXT], metadata=metadata, id=new["id"])


def _text(item: Any) -> str:
    """The text of a string or a message; raises for what is more than text."""
    if isinstance(item, str):
        return item
    if not isinstance(item, BaseMessage):
        raise TypeError(f"a {type(item).__name__} is no text, message or document; hand on its text")
    if not isinstance(item.content, str) or item.additional_kwargs or getattr(item, "tool_calls", None):
        raise TypeError(
            f"a {type(item).__name__} has parts that are not read (pictures, calls of tools); hand on text alone"
        )
    return item.content
