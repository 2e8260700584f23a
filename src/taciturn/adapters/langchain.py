"""A step of a LangChain chain: text, messages or documents go in, the same come out and say less.

    chain = Sanitizer(taciturn.CSanitized(protect=["HIV"])) | prompt | model

What goes in together is one document: the messages of a conversation get the same replacement for the same thing. The
metadata of documents and the names in messages are swept of what was removed. If no guarantee can be given, or
something is in the input that Taciturn does not read (a picture, the call of a tool), the chain ends with an error and
nothing goes on.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from langchain_core.documents import Document as Page
from langchain_core.messages import BaseMessage
from langchain_core.prompt_values import ChatPromptValue, PromptValue, StringPromptValue
from langchain_core.runnables import Runnable, RunnableConfig

from taciturn.batch.tables import Columns
from taciturn.batch.work import release_row
from taciturn.document import Document
from taciturn.formats.sweep import Sweeper, removed, to_sweep
from taciturn.knowledge import Knowledge
from taciturn.release import ModelsLike, sanitize, several_models

__all__ = ["Sanitizer"]

_TEXT, _ID, _OTHER = (
    "#",
    "##",
    "###",
)  # cells of a document: signs, for words would be looked for like those of the text
_UNREAD = ("tool_calls", "invalid_tool_calls", "tool_call_chunks", "artifact", "model_extra")


class Sanitizer(Runnable[Any, Any]):
    """Releases a string, a prompt, a message, a document, or a list of messages, documents or strings."""

    def __init__(self, models: ModelsLike, knowledge: Knowledge | None = None) -> None:
        self._models = several_models(models)
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
        sweeper = Sweeper(to_sweep(release.applied, removed(release.applied)))
        return [
            text if isinstance(item, str) else _message(item, text, sweeper)
            for item, text in zip(items, texts, strict=True)
        ]

    def _page(self, page: Page) -> Page:
        knowledge = self._knowledge if self._knowledge is not None else Knowledge.default()
        names = {name: f"{_OTHER}{name}" for name in page.metadata}
        cells = {names[n]: value for n, value in page.metadata.items()} | {_TEXT: page.page_content, _ID: page.id}
        changed, certificate = release_row(cells, Columns((_TEXT,)), self._models, knowledge)
        new = {**cells, **changed}
        metadata = {n: new[names[n]] for n in page.metadata} | {"certificate": certificate.to_json()}
        return Page(page_content=new[_TEXT], metadata=metadata, id=new[_ID])


def _message(item: BaseMessage, text: str, sweeper: Sweeper) -> BaseMessage:
    """A message with another text, its other strings swept, without the metadata of the answer that it was: the
    probabilities there quote every token."""
    strings = {name: value for name, value in item if isinstance(value, str) and name != "type"}
    swept = {name: sweeper.clean(value) for name, value in strings.items()}
    return item.model_copy(update={**swept, "content": text, "response_metadata": {}})


def _text(item: Any) -> str:
    """The text of a string or a message; raises for what is more than text."""
    if isinstance(item, str):
        return item
    if not isinstance(item, BaseMessage):
        raise TypeError(f"a {type(item).__name__} is no text, message or document; hand on its text")
    unread = (*item.additional_kwargs.values(), *(getattr(item, part, None) for part in _UNREAD))
    if not isinstance(item.content, str) or any(unread):
        raise TypeError(
            f"a {type(item).__name__} has parts that are not read (pictures, calls of tools); hand on text alone"
        )
    return item.content
