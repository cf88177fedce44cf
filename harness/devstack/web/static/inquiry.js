"use strict";
// The buyer's chat: messages and pictures go out at once, one after the other; replies come when they are there.
(() => {
  const $ = (id) => document.getElementById(id);
  const log = $("log"), stream = $("stream"), message = $("message"), file = $("file");
  let count = Number(log.dataset.count), listening = false, told = 0;
  let queue = Promise.resolve();

  const toEnd = () => { stream.scrollTop = stream.scrollHeight; };
  const element = (html) => {
    const box = document.createElement("template");
    box.innerHTML = html.trim();
    return box.content.firstElementChild;
  };
  const notice = (text) => {
    $("notices").replaceChildren();
    if (!text) return;
    const line = document.createElement("p");
    line.className = "notice";
    line.setAttribute("role", "alert");
    line.textContent = text;
    $("notices").append(line);
  };
  const mark = document.createElement("div");
  mark.className = "typing";
  mark.setAttribute("aria-hidden", "true");
  mark.append(...[0, 1, 2].map(() => document.createElement("i")));

  async function listen() {
    if (listening) return;
    listening = true;
    try {
      for (;;) {
        const answer = await fetch(`/inquiry/chat/updates?after=${count}`);
        if (!answer.ok) throw new Error(String(answer.status));
        const news = await answer.json();
        for (const html of news.entries) if (html) log.insertBefore(element(html), mark.isConnected ? mark : null);
        count = Math.max(count, news.count);
        if (news.final && !$("final").firstElementChild) {
          const line = document.createElement("p");
          line.className = "final";
          line.setAttribute("role", "status");
          line.setAttribute("aria-label", "Hand-over");
          line.textContent = news.final;
          $("final").append(line);
        }
        notice(news.notice);
        toEnd();
        if (!news.busy) break;
      }
    } catch {
      notice("The connection was lost. Please reload the page.");
    } finally {
      listening = false;
      mark.remove();
      toEnd();
    }
  }

  // One after the other, so that what was sent first stands first.
  function post(url, options, kept) {
    queue = queue.then(async () => {
      try {
        const answer = await fetch(url, { method: "POST", ...options });
        const data = await answer.json().catch(() => ({}));
        if (!answer.ok) throw new Error(data.error || "Something went wrong. Please try again.");
        log.append(element(data.html), mark);
        toEnd();
        listen();
      } catch (error) {
        notice(error.message);
        if (kept && !message.value) message.value = kept;
      }
    });
  }

  function sendMessage() {
    const text = message.value;
    if (!text.trim()) return;
    message.value = "";
    notice("");
    post("/inquiry/chat/messages", {
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ id: crypto.randomUUID(), text }),
    }, text);
  }

  $("composer").addEventListener("submit", (event) => { event.preventDefault(); sendMessage(); });
  message.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) { event.preventDefault(); sendMessage(); }
  });
  message.addEventListener("input", () => {
    if (!message.value || Date.now() - told < 250) return;
    told = Date.now();
    fetch("/inquiry/chat/typing", { method: "POST" }).catch(() => {});
  });
  $("pick").addEventListener("click", () => file.click());
  file.addEventListener("change", () => {
    if (!file.files.length) return;
    const form = new FormData();
    form.append("id", crypto.randomUUID());
    form.append("file", file.files[0]);
    post("/inquiry/chat/pictures", { body: form });
    file.value = "";
  });
  toEnd();
})();
