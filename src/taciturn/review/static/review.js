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
  const view = desk.dataset.view;
  const letters = { get on() { return localStorage.getItem("taciturn-keys") !== "off"; } };

  const start = (span) => Number(span.split("-")[0]);
  const terms = () => Array.from(original.querySelectorAll("[data-at]"));

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
    if (document.activeElement !== find) target.focus({ preventScroll: true });
    if (!scroll) return;
    target.scrollIntoView({ block: "nearest" });
    if (getComputedStyle(desk).display === "grid") released_to(start(target.dataset.at));
  }

  function follow(request) {
    underWay += 1;
    ready();
    return request.finally(() => { underWay -= 1; ready(); });
  }

  // A span becomes the current one: its card is shown, and both texts, or the page, go to it.
  function choose(span, page) {
    at = span;
    follow(htmx.ajax("GET", root + "/card?at=" + at, { target: "#card", swap: "innerHTML", source: "#card" }));
    return drawn(page).then(() => {
      const target = element(at);
      if (target) show(target, true);
      else { show(null); released_to(start(at)); }
    });
  }

  // The boxes of a page are drawn when it comes into view; who walks to it cannot wait for that.
  function drawn(page) {
    if (view !== "pages" || page === null || page === undefined) return Promise.resolve();
    const sheet = document.getElementById("sheet" + page);
    if (!sheet) return Promise.resolve();
    sheet.scrollIntoView({ block: "nearest" });
    if (sheet.querySelector("image")) return Promise.resolve();
    return follow(htmx.ajax("GET", root + "/sheet/" + page, { target: "#sheet" + page, swap: "outerHTML", source: "#card" }));
  }

  // The release goes to the paragraph in which a place of the original stands.
  function released_to(place) {
    let twin = null;
    for (const block of released.querySelectorAll(".block")) {
      if (Number(block.dataset.start) > place) break;
      twin = block;
    }
    if (twin) twin.scrollIntoView({ block: "nearest" });
  }

  function ask(path) {
    return follow(fetch(root + path, { headers: { "HX-Request": "true" } }).then((answer) => answer.json().then((data) => {
      if (!answer.ok) { say(data.detail || "The server refused this."); throw new Error("refused"); }
      return data;
    })));
  }

  // The server knows all choices, also on pages that are not drawn: it says which is next.
  function walk(by, only) {
    const way = only ? "failing" : everyTerm ? "every" : by < 0 ? "changed" : "undecided";
    const from = at ? start(at) : by > 0 ? -1 : 1e9;
    return ask("/next?walk=" + way + "&by=" + by + "&at=" + from).then((found) => {
      if (found.at) return choose(found.at, found.page);
      say({ failing: "The guarantee fails nowhere.", undecided: "Everything is decided. Release when you are ready." }[way]
        || "There is nothing to walk to.");
      return null;
    });
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
    if (action === "accept" && !document.querySelector("#card [data-decide=accept]")) return walk(1);
    const values = { action: action, at: at, everywhere: everywhere(shift), code: code(), ...more };
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
    const span = selected() || at;
    if (!span) return say(view === "pages" ? "Draw a rectangle over the missed words." : "Select the missed words in the original first, then press m.");
    at = span;
    post("/decide", { action: "mark", at: span, everywhere: everywhere(shift), code: code() });
    window.getSelection().removeAllRanges();
  }

  function say(text) {
    const line = document.getElementById("effect");
    line.className = "effect";
    line.textContent = text;
  }

  // Enter goes to the next match, Shift+Enter to the one before; matches inside and outside of terms count alike.
  let found = { text: "", matches: [], at: -1 };

  function search(text, by) {
    const wanted = text.trim();
    if (!wanted) return counted();
    if (wanted === found.text) return match(by);
    ask("/find?q=" + encodeURIComponent(wanted)).then((data) => {
      found = { text: wanted, matches: data.matches, at: -1 };
      const here = at ? start(at) : -1;
      const next = found.matches.findIndex((m) => start(m.at) >= here);
      found.at = by > 0 ? next - 1 : next < 0 ? 0 : next;
      match(by);
    });
  }

  function match(by) {
    const n = found.matches.length;
    if (!n) { counted(); return say("'" + found.text + "' is not in the document."); }
    found.at = (found.at + by + n) % n;
    const hit = found.matches[found.at];
    counted();
    choose(hit.at, hit.page).then(() => {
      if (!element(at)) selectSpan(hit.at);
      find.focus();
    });
  }

  function counted() {
    const n = found.matches.length;
    document.getElementById("match-count").textContent = find.value.trim() ? (n ? found.at + 1 : 0) + " of " + n : "";
    document.getElementById("all-matches").hidden = !n;
  }

  function selectSpan(span) {
    const [first, last] = span.split("-").map(Number);
    let home = null;
    for (const block of original.querySelectorAll(".block")) {
      if (Number(block.dataset.start) > first) break;
      home = block;
    }
    if (!home) return;
    const letters = Array.from(home.textContent);
    const from = letters.slice(0, first - Number(home.dataset.start)).join("").length;
    const words = letters.slice(first - Number(home.dataset.start), last - Number(home.dataset.start)).join("");
    if (selectIn(home, from, words.length)) home.scrollIntoView({ block: "center" });
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
    if (event.target === find && event.key === "Enter") { event.preventDefault(); search(find.value, event.shiftKey ? -1 : 1); return; }
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
    if (!keys[key] || !letters.on) return;
    event.preventDefault();
    keys[key](event.shiftKey && key !== "?");
  });

  document.addEventListener("click", (event) => {
    const target = event.target;
    const term = target.closest("#original [data-at]");
    if (term) { if (!selected()) choose(term.dataset.at); return; }
    if (target.closest("#mark-chosen")) return markSelection(event.shiftKey);
    const place = target.closest("[data-go]");
    if (place) { document.querySelectorAll("dialog[open]").forEach((d) => d.close()); return choose(place.dataset.go); }
    const every = target.closest("[data-matches]");
    if (every) return post("/mark-matches", { q: found.text || find.value, queue: every.dataset.matches === "queue", code: code() });
    const many = target.closest("[data-bulk]");
    if (many) return bulk(many.dataset.bulk);
    const button = target.closest("[data-decide]");
    if (button) return decide(button.dataset.decide, event.shiftKey);
    const rung = target.closest("[data-label]");
    if (rung) return decide("replace", event.shiftKey, { label: rung.dataset.label });
    const step = target.closest("[data-do]");
    if (step) return post("/" + step.dataset.do, {});
    const point = target.closest(".point");
    if (point) return post("/dial", { model: point.dataset.model, parameter: point.dataset.parameter, value: point.dataset.value });
    const opener = target.closest("[data-open]");
    if (opener) {
      if (opener.dataset.open === "edits") follow(htmx.ajax("GET", root + "/edits", { target: "#edit-rows", swap: "innerHTML", source: "#card" })).then(filter);
      document.getElementById(opener.dataset.open).showModal();
    }
  });

  // The side list: filters, and one decision for all that they show.
  const rows = () => Array.from(document.querySelectorAll("#edit-rows tr"));
  function filter() {
    const wanted = Object.fromEntries(Array.from(document.querySelectorAll("[data-filter]")).map((f) => [f.dataset.filter, f.value]));
    let shown = 0;
    for (const row of rows()) {
      const fits = Object.entries(wanted).every(([name, value]) => !value || (name === "text" ? row.textContent.toLowerCase().includes(value.toLowerCase()) : row.dataset[name] === value));
      row.hidden = !fits;
      shown += fits;
    }
    for (const select of document.querySelectorAll("select[data-filter]")) {
      if (select.options.length > 1) continue;
      for (const value of new Set(rows().map((r) => r.dataset[select.dataset.filter]).filter(Boolean))) select.add(new Option(value, value));
    }
    document.getElementById("edit-count").textContent = shown + " of " + rows().length;
  }
  document.addEventListener("input", (event) => { if (event.target.closest("[data-filter]")) filter(); });

  function bulk(action) {
    const spans = rows().filter((r) => !r.hidden).map((r) => r.dataset.at).join(" ");
    post("/bulk", { action: action, spans: spans, code: code() }, () => {
      follow(htmx.ajax("GET", root + "/edits", { target: "#edit-rows", swap: "innerHTML", source: "#card" })).then(filter);
    });
  }

  function code() {
    const chosen = document.getElementById("code");
    return chosen ? chosen.value : "";
  }

  // A rectangle drawn on a page marks the words in it.
  let from = null;
  const point = (sheet, event) => new DOMPoint(event.clientX, event.clientY).matrixTransform(sheet.getScreenCTM().inverse());
  original.addEventListener("pointerdown", (event) => {
    const sheet = event.target.closest("svg[id^=sheet]");
    if (!sheet || event.button) return;
    const p = point(sheet, event);
    from = { sheet: sheet, x: p.x, y: p.y, box: null };
  });
  original.addEventListener("pointermove", (event) => {
    if (!from) return;
    const p = point(from.sheet, event);
    if (!from.box && Math.abs(p.x - from.x) + Math.abs(p.y - from.y) < 4) return;
    if (!from.box) {
      from.box = document.createElementNS("http://www.w3.org/2000/svg", "rect");
      from.box.setAttribute("class", "drawing");
      from.sheet.append(from.box);
    }
    const area = { x: Math.min(p.x, from.x), y: Math.min(p.y, from.y), width: Math.abs(p.x - from.x), height: Math.abs(p.y - from.y) };
    for (const [name, value] of Object.entries(area)) from.box.setAttribute(name, value);
    from.area = area;
  });
  window.addEventListener("pointerup", () => {
    const done = from;
    from = null;
    if (!done || !done.box) return;
    done.box.remove();
    post("/mark-area", { page: done.sheet.id.slice(5), code: code(), ...done.area });
  });

  // Who decides: asked once, kept in this browser, and sent with every step.
  const person = document.getElementById("person");
  const told = () => {
    const name = person.value.trim();
    localStorage.setItem("taciturn-person", name);
    document.querySelectorAll("input[name=person]").forEach((field) => { field.value = name; });
  };
  person.value = localStorage.getItem("taciturn-person") || "";
  person.addEventListener("change", told);
  told();
  document.body.addEventListener("htmx:afterSettle", told);
  document.body.addEventListener("htmx:configRequest", (event) => {
    event.detail.headers["X-Person"] = encodeURIComponent(person.value.trim());
  });

  // Keys of one letter can be switched off (WCAG 2.1.4).
  const switched = document.getElementById("letter-keys");
  switched.checked = letters.on;
  switched.addEventListener("change", () => localStorage.setItem("taciturn-keys", switched.checked ? "on" : "off"));

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.id === "search") { event.preventDefault(); search(find.value, 1); }
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

  const left = sessionStorage.getItem("taciturn-says");
  if (left) { sessionStorage.removeItem("taciturn-says"); say(left); }

  document.body.addEventListener("htmx:responseError", (event) => {
    let text = "The server refused this.";
    try { text = JSON.parse(event.detail.xhr.responseText).detail || text; } catch (error) { /* not JSON: keep the plain words */ }
    if (event.detail.xhr.status === 409) { sessionStorage.setItem("taciturn-says", text); return location.reload(); }
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
