// The parts of a product's screen that an adapter names, and the controls in them. Isolated world; reads only.
(() => {
  "use strict";
  const rig = (globalThis.__rig ??= {});
  const { find, flatContains, flatParent, labelsOf, Reading, cut, area, rectBox, shownValue, colour, BUTTON_TYPES } = rig;

  const MAX_REPLIES = 60; // newest reply items read since the last customer bubble
  const MAX_OLD_CARDS = 6; // newest cards above the last customer bubble that are still read
  const FOLLOWING = Node.DOCUMENT_POSITION_FOLLOWING;
  const ORDER = ["final", "dialog", "card", "tag", "notice", "reply", "panel", "todo"]; // who owns an element named twice

  rig.config = null;
  rig.configure = (config) => {
    rig.config = config;
  };

  const many = (locators, roots) => {
    const found = [];
    for (const l of locators || []) for (const el of find(l, roots)) if (!found.includes(el)) found.push(el);
    return found;
  };
  const rendered = (el) => el.isConnected && el.getClientRects().length > 0;
  const firstRendered = (locators, roots) => {
    for (const l of locators || []) for (const el of find(l, roots)) if (rendered(el)) return el;
    return null;
  };

  /** The transcript, its last customer bubble, and the reply items after it, oldest first. */
  function talk() {
    const c = rig.config;
    const transcript = firstRendered(c.transcript);
    const roots = transcript ? [transcript] : [document];
    let bubbles = many(c.customer_bubble, roots);
    let replies = many(c.reply, roots);
    if (c.newest_first) {
      bubbles = bubbles.reverse();
      replies = replies.reverse();
    }
    let last = null;
    for (let i = bubbles.length - 1; i >= 0 && !last; i--) if (rendered(bubbles[i])) last = bubbles[i];
    const after = [];
    for (let i = replies.length - 1; i >= 0 && after.length < MAX_REPLIES; i--) {
      if (last && !isAfter(last, replies[i])) break;
      after.unshift(replies[i]);
    }
    return { transcript, last, count: bubbles.length, replies: after, bubbles };
  }

  function isAfter(a, b) {
    const order = a.compareDocumentPosition(b);
    if (order & Node.DOCUMENT_POSITION_DISCONNECTED) return b.getBoundingClientRect().top > a.getBoundingClientRect().top;
    return Boolean(order & FOLLOWING) !== Boolean(rig.config.newest_first);
  }

  /** [{part, el}] of everything a reading is confined to, in document order within the page. */
  function parts(t) {
    const c = rig.config;
    const owner = new Map();
    const claim = (part, els) => {
      for (const el of els) if (!owner.has(el) || ORDER.indexOf(part) < ORDER.indexOf(owner.get(el))) owner.set(el, part);
    };
    claim("reply", t.replies);
    claim("tag", many(c.tag, t.replies));
    const inTalk = (el) => t.transcript && flatContains(t.transcript, el);
    const current = (el) => !t.last || !inTalk(el) || (!flatContains(t.last, el) && isAfter(t.last, el));
    const cards = many(c.card);
    claim("card", cards.filter(current));
    claim("card", cards.filter((el) => !current(el) && rendered(el)).slice(-MAX_OLD_CARDS));
    for (const part of ["final", "dialog", "notice", "panel", "todo"]) {
      claim(part, many(c[part]).filter((el) => part === "dialog" || part === "final" || current(el)).slice(-40));
    }
    if (c.sign_in) claim("dialog", many(c.sign_in));
    const list = [...owner].map(([el, part]) => ({ el, part }));
    return list.sort((a, b) => {
      const order = a.el.compareDocumentPosition(b.el);
      if (order & Node.DOCUMENT_POSITION_DISCONNECTED) return 0;
      return order & FOLLOWING ? -1 : 1;
    });
  }

  /** Visible lines of each part, in order, controls noted on the way; only those that are `wanted`, each without the others. */
  function readParts(reading, list, wanted = () => true) {
    const owned = new Set(list.map((p) => p.el));
    return list.filter(wanted).map((p) => {
      const skip = new Set([...owned].filter((el) => el !== p.el && flatContains(p.el, el)));
      const tokens = [];
      if (reading.controls) reading.controls = [];
      reading.walk(p.el, tokens, skip);
      return { part: p.part, el: p.el, tokens, controls: reading.controls || [] };
    });
  }

  // ---------------------------------------------------------------- controls

  const CHECKS = new Set(["checkbox", "radio"]);

  function kindOf(el) {
    const tag = el.localName;
    const role = (el.getAttribute("role") || "").split(/\s+/)[0];
    if (tag === "select") return "choice";
    if (tag === "textarea") return "field";
    if (tag === "input") {
      if (el.type === "file") return "upload";
      if (CHECKS.has(el.type)) return "choice";
      return BUTTON_TYPES.has(el.type) || el.type === "image" ? "button" : "field";
    }
    if (["checkbox", "radio", "switch"].includes(role)) return "choice";
    if (["textbox", "searchbox"].includes(role) || el.isContentEditable) return "field";
    if (role === "combobox") return "choice";
    if ((tag === "a" && role !== "button") || role === "link") return "link";
    return "button";
  }

  /** Something of the control is painted: words, a picture, a border or a background. */
  function paints(el) {
    const cs = getComputedStyle(el);
    if (cs.backgroundImage !== "none" || colour(cs.backgroundColor)[3] > 0.05) return true;
    if (["Top", "Left", "Bottom", "Right"].some((s) => parseFloat(cs[`border${s}Width`]) > 0 && colour(cs[`border${s}Color`])[3] > 0.05 && cs[`border${s}Style`] !== "none")) return true;
    if (el.querySelector("img,svg,canvas,i,[class*=icon]")) return true;
    return ["::before", "::after"].some((w) => !["none", "normal"].includes(getComputedStyle(el, w).content));
  }

  function visibleLabel(reading, el, blanked) {
    for (const label of labelsOf(el)) {
      if (label === el) continue;
      const text = reading.line(label, blanked);
      if (text) return { label, text };
    }
    return null;
  }

  const remembered = new WeakMap(); // fields known by a placeholder that has gone since

  /** Words just before a field, where a person would look for its label. */
  function wordsBefore(reading, el, limit) {
    let node = el;
    for (let up = 0; up < 3 && node && node !== limit; up++) {
      for (let s = node.previousSibling; s; s = s.previousSibling) {
        if (s.nodeType === 3) {
          if (!/\S/.test(s.data)) continue;
          const tokens = [];
          reading.walk(s, tokens, null);
          const text = reading.paragraphs(tokens).join(" ");
          if (text) return text.slice(-120);
          continue;
        }
        if (s.nodeType !== 1) continue;
        if (s.matches("input:not([type=hidden]),select,textarea,button") || s.querySelector("input:not([type=hidden]),select,textarea,button")) return "";
        const text = reading.line(s);
        if (text) return text.length <= 120 ? text : "";
      }
      node = flatParent(node);
      if (node && node.querySelectorAll("input:not([type=hidden]),select,textarea").length > 1) return "";
    }
    return "";
  }

  function topmost(el, x, y) {
    let doc = el.ownerDocument;
    let hit = doc.elementFromPoint(x, y);
    while (hit && hit.shadowRoot) {
      const inner = hit.shadowRoot.elementFromPoint(x, y);
      if (!inner || inner === hit) break;
      hit = inner;
    }
    return hit;
  }

  /** A point in the element's own viewport where a pointer would meet it, or null. */
  function hitPoint(el, context) {
    const view = el.ownerDocument.defaultView;
    const port = { l: 0, t: 0, r: view.innerWidth, b: view.innerHeight };
    for (const r of el.getClientRects()) {
      let seen = cut(rectBox(r), port);
      if (context) seen = cut(seen, context.ownClip || context.clip);
      if (area(seen) < 1) continue;
      const [w, h] = [seen.r - seen.l, seen.b - seen.t];
      for (const [fx, fy] of [[0.5, 0.5], [0.25, 0.5], [0.75, 0.5], [0.5, 0.25], [0.5, 0.75], [0.1, 0.5], [0.9, 0.5]]) {
        const [x, y] = [seen.l + w * fx, seen.t + h * fy];
        const hit = topmost(el, x, y);
        if (hit && (flatContains(el, hit) || [...(el.labels || [])].some((l) => flatContains(l, hit)))) return clearAbove(view, x, y) ? { x, y } : null;
      }
    }
    return null;
  }

  /** The frames above `view` show this point too; translated in `offset`. */
  function clearAbove(view, x, y) {
    for (let frame = view.frameElement; frame; frame = view.frameElement) {
      const r = frame.getBoundingClientRect();
      x += r.left + frame.clientLeft;
      y += r.top + frame.clientTop;
      view = frame.ownerDocument.defaultView;
      if (topmost(frame, x, y) !== frame) return false;
    }
    return true;
  }

  function offset(el) {
    let [x, y] = [0, 0];
    for (let frame = el.ownerDocument.defaultView.frameElement; frame; frame = frame.ownerDocument.defaultView.frameElement) {
      const r = frame.getBoundingClientRect();
      x += r.left + frame.clientLeft;
      y += r.top + frame.clientTop;
    }
    return { x, y };
  }

  function disabled(el) {
    if (el.matches(":disabled") || el.readOnly) return true;
    for (let n = el; n; n = flatParent(n)) {
      if (n.getAttribute("aria-disabled") === "true" || n.inert) return true;
    }
    return getComputedStyle(el).pointerEvents === "none";
  }

  /** True if a pointer can meet the control where it is, or after scrolling to it; scroll positions are put back. */
  function reachable(reading, el) {
    if (hitPoint(el)) return true;
    const before = [];
    for (let n = el; n; n = flatParent(n)) before.push([n, n.scrollLeft, n.scrollTop]);
    for (let f = el.ownerDocument.defaultView.frameElement; f; f = f.ownerDocument.defaultView.frameElement) {
      for (let n = f; n; n = flatParent(n)) before.push([n, n.scrollLeft, n.scrollTop]);
    }
    el.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
    const met = Boolean(hitPoint(el));
    for (const [n, left, top] of before.reverse()) {
      if (n.scrollLeft !== left || n.scrollTop !== top) n.scrollTo({ left, top, behavior: "instant" });
    }
    return met;
  }

  let handles = new Map();
  let nextHandle = 1;
  function handle(el) {
    const id = nextHandle++;
    handles.set(id, el);
    return id;
  }

  /** Controls of one part, named by visible text; what a person cannot see or tell apart from nothing is left out. */
  function describe(reading, found, part, root, ignore) {
    const out = [];
    const choosers = new Set(many(rig.config && rig.config.upload));
    const groups = new Map();
    for (const { el, context, tokens } of found) {
      if (ignore.has(el) || [...ignore].some((x) => flatContains(x, el))) continue;
      const kind = kindOf(el);
      const own = reading.boxShows(el, context);
      let [name, target] = ["", el];
      let group = null;
      if (kind === "button" || kind === "link") {
        if (!own) continue;
        name = tokens ? reading.paragraphs(tokens).join(" ").replace(/\s+/g, " ").trim() : "";
        if (el.localName !== "input" && !name && (kind === "link" ? !el.querySelector("img,svg") : !paints(el))) continue;
      } else {
        const label = visibleLabel(reading, el, new Set([el]));
        if (!own) {
          if (!label) continue;
          target = label.label;
        } else if (el.localName === "input" && CHECKS.has(el.type) && label && !hitPoint(el) && hitPoint(label.label)) target = label.label;
        if (label) name = label.text;
        else if (el.getAttribute("role") && kind === "choice") name = reading.line(el);
        else if (kind === "upload") name = "";
        else {
          const before = wordsBefore(reading, el, root);
          const hint = el.placeholder && !el.value && placeholderShows(reading, el) ? el.placeholder.trim() : "";
          if (hint) remembered.set(el, hint);
          name = before || remembered.get(el) || "";
        }
        if (el.localName === "input" && el.type === "radio" && el.name) group = radioGroup(reading, el);
      }
      name = name.slice(0, 300);
      const enabled = !disabled(el) && reachable(reading, target);
      const control = { kind: choosers.has(el) ? "upload" : kind, name, part, enabled, value: null, placeholder: null, options: [], h: handle(target), e: handle(el) };
      if (kind === "field") {
        control.value = el.isContentEditable ? reading.line(el) : el.type === "password" ? (el.value ? "•".repeat(el.value.length) : "") : el.value;
        if (el.placeholder && !el.value && placeholderShows(reading, el)) control.placeholder = el.placeholder.trim();
      } else if (kind === "choice") {
        if (el.localName === "select") {
          control.value = shownValue(el);
          control.options = [...el.options].filter((o) => !o.disabled && !o.hidden && o.label.trim()).map((o) => o.label.trim());
        } else if (el.localName === "input") control.value = el.checked ? "checked" : "not checked";
        else if (el.getAttribute("role") === "combobox") control.value = reading.line(el);
        else control.value = el.getAttribute("aria-checked") === "true" ? "checked" : "not checked";
      } else if (kind === "upload" && el.files && el.files.length) control.value = shownValue(el);
      if (group) {
        let g = groups.get(group.key);
        if (!g) {
          g = { ...control, name: group.name, value: null, options: [], optionHandles: [], enabled: false };
          groups.set(group.key, g);
          out.push(g);
        }
        g.options.push(name);
        g.optionHandles.push(control.h);
        g.enabled ||= enabled;
        if (el.checked) g.value = name;
      } else out.push(control);
    }
    return out;
  }

  function radioGroup(reading, el) {
    const holder = el.closest("fieldset,[role=radiogroup]");
    if (!holder) return null;
    const legend = holder.querySelector(":scope > legend");
    const name = legend ? reading.line(legend) : visibleLabel(reading, holder, null)?.text;
    return name ? { key: holder, name } : null;
  }

  function placeholderShows(reading, el) {
    const cs = el.ownerDocument.defaultView.getComputedStyle(el, "::placeholder");
    if (colour(cs.color)[3] < 0.1 || parseFloat(cs.opacity) < 0.1 || parseFloat(cs.fontSize) < 4) return false;
    return reading.boxShows(el, reading.context(el));
  }

  /** Two controls of one kind of name in one part get " (2)", " (3)" …; one without visible words is "unnamed <kind>". */
  function number(controls) {
    const seen = new Map();
    for (const c of controls) {
      const base = c.name || `unnamed ${c.kind}`;
      const key = `${c.part}\n${base}`;
      const n = (seen.get(key) || 0) + 1;
      seen.set(key, n);
      c.name = n === 1 ? base : `${base} (${n})`;
    }
    return controls;
  }

  // ---------------------------------------------------------------- readings

  const composer = () => firstRendered(rig.config.composer);

  function composerControl(reading, el) {
    const label = visibleLabel(reading, el, new Set([el]));
    const hint = el.placeholder && !el.value && placeholderShows(reading, el) ? el.placeholder.trim() : null;
    if (hint) remembered.set(el, hint);
    const value = el.isContentEditable ? reading.line(el) : el.value;
    return {
      kind: "composer", name: (label && label.text) || remembered.get(el) || "", part: "page", enabled: !disabled(el) && reachable(reading, el),
      value, placeholder: hint, options: [], h: handle(el), e: handle(el),
    };
  }

  const suspectsFor = (reading) => {
    rig.suspects = reading.suspects;
    return reading.suspects.length;
  };

  let lastRead = null; // the last bubble of the customer in the reading before: {el, key}
  const MOST_ITEMS = 80;

  /** Bubbles and replies since the last bubble of the reading before, oldest first: [{el, who}]. */
  function sinceLastRead(t) {
    const inTalk = t.transcript ? [t.transcript] : [document];
    let from = null;
    let fresh;
    if (!lastRead) fresh = t.bubbles;
    else if (lastRead.el && t.bubbles.includes(lastRead.el)) {
      from = lastRead.el;
      fresh = t.bubbles.slice(t.bubbles.indexOf(from) + 1);
    } else {
      from = t.last;
      fresh = rig.isNewer(t, lastRead.key) && t.last ? [t.last] : [];
    }
    lastRead = { el: t.last, key: rig.bubbleKey(t) };
    let replies = t.replies;
    if (fresh.length && !(fresh.length === 1 && fresh[0] === from)) {
      replies = many(rig.config.reply, inTalk).filter((el) => !from || isAfter(from, el));
    }
    const items = [...fresh.map((el) => ({ el, who: "customer" })), ...replies.map((el) => ({ el, who: "reply" }))];
    return items.sort((a, b) => (a.el === b.el ? 0 : isAfter(a.el, b.el) ? -1 : 1)).slice(-MOST_ITEMS);
  }

  /** One confined reading: what goes into a Screen. */
  rig.read = () => {
    const started = performance.now();
    handles = new Map();
    const reading = new Reading();
    reading.controls = [];
    const t = talk();
    const list = readParts(reading, parts(t));
    reading.controls = null;
    const owned = new Map(list.map((p) => [p.el, p]));
    const nested = new Set(list.map((p) => p.el));
    const items = sinceLastRead(t).map(({ el, who }) => {
      if (owned.has(el)) return { who, tokens: owned.get(el).tokens };
      const tokens = [];
      reading.walk(el, tokens, nested);
      return { who, tokens };
    });
    reading.settlePending();
    const ignore = new Set(many(rig.config.send_button).concat(composer() || []));
    const blocks = [];
    const controls = [];
    for (const p of list) {
      const text = reading.paragraphs(p.tokens).join("\n");
      if (text) blocks.push({ part: p.part, text });
      const found = p.controls.map((c) => ({ ...c, tokens: p.tokens.slice(c.from, c.to) }));
      controls.push(...describe(reading, found, p.part, p.el, ignore));
    }
    const standing = [];
    const seenEls = new Set(list.flatMap((p) => p.controls.map((c) => c.el)));
    for (const holder of many(rig.config.controls)) {
      const tokens = [];
      reading.controls = [];
      reading.walk(holder, tokens, null);
      const found = reading.controls.filter((c) => !seenEls.has(c.el)).map((c) => ({ ...c, tokens: tokens.slice(c.from, c.to) }));
      reading.controls = null;
      reading.settlePending();
      standing.push(...describe(reading, found, "page", holder, ignore));
    }
    controls.push(...standing);
    const box = composer();
    if (box) controls.push(composerControl(reading, box));
    const finals = list.filter((p) => p.part === "final").map((p) => reading.paragraphs(p.tokens).join("\n")).filter(Boolean);
    return {
      blocks, controls: number(controls), unreadable: reading.unreadable, final: finals.join("\n") || null,
      items: items.map((i) => ({ who: i.who, text: reading.paragraphs(i.tokens).join("\n") })).filter((i) => i.text), suspects: suspectsFor(reading), ms: performance.now() - started,
    };
  };

  /** The whole page: one block per visual block, all controls. */
  rig.readPage = () => {
    handles = new Map();
    const reading = new Reading();
    reading.whole = true;
    reading.controls = [];
    const tokens = [];
    reading.walk(document.documentElement, tokens, null);
    const found = reading.controls.map((c) => ({ ...c, tokens: tokens.slice(c.from, c.to) }));
    reading.controls = null;
    reading.settlePending();
    const blocks = reading.paragraphs(tokens).map((text) => ({ part: "page", text }));
    const controls = describe(reading, found, "page", document.body, new Set());
    return { blocks, controls: number(controls), unreadable: reading.unreadable, final: null, suspects: suspectsFor(reading) };
  };

  const oneText = (el) => {
    const reading = new Reading();
    const tokens = [];
    reading.walk(el, tokens, null);
    reading.settlePending();
    return reading.paragraphs(tokens).join("\n");
  };

  /** Visible text of the first element a locator means that shows any; null if none does. */
  rig.field = (locators) => {
    for (const el of many(locators)) {
      const text = rendered(el) ? oneText(el) : "";
      if (text) return text;
    }
    return null;
  };

  /** Rows of cells as visible text. */
  rig.rows = (rows, cells) => many(rows).filter(rendered).map((row) => {
    const out = {};
    for (const [name, locators] of Object.entries(cells)) {
      const cell = many(locators, [row])[0];
      out[name] = cell ? oneText(cell) : "";
    }
    return out;
  });

  rig.shows = (locators) => many(locators).some((el) => {
    if (!rendered(el)) return false;
    const reading = new Reading(true);
    const context = reading.context(el);
    return !context.hidden && reading.style(el).visibility === "visible" && reading.boxShows(el, context);
  });

  Object.assign(rig, {
    many, rendered, firstRendered, talk, parts, readParts, composer, disabled, hitPoint, offset, oneText, handle,
    handleOf: (id) => handles.get(id), clearAbove, isAfter, kindOf,
  });
})();
