// The keyboard and the mouse: which term is current, and what is asked of the server. All state is the server's.
"use strict";

(function () {
  // The page says whether keys are heard and nothing is under way: data-ready on the body.
  let underWay = 0;
  const ready = () => { document.body.dataset.ready = underWay ? "no" : "yes"; };

  const desk = document.getElementById("desk");
  if (!desk) return queue();

  const root = "/d/" + desk.dataset.document;
  const original = document.getElementById("original");
  const released = document.getElementById("released");
  const find = document.getElementById("find");
  let at = "";          // the current span, "start-end"
  let everyTerm = false; // does j walk over terms that are not changed?
  let busy = false;

  const start = (span) => Number(span.split("-")[0]);
  const terms = () => Array.from(original.querySelectorAll("[data-at]"));

  function walked() {
    return terms().filter((t) => everyTerm || !t.classList.contains("open") || t.classList.contains("bad"));
  }

  function element(span) {
    if (!span) return null;
    return original.querySelector('[data-at="' + span + '"]');
  }

  function show(target, scroll) {
    original.querySelectorAll("[aria-current]").forEach((t) => {
      t.removeAttribute("aria-current");
      t.tabIndex = -1;
    });
    if (!target) return;
    original.querySelectorAll('[data-at="' + target.dataset.at + '"]').forEach((t) => t.setAttribute("aria-current", "true"));
    target.tabIndex = 0;
    target.focus({ preventScroll: true });
    if (!scroll) return;
    target.scrollIntoView({ block: "nearest" });
    const block = target.closest(".block");
    const twin = block && document.getElementById("r" + block.id.slice(1));
    if (twin) twin.scrollIntoView({ block: "nearest" });
  }

  function follow(request) {
    underWay += 1;
    ready();
    return request.finally(() => { underWay -= 1; ready(); });
  }

  function choose(target) {
    if (!target) return;
    at = target.dataset.at;
    show(target, true);
    follow(htmx.ajax("GET", root + "/card?at=" + at, { target: "#card", swap: "innerHTML", source: "#card" }));
  }

  function walk(by, only) {
    const list = only ? terms().filter((t) => t.classList.contains("bad")) : walked();
    if (!list.length) return;
    const seen = new Set();
    const stops = list.filter((t) => !seen.has(t.dataset.at) && seen.add(t.dataset.at));
    let i = stops.findIndex((t) => t.dataset.at === at);
    if (i >= 0) i += by;
    else if (at) {
      i = stops.findIndex((t) => start(t.dataset.at) >= start(at));
      if (i < 0) i = stops.length;
      if (by < 0) i -= 1;
    } else i = by > 0 ? 0 : stops.length - 1;
    choose(stops[(i + stops.length) % stops.length]);
  }

  function revision() {
    return document.getElementById("status").dataset.revision;
  }

  function post(path, values, then) {
    if (busy) return;
    busy = true;
    const sent = { target: "#card", swap: "innerHTML", source: "#card", values: { revision: revision(), at: at, ...values } };
    follow(htmx.ajax("POST", root + path, sent).then(() => { if (then) then(); })).finally(() => { busy = false; });
  }

  function everywhere(shift) {
    const box = document.getElementById("everywhere");
    return shift || (box && box.checked) ? "true" : "false";
  }

  function decide(action, shift, more) {
    if (!at) return walk(1);
    const code = document.getElementById("code");
    const values = { action: action, at: at, everywhere: everywhere(shift), code: code ? code.value : "", ...more };
    post("/decide", values, action === "accept" ? () => walk(1) : null);
  }

  // Offsets count characters of the document, not UTF-16 units, from the start of the block.
  function offset(node, inside) {
    const block = (node.nodeType === 1 ? node : node.parentElement).closest("#original .block");
    if (!block) return null;
    const range = document.createRange();
    range.setStart(block, 0);
    range.setEnd(node, inside);
    return Number(block.dataset.start) + Array.from(range.toString()).length;
  }

  function selected() {
    const selection = window.getSelection();
    if (!selection.rangeCount || selection.isCollapsed) return null;
    const range = selection.getRangeAt(0);
    const first = offset(range.startContainer, range.startOffset);
    const last = offset(range.endContainer, range.endOffset);
    return first === null || last === null || first >= last ? null : first + "-" + last;
  }

  function markSelection(shift) {
    const span = selected();
    if (!span) return say("Select the missed words in the original first, then press m.");
    at = span;
    const code = document.getElementById("code");
    post("/decide", { action: "mark", at: span, everywhere: everywhere(shift), code: code ? code.value : "" });
    window.getSelection().removeAllRanges();
  }

  function say(text) {
    const line = document.getElementById("effect");
    line.className = "effect";
    line.textContent = text;
  }

  function search(text) {
    const wanted = text.trim().toLowerCase();
    if (!wanted) return;
    const list = terms();
    const from = list.findIndex((t) => t.dataset.at === at) + 1;
    const order = list.slice(from).concat(list.slice(0, from));
    const hit = order.find((t) => (t.textContent || "").toLowerCase().includes(wanted));
    if (hit) {
      choose(hit);
      find.focus();
      return;
    }
    for (const block of original.querySelectorAll(".block")) {
      const i = block.textContent.toLowerCase().indexOf(wanted);
      if (i >= 0 && selectIn(block, i, wanted.length)) {
        block.scrollIntoView({ block: "center" });
        find.blur();
        return say("Found outside all terms and selected; press m to redact it.");
      }
    }
    say("'" + text.trim() + "' is not in the document.");
  }

  function selectIn(block, from, length) {
    const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    let seen = 0;
    let open = false;
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const end = seen + node.data.length;
      if (!open && from < end) { range.setStart(node, from - seen); open = true; }
      if (open && from + length <= end) {
        range.setEnd(node, from + length - seen);
        const selection = window.getSelection();
        selection.removeAllRanges();
        selection.addRange(range);
        return true;
      }
      seen = end;
    }
    return false;
  }

  const keys = {
    j: () => walk(1), k: () => walk(-1), n: () => walk(1, true),
    a: (s) => decide("accept", s), o: (s) => decide("keep", s), r: (s) => decide("redact", s), g: (s) => decide("rung", s),
    m: (s) => markSelection(s), u: () => post("/undo", {}), y: () => post("/redo", {}),
    t: () => { everyTerm = !everyTerm; say(everyTerm ? "j and k walk over every term." : "j and k walk over what is changed."); },
    "/": () => find.focus(), "?": () => document.getElementById("help").showModal(),
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    const field = event.target.closest("input, textarea, select");
    if (field) {
      if (event.key === "Escape") { field.blur(); event.preventDefault(); }
      if (field.type !== "checkbox") return;
    }
    if (event.key === "Enter" || event.key === " ") {
      const term = event.target.closest("[data-at], .point");
      if (term) { event.preventDefault(); term.dispatchEvent(new MouseEvent("click", { bubbles: true })); }
      return;
    }
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (!keys[key]) return;
    event.preventDefault();
    keys[key](event.shiftKey && key !== "?");
  });

  document.addEventListener("click", (event) => {
    const target = event.target;
    const term = target.closest("#original [data-at]");
    if (term) { if (!selected()) choose(term); return; }
    const button = target.closest("[data-decide]");
    if (button) return decide(button.dataset.decide, event.shiftKey);
    const rung = target.closest("[data-label]");
    if (rung) return decide("replace", event.shiftKey, { label: rung.dataset.label });
    const step = target.closest("[data-do]");
    if (step) return post("/" + step.dataset.do, {});
    const point = target.closest(".point");
    if (point) return post("/dial", { model: point.dataset.model, parameter: point.dataset.parameter, value: point.dataset.value });
    const opener = target.closest("[data-open]");
    if (opener) document.getElementById(opener.dataset.open).showModal();
  });

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.id === "search") { event.preventDefault(); search(find.value); }
    if (form.id === "own") {
      event.preventDefault();
      decide("replace", false, { label: document.getElementById("words").value });
    }
    if (form.classList.contains("turn")) {
      event.preventDefault();
      post("/dial", { model: form.dataset.model, parameter: form.dataset.parameter, value: form.querySelector("input").value });
    }
  });

  // A step replaces blocks, and with them the current term: find it again, by its span or by where it begins.
  document.body.addEventListener("htmx:afterSettle", () => {
    if (!at || document.querySelector("dialog[open]")) return;
    const field = document.activeElement && document.activeElement.closest("input, textarea, select");
    const same = element(at);
    const target = same || terms().find((t) => start(t.dataset.at) <= start(at) && Number(t.dataset.at.split("-")[1]) > start(at));
    if (!target) return;
    at = target.dataset.at;
    if (field) return;
    if (!target.hasAttribute("aria-current")) show(target, false);
  });

  document.body.addEventListener("htmx:responseError", (event) => {
    let text = "The server refused this.";
    try { text = JSON.parse(event.detail.xhr.responseText).detail || text; } catch (error) { /* not JSON: keep the plain words */ }
    say(typeof text === "string" ? text : "The server refused this.");
  });
  document.body.addEventListener("htmx:sendError", () => say("The review is not running any more; start it again. Nothing that was confirmed is lost."));

  // The two texts scroll together, block by block.
  let leading = null;
  for (const [one, other, from, to] of [[original, released, "o", "r"], [released, original, "r", "o"]]) {
    one.addEventListener("pointerenter", () => { leading = one; });
    one.addEventListener("scroll", () => {
      if (leading !== one) return;
      const top = one.getBoundingClientRect().top;
      for (const block of one.querySelectorAll(".block")) {
        const box = block.getBoundingClientRect();
        if (box.bottom <= top + 30) continue;
        const twin = document.getElementById(to + block.id.slice(from.length));
        if (twin) {
          const gap = twin.getBoundingClientRect().top - other.getBoundingClientRect().top;
          other.scrollBy({ top: gap - (box.top - top), behavior: "instant" });
        }
        break;
      }
    }, { passive: true });
  }
  ready();

  function queue() {
    const links = Array.from(document.querySelectorAll("[data-queue]"));
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || !links.length) return;
      const by = { j: 1, k: -1 }[event.key];
      if (!by) return;
      const i = links.indexOf(document.activeElement);
      links[i < 0 ? 0 : (i + by + links.length) % links.length].focus();
    });
    ready();
  }
})();
