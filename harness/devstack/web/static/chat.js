"use strict";
// The conversation: sends turns, shows the reply as it streams, then the parts of the page the server rendered anew.
(() => {
  const $ = (id) => document.getElementById(id);
  const log = $("log"), stream = $("stream"), message = $("message"), send = $("send"), contact = $("contact");
  const regions = { panel: $("panel"), todo: $("todo"), actions: $("actions") };
  let busy = false;

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
  const typing = () => {
    const mark = document.createElement("div");
    mark.className = "typing";
    mark.setAttribute("aria-hidden", "true");
    mark.append(...[0, 1, 2].map(() => document.createElement("i")));
    return mark;
  };
  const setBusy = (now) => {
    busy = now;
    message.disabled = now;
    send.disabled = now;
    for (const control of regions.actions.querySelectorAll("button, input")) control.disabled = now;
    if (now) contact.disabled = true;
  };

  async function* lines(body) {
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      rest += value;
      let at;
      while ((at = rest.indexOf("\n")) >= 0) {
        const line = rest.slice(0, at);
        rest = rest.slice(at + 1);
        if (line) yield JSON.parse(line);
      }
    }
  }

  // One turn. Gives true if it went through.
  async function turn(url, options, onBubble) {
    if (busy) return false;
    setBusy(true);
    notice("");
    const mark = typing();
    log.append(mark);
    toEnd();
    let reply = null, through = false, contactAfter = true;
    try {
      const answer = await fetch(url, { method: "POST", ...options });
      if (!answer.ok || !answer.body) {
        const data = await answer.json().catch(() => ({}));
        notice(data.error || "Something went wrong. Please try again.");
        return false;
      }
      for await (const event of lines(answer.body)) {
        if (event.type === "bubble") {
          log.insertBefore(element(event.html), mark);
          if (onBubble) onBubble();
        } else if (event.type === "piece") {
          if (!reply) {
            reply = element('<article class="bubble" data-from="assistant"><p class="text"></p></article>');
            log.insertBefore(reply, mark);
          }
          reply.firstElementChild.textContent += event.text;
        } else if (event.type === "failed") {
          notice(event.message);
        } else if (event.type === "done") {
          const final = element(event.reply);
          if (reply && final) reply.replaceChildren(...final.childNodes);
          else if (final) log.insertBefore(final, mark);
          for (const [name, html] of Object.entries(event.regions)) regions[name].innerHTML = html;
          $("who").textContent = event.signed_in || "";
          contactAfter = event.contact;
          notice(event.notice || "");
          through = true;
        }
        toEnd();
      }
    } catch {
      notice("The connection was lost. Please try again.");
    } finally {
      mark.remove();
      setBusy(false);
      contact.disabled = !contactAfter;
      if (!regions.actions.querySelector("#email")) message.focus({ preventScroll: true });
      toEnd();
    }
    return through;
  }

  const post = (data, onBubble) => turn("/chat/turns", {
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ turn_id: crypto.randomUUID(), ...data }),
  }, onBubble);

  let unsent = null; // a message that failed keeps its id, so that sending it again cannot make two
  async function sendMessage() {
    const text = message.value;
    if (busy || !text.trim()) return;
    if (!unsent || unsent.text !== text) unsent = { text, turn_id: crypto.randomUUID() };
    const through = await post({ kind: "message", ...unsent }, () => { message.value = ""; grow(); });
    if (through) unsent = null;
    else if (!message.value) message.value = text;
  }
  const grow = () => {
    message.style.height = "auto";
    message.style.height = `${Math.min(message.scrollHeight + 2, 180)}px`;
  };

  $("composer").addEventListener("submit", (event) => { event.preventDefault(); sendMessage(); });
  message.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) { event.preventDefault(); sendMessage(); }
  });
  message.addEventListener("input", grow);
  contact.addEventListener("click", () => post({ kind: "press", action: "contact" }));
  regions.actions.addEventListener("click", (event) => {
    const button = event.target.closest("[data-press]");
    if (button) post({ kind: "press", action: button.dataset.press });
  });
  regions.actions.addEventListener("change", (event) => {
    const input = event.target.closest("input[type=file]");
    if (!input || !input.files.length) return;
    const form = new FormData();
    form.append("turn_id", crypto.randomUUID());
    form.append("card", input.dataset.card);
    form.append("file", input.files[0]);
    turn("/chat/uploads", { body: form }).then((through) => { if (!through) input.value = ""; });
  });
  regions.actions.addEventListener("submit", (event) => {
    event.preventDefault();
    const form = new FormData(event.target);
    post({ kind: "sign_in", email: form.get("email"), password: form.get("password") });
  });
  toEnd();
})();
