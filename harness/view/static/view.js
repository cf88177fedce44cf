// Keyboard, copying and opening of folds. Everything on a page can also be reached without it.
"use strict";
(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const bar = () => (document.querySelector(".top")?.offsetHeight ?? 0) + 12;
  const topOf = (e) => e.getBoundingClientRect().top;

  const say = (text) => {
    const box = document.getElementById("said");
    if (!box) return;
    box.textContent = text;
    box.classList.add("on");
    clearTimeout(say.timer);
    say.timer = setTimeout(() => box.classList.remove("on"), 1600);
  };

  // Goes to an element as a link would, so that the address names the moment.
  const goTo = (id) => {
    if (location.hash === "#" + id) document.getElementById(id)?.scrollIntoView({ block: "start" });
    else location.hash = id;
  };

  // Turns of a journey, or rows of a list.
  const step = (by) => {
    const turns = all(".turn[id], #after");
    if (turns.length) {
      const at = bar() + 8;
      const next = by > 0 ? turns.find((t) => topOf(t) > at) : turns.filter((t) => topOf(t) < bar() - 8).pop();
      if (next) goTo(next.id);
      return;
    }
    const rows = all("[data-row] a.row");
    const now = rows.indexOf(document.activeElement);
    rows[Math.min(rows.length - 1, Math.max(0, now + by))]?.focus();
  };

  let failure = -1;
  const fail = (by) => {
    const links = all("a[data-failure]");
    if (!links.length) return say("No line failed.");
    failure = (failure + by + links.length) % links.length;
    for (const link of all(".side .here")) link.classList.remove("here");
    const line = links[failure].closest(".line");
    line?.classList.add("here");
    line?.scrollIntoView({ block: "nearest" });
    goTo(links[failure].dataset.failure);
    say(`Failure ${failure + 1} of ${links.length}`);
  };

  const help = document.getElementById("help");
  const keys = {
    j: () => step(1),
    k: () => step(-1),
    n: () => fail(1),
    p: () => fail(-1),
    "/": () => document.querySelector("input[type=search]")?.focus(),
    "?": () => (help?.open ? help.close() : help?.showModal()),
    o: () => {
      const turn = document.querySelector(".turn:target, .turn:has(:target)") ?? all(".turn").find((t) => t.getBoundingClientRect().bottom > bar() + 40);
      const folds = turn ? all(".beside > details", turn) : [];
      const open = folds.some((f) => !f.open);
      for (const f of folds) f.open = open;
    },
    c: () => copy(location.href, "Address of this moment copied."),
    u: () => document.querySelector("[data-up]")?.click(),
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = event.target.closest?.("input, select, textarea");
    if (typing) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    const act = keys[event.key];
    if (!act || (help?.open && event.key !== "?")) return;
    event.preventDefault();
    act();
  });

  const copy = (text, done) => navigator.clipboard.writeText(text).then(() => say(done), () => say("The browser does not let this page copy."));
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy]");
    if (button) {
      const answer = await fetch(button.dataset.copy);
      if (answer.ok) copy(await answer.text(), "Copied as recorded.");
      else say("There is nothing to copy.");
    }
    const close = event.target.closest("[data-close]");
    if (close) help?.close();
    const opener = event.target.closest("[data-help]");
    if (opener) help?.showModal();
  });

  // A fold that holds what the address names is opened, before the browser scrolls there and whenever the address changes.
  const reveal = () => {
    const id = decodeURIComponent(location.hash.slice(1));
    const target = id && document.getElementById(id);
    if (!target) return;
    let opened = false;
    for (let e = target; e; e = e.parentElement) {
      if (e.tagName === "DETAILS" && !e.open) {
        e.open = true;
        opened = true;
      }
    }
    if (opened) target.scrollIntoView({ block: "start" });
    const at = all("a[data-failure]").findIndex((a) => a.dataset.failure === id);
    if (at >= 0) failure = at;
  };
  addEventListener("hashchange", reveal);
  reveal();

  // On a narrow window the filters are folded; addresses do not carry filters that narrow nothing.
  const filters = document.querySelector(".filters");
  if (filters && matchMedia("(max-width: 860px)").matches) filters.open = false;
  document.addEventListener("htmx:configRequest", (event) => {
    for (const [name, value] of Object.entries(event.detail.parameters)) if (value === "") delete event.detail.parameters[name];
  });
})();
