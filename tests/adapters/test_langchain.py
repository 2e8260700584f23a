"""A step of a LangChain chain."""

from __future__ import annotations

import asyncio

import pytest

from taciturn import CSanitized, Kinds, Policy, sanitize
from taciturn.models import Denied
from tests.adapters import pages

pytestmark = pytest.mark.slow
HIV = CSanitized(protect=["HIV"])
NOTE = "He got AIDS from a blood transfusion."


def test_texts_prompts_and_messages() -> None:
    pytest.importorskip("langchain_core")
    from langchain_core.messages import AIMessage, HumanMessage
    from langchain_core.prompts import ChatPromptTemplate, PromptTemplate

    from taciturn.adapters.langchain import Sanitizer

    step, released = Sanitizer(HIV), sanitize(NOTE, HIV).text
    assert released != NOTE
    assert step.invoke(NOTE) == released
    assert step.batch([NOTE, "A cat."]) == [released, "A cat."]
    assert asyncio.run(step.ainvoke(NOTE)) == released
    assert (PromptTemplate.from_template("{note}") | step).invoke({"note": NOTE}).text == released
    chat = ChatPromptTemplate.from_messages([("system", "Answer briefly."), ("human", "{note}")])
    assert [m.content for m in (chat | step).invoke({"note": NOTE}).messages] == ["Answer briefly.", released]
    first, second = step.invoke([HumanMessage(NOTE, id="1"), AIMessage("I see.", id="2")])
    assert (type(first), first.content, first.id) == (HumanMessage, released, "1")
    assert (type(second), second.content) == (AIMessage, "I see.")
    people = Sanitizer(Kinds(hide=["person"], mark="kind"))
    assert people.invoke(["Ann Lee called.", "Then John Ford met Ann Lee."]) == [
        "[PERSON 1] called.",
        "Then [PERSON 2] met [PERSON 1].",
    ]


def test_documents_are_swept() -> None:
    pytest.importorskip("langchain_core")
    from langchain_core.documents import Document

    from taciturn.adapters.langchain import Sanitizer

    page = Document(NOTE, metadata={"source": "notes/AIDS-17.txt", "page": 3}, id="n1")
    [released] = Sanitizer(HIV).invoke([page])
    assert released.page_content == sanitize(NOTE, HIV).text
    assert "AIDS" not in str(released)
    assert (released.metadata["page"], released.id) == (3, "n1")
    assert released.metadata["certificate"]["holds"]
    assert page.page_content == NOTE
    own = Document(NOTE, metadata={"id": "row 17", "page_content": "page 3"}, id="n1")
    kept = Sanitizer(HIV).invoke(own)
    assert (kept.id, kept.metadata["id"], kept.metadata["page_content"]) == ("n1", "row 17", "page 3")
    mail = Sanitizer(Policy.load("hipaa-safe-harbor")).invoke(Document("Write to ann@example.org."))
    assert "ann@" not in mail.page_content


def test_nothing_beside_the_text_of_a_message_tells_it() -> None:
    pytest.importorskip("langchain_core")
    from langchain_core.messages import AIMessage, ChatMessage

    from taciturn.adapters.langchain import Sanitizer

    said = {"logprobs": {"content": [{"token": "AIDS"}]}, "finish_reason": "stop"}
    answer = AIMessage(NOTE, name="AIDS-bot", id="AIDS-1", response_metadata=said, additional_kwargs={"refusal": None})
    released = Sanitizer(HIV).invoke([answer, ChatMessage(NOTE, role="AIDS nurse")])
    assert "AIDS" not in str(released)
    # One numbering for all messages of a call: the second mention is "the infection".
    text = sanitize(NOTE, HIV).text
    assert [m.content for m in released] == [text, text.replace(" an ", " the ")]
    assert answer.response_metadata == said


def test_words_of_our_own_refuse_no_document() -> None:
    pytest.importorskip("langchain_core")
    from langchain_core.documents import Document

    from taciturn.adapters.langchain import Sanitizer

    model = Denied(protect=["page content", "metadata id"])
    released = Sanitizer(model).invoke(Document("The page content and the metadata id.", metadata={"row": "17"}))
    assert "content" not in released.page_content
    assert released.metadata["row"] == "17"


def test_what_is_not_read_ends_the_chain() -> None:
    pytest.importorskip("langchain_core")
    from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

    from taciturn.adapters.langchain import Sanitizer

    picture = HumanMessage([{"type": "image_url", "image_url": "x"}])
    call = AIMessage("", tool_calls=[{"name": "find", "args": {"about": "HIV"}, "id": "1"}])
    broken = AIMessage("", invalid_tool_calls=[{"name": "find", "args": "{HIV", "id": "1", "error": None}])
    beside = ToolMessage("A text.", tool_call_id="1", artifact={"whole": "HIV"})
    more = HumanMessage("A text.", about={"whole": "HIV"})
    refusal = AIMessage("A text.", additional_kwargs={"refusal": "HIV"})
    for given in (picture, call, [call], broken, beside, more, refusal, 5, {"note": NOTE}):
        with pytest.raises(TypeError, match="hand on"):
            Sanitizer(HIV).invoke(given)


def test_the_page_says_what_happens() -> None:
    pytest.importorskip("langchain_core")
    sessions = ["import taciturn\n", *pages.blocks("adapters.md", having="langchain")]
    assert pages.run("adapters.md", [">>> " + sessions[0], *sessions[1:]]) == 0
