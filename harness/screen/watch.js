// Notices when the product has answered, and prepares trusted input. Isolated world; writes nothing to the page.
//
// Mutation observers on every open root wake `look`, which compares the visible text of the parts where a product
// answers. Times are the page's own clock: performance.timeOrigin + performance.now(), in milliseconds.
(() => {
  "use strict";
  const rig = (globalThis.__rig ??= {});
  const { flatContains, many, firstRendered, rendered, talk, parts, readParts, composer, disabled, hitPoint, offset, Reading } = rig;

  const HARD = new Set(["reply", "tag", "card", "dialog", "notice", "final"]);
  const AWAITED_MS = 8; // looks no closer together while a reply is waited for: its first word is timed
  const FRAME_MS = 16; // the same once it has begun: between two frames nobody sees anything
  const WORKING_MS = 100; // the same while, moreover, the busy mark shows: its end is waited for
  const SHARE = 4; // looks take at most about one part in so many of the page's time
  const NOTICED_MS = 50; // a turn ends no sooner after a change was noticed, however long ago it came: more may be waiting
  const RECHECK_MS = 250; // a look even if nothing was reported: styles and animations change without mutations
  const LOAD_MS = 2000; // how long pictures, fonts and the like of a page just opened are waited for
  const MOVING_MS = 2000; // how long an animation may hold up the end of a turn
  const SOFT_ROUNDS = 4; // how many quiet times a panel, a clock or an animation may hold up the end of a turn
  const now = () => performance.timeOrigin + performance.now();
  const squeeze = (text) => (text || "").replace(/[\s\u00a0\u3000]+/g, "");

  /** The characters of a text without white space, and before which of them white space stands. */
  function parted(text) {
    const gaps = [];
    let white = false;
    for (const c of (text || "").split("")) {
      if (/[\s\u00a0\u3000]/.test(c)) {
        white = true;
        continue;
      }
      gaps.push(white);
      white = false;
    }
    return { chars: squeeze(text), gaps };
  }

  /** `text` holds `words`: the same characters, parted wherever these are parted. A page may part more, and with other spaces. */
  function holds(text, words) {
    const all = parted(text);
    const own = parted(words);
    for (let at = all.chars.indexOf(own.chars); at >= 0; at = all.chars.indexOf(own.chars, at + 1)) {
      if (own.gaps.every((gap, i) => i === 0 || !gap || all.gaps[at + i])) return true;
    }
    return false;
  }
  const same = (text, words) => squeeze(text).length === squeeze(words).length && holds(text, words);

  const observed = new WeakSet();
  const steps = new Set(); // what follows each look
  const checks = new Set(); // what is waited for beside it
  const seen = { busy: false, disabledComposer: false };
  let armed = null; // what the current turn compares with
  let lastInput = 0;
  let mutatedAt = 0; // of the newest change that an observer reported

  /** Something may have changed; where the busy mark has gone, it is looked at once. */
  function changed() {
    const before = armed && armed.busy;
    const busy = armed && !armed.over && noticeBusy();
    wake(before && !busy);
  }

  const observer = new MutationObserver(() => {
    mutatedAt = now();
    changed();
  });
  const OBSERVE = { subtree: true, childList: true, characterData: true, attributes: true };

  rig.watchRoot = (root) => {
    if (observed.has(root)) return;
    observed.add(root);
    observer.observe(root, OBSERVE);
    if (root.nodeType !== 9) return;
    for (const type of ["keydown", "mousedown", "mouseup", "click", "change", "drop"]) {
      root.addEventListener(type, (e) => e.isTrusted && (lastInput = (e.view || root.defaultView).performance.timeOrigin + e.timeStamp), { capture: true, passive: true });
    }
    root.addEventListener("mousedown", (e) => {
      if (e.isTrusted && aim && aim.landed === null) {
        const path = e.composedPath();
        aim.landed = path.includes(aim.el) || [...(aim.el.labels || [])].some((l) => path.includes(l));
        wake(true);
      }
    }, { capture: true, passive: true });
    root.addEventListener("input", () => wake(true), { capture: true, passive: true });
    for (const type of ["transitionend", "animationend", "load", "scroll", "toggle"]) root.addEventListener(type, changed, { capture: true, passive: true });
  };
  rig.watchRoot(document);

  /**
   * Does `work` soon after each call, but no sooner than `pause(its last cost)` ms after the time before; with `true` at
   * once, in place of what was put off.
   */
  function eased(work, pause) {
    let queued = false;
    let later = 0;
    let last = 0;
    let cost = 0;
    const run = () => {
      queued = false;
      later = 0;
      const started = performance.now();
      work();
      last = performance.now();
      cost = last - started;
    };
    return (atOnce) => {
      if (queued && (!atOnce || !later)) return;
      queued = true;
      clearTimeout(later);
      later = 0;
      const wait = pause(cost) - (performance.now() - last);
      if (wait > 0 && !atOnce) later = setTimeout(run, wait);
      else queueMicrotask(run);
    };
  }

  const lookSoon = eased(() => {
    if (armed && !armed.over) look();
    for (const s of [...steps]) s();
  }, (cost) => Math.max(pace(), cost * SHARE));
  const pace = () => (!armed || armed.firstAt === null ? AWAITED_MS : armed.busy ? WORKING_MS : FRAME_MS);
  const checkSoon = eased(() => {
    for (const c of [...checks]) c();
  }, (cost) => Math.max(AWAITED_MS, cost * SHARE));

  /** What is waited for is looked for soon, or at once. */
  function wake(atOnce) {
    if (checks.size) checkSoon(atOnce);
    if (steps.size || (armed && !armed.over)) lookSoon(atOnce);
  }

  const busyShown = () => {
    const c = rig.config;
    if (!c || !c.busy) return false;
    return many(c.busy).some((el) => rendered(el) && el.checkVisibility({ opacityProperty: true, visibilityProperty: true }));
  };

  function noticeBusy() {
    const busy = busyShown();
    if (busy) seen.busy = true;
    if (busy !== armed.busy) {
      armed.busy = busy;
      armed.busyAt = now();
    }
    return busy;
  }

  const composerUsable = () => {
    const el = composer();
    return Boolean(el && !disabled(el) && getComputedStyle(el).visibility === "visible");
  };

  const inTalk = (el) => (el ? squeeze(el.textContent) : "");
  const bubbleKey = (t) => ({
    count: t.count, el: t.last, text: inTalk(t.last), previous: inTalk(t.bubbles[t.bubbles.indexOf(t.last) - 1]), ...place(t.last),
  });
  const place = (el) => (el ? { y: contentY(el), tall: el.getBoundingClientRect().height } : { y: 0, tall: 0 });

  /** Where an element lies in the content of its scrolling pane, whatever is scrolled. */
  function contentY(el) {
    let y = el.getBoundingClientRect().top;
    for (let n = el.parentElement; n; n = n.parentElement) y += n.scrollTop;
    return y;
  }

  /**
   * The last bubble is one the customer had not sent before `key` was taken. Bubbles may be rendered again (other
   * element, same words), recycled (same element, other words) or marked ("delivered": same place, more words).
   */
  function isNewer(t, key) {
    if (!t.last) return false;
    if (t.count > key.count) return true;
    const k = bubbleKey(t);
    const lower = k.y > key.y + Math.max(4, key.tall * 0.8); // a list that guesses heights moves what it renders again a little
    if (k.el === key.el) return lower && k.text !== key.text;
    return lower || !k.text.startsWith(key.text) || k.previous !== key.previous;
  }

  /** Visible text now of the parts where a product answers (hard) and of the rest (soft; null unless asked for). */
  function state(withSoft) {
    const reading = new Reading(true);
    const t = talk();
    const texts = readParts(reading, parts(t), (p) => withSoft || HARD.has(p.part)).map((p) => ({ part: p.part, text: reading.paragraphs(p.tokens).join("\n") }));
    const hard = texts.filter((p) => HARD.has(p.part) && p.text);
    return {
      t,
      hard: hard.map((p) => `${p.part}:${p.text}`),
      soft: withSoft ? texts.filter((p) => !HARD.has(p.part)).map((p) => p.text).join("\n") : null,
      stands: hard.some((p) => p.part === "dialog" || p.part === "final"),
      card: hard.some((p) => p.part === "card"),
    };
  }

  Object.assign(rig, { isNewer, bubbleKey });

  const digitless = (list) => list.join("\n").replace(/\d+/g, "0");

  /** A turn that begins `at`, nothing having happened in it yet; `before`: what stood on the screen. */
  const turn = (at, before) => ({
    at, ...before, firstAt: null, hardAt: null, softAt: null, lookedAt: at, softLookedAt: at, noticedAt: 0,
    busy: busyShown(), busyAt: null, usable: composerUsable(), usableAt: null,
  });

  /** Starts a turn: what is on the screen from now on is compared with what is on it now. */
  rig.arm = () => {
    const s = state(true);
    seen.busy = seen.disabledComposer = false;
    lastInput = 0;
    armed = turn(now(), { base: new Set(s.hard), key: bubbleKey(s.t), hard: s.hard, soft: s.soft, state: s });
    if (armed.busy) seen.busy = true;
    return armed.at;
  };

  /**
   * The same in a new document, for a turn that began `age` ms ago: everything on it is new. Documents' clocks may differ.
   * With age null the turn is the opening of the page, which began when the document had been parsed.
   */
  rig.rearm = (age) => {
    const [page] = performance.getEntriesByType("navigation");
    const parsed = (page && page.domContentLoadedEventEnd) || performance.now();
    const at = age === null ? Math.min(now(), performance.timeOrigin + parsed) : now() - age;
    const key = { count: 0, el: null, text: "", previous: "", y: 0, tall: 0 };
    armed = turn(at, { base: new Set(), key, hard: [], soft: "", state: null, fresh: true });
    seen.busy = seen.disabledComposer = false;
    look(true);
    return at;
  };

  /** Compares what is on the screen with what was; the soft parts, too, if a turn may end now or `whole` is asked for. */
  function look(whole) {
    const a = armed;
    const busy = noticeBusy();
    const s = state(whole || (!busy && a.firstAt !== null));
    const looked = now();
    const since = (last) => (mutatedAt > last ? mutatedAt : looked); // when what is new since a look came, at the latest
    const at = since(a.lookedAt);
    a.lookedAt = looked;
    if (s.hard.length !== a.hard.length || s.hard.some((h, i) => h !== a.hard[i])) {
      const real = digitless(s.hard) !== digitless(a.hard);
      a.hard = s.hard;
      if (real) [a.hardAt, a.noticedAt] = [at, looked];
      else a.softAt = at;
    }
    if (s.soft !== null) {
      if (s.soft !== a.soft) {
        a.soft = s.soft;
        a.softAt = since(a.softLookedAt);
      }
      a.softLookedAt = looked;
    }
    const echoed = isNewer(s.t, a.key);
    if (a.firstAt === null && s.hard.some((h) => !a.base.has(h) || (echoed && h.startsWith("reply:")))) {
      a.firstAt = at;
      a.hardAt = at;
    }
    const usable = composerUsable();
    if (!usable) seen.disabledComposer = true;
    if (usable !== a.usable) {
      a.usable = usable;
      a.usableAt = at;
    }
    a.state = s;
  }

  /** Milliseconds until the last finite animation on something where a product answers has ended; 0 where none runs. */
  const animating = () => {
    const roots = parts(armed.state ? armed.state.t : talk()).filter((p) => HARD.has(p.part)).map((p) => p.el);
    const left = document.getAnimations().map((an) => {
      const target = an.effect && an.effect.target;
      const end = target && an.playState === "running" ? an.effect.getComputedTiming().endTime : Infinity;
      if (!Number.isFinite(end) || !roots.some((r) => rig.flatContains(r, target))) return 0;
      return Math.max(1, (an.playbackRate < 0 ? an.currentTime : end - an.currentTime) / Math.abs(an.playbackRate || 1));
    });
    return Math.max(0, ...left);
  };

  /**
   * Resolves when the product is finished, or at the cap.
   * o: expects ("reply", "change", "nothing"), quiet, quietUnmarked, grace, cap (all ms; cap from the start of the turn), loaded,
   *   fromArm (times count from `armed.at`, since the input came to another document)
   */
  rig.settle = (o) => new Promise((resolve) => {
    const a = armed;
    if (!a) return resolve({ why: "unarmed" }); // another document than the one in which the turn began
    const began = now();
    let timer = null;
    const t0 = () => (lastInput >= a.at - 1 ? Math.min(lastInput, a.firstAt ?? lastInput) : a.at);
    const finish = (settled, why) => {
      steps.delete(step);
      clearTimeout(timer);
      if (settled) a.over = true; // nothing is compared any more until the next turn
      const start = o.fromArm ? a.at : t0();
      const last = Math.max(a.hardAt ?? 0, a.usable ? a.usableAt ?? 0 : 0, a.busy ? 0 : a.busyAt ?? 0);
      const newBubbles = a.state ? a.state.t.count - a.key.count : 0;
      resolve({
        settled, why, t0: start, first: a.firstAt === null ? null : Math.max(0, a.firstAt - start),
        total: settled ? Math.max(0, (last || start) - start) : now() - start, busySeen: seen.busy, newBubbles,
        waited: now() - began, signIn: settled && rig.config.sign_in ? rig.shows(rig.config.sign_in) : null,
      });
    };
    const step = () => {
      if (a !== armed) return finish(false, "superseded");
      const at = now();
      if (at - a.at >= o.cap) return finish(false, "cap");
      clearTimeout(timer);
      const quiet = seen.busy || seen.disabledComposer ? o.quiet : o.quietUnmarked;
      const s = a.state;
      let due = at + RECHECK_MS;
      if (!a.busy && s) {
        let need = quiet;
        const parsed = document.readyState === "complete" || (document.readyState === "interactive" && (!o.loaded || at - a.at > LOAD_MS));
        let ready = (a.usable || s.stands) && parsed;
        if (!ready && s.card && parsed) {
          ready = true;
          need = quiet * SOFT_ROUNDS;
        }
        const still = Math.max(a.hardAt ?? a.at, a.busyAt ?? 0, a.usableAt ?? 0);
        let begun = a.firstAt !== null || o.expects === "nothing";
        if (!begun && o.expects === "change" && at - still >= o.grace) begun = true;
        if (!begun && a.fresh && s.hard.length) begun = true;
        if (ready && begun) {
          const softDue = a.softAt === null ? 0 : Math.min(a.softAt + quiet, still + quiet * SOFT_ROUNDS);
          const end = Math.max(still + need, softDue, a.noticedAt + Math.min(need, NOTICED_MS));
          const cap = end + MOVING_MS;
          const moving = at >= end && at < cap ? animating() : 0;
          if (at >= end && !moving) {
            if (s.soft !== null) return finish(true, "settled");
            look(true);
            return step();
          }
          due = Math.min(due, Math.max(end, Math.min(cap, at + Math.max(5, moving))));
        } else if (o.expects === "change") due = Math.min(due, still + o.grace);
      }
      timer = setTimeout(() => {
        look(!a.busy);
        step();
      }, Math.max(1, Math.min(due, a.at + o.cap) - now()));
    };
    a.over = false;
    steps.add(step);
    look();
    step();
  });

  /** Resolves with fn()'s first truthy value, looked for at every change; null after `ms`. */
  function until(fn, ms) {
    const first = fn();
    if (first) return Promise.resolve(first);
    return new Promise((resolve) => {
      let poll = null;
      const done = (value) => {
        checks.delete(check);
        clearTimeout(end);
        clearInterval(poll);
        resolve(value);
      };
      const check = () => {
        const value = fn();
        if (value) done(value);
      };
      const end = setTimeout(() => done(fn() || null), ms);
      poll = setInterval(check, 50);
      checks.add(check);
    });
  }

  /** Resolves true once a locator's element is on the screen (or, with `gone`, no longer is). */
  rig.waitFor = (locators, ms, gone) => until(() => rig.shows(locators) !== Boolean(gone), ms).then(Boolean);

  // ---------------------------------------------------------------- preparing input

  const editable = (el) => (el.isContentEditable ? el.innerText.replace(/\n$/, "") : el.value);

  /** Where to press: {x, y} in the page's viewport after a hit test, or {why}. Scrolls to the element if needed. */
  function target(el) {
    if (!el || !el.isConnected) return { why: "gone" };
    if (disabled(el)) return { why: "disabled" };
    let p = hitPoint(el);
    if (!p) {
      el.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
      const frame = el.ownerDocument.defaultView.frameElement;
      if (frame && !rig.clearAbove(el.ownerDocument.defaultView, el.getBoundingClientRect().left + 1, el.getBoundingClientRect().top + 1)) {
        frame.scrollIntoView({ block: "nearest", behavior: "instant" });
      }
      p = hitPoint(el);
    }
    if (!p) return { why: rendered(el) ? "covered" : "not shown" };
    const o = offset(el);
    return { x: p.x + o.x, y: p.y + o.y };
  }

  const active = () => {
    let el = document.activeElement;
    for (;;) {
      if (el && el.shadowRoot && el.shadowRoot.activeElement) el = el.shadowRoot.activeElement;
      else if (el && el.localName === "iframe" && rig.frameDocument(el)) el = rig.frameDocument(el).activeElement;
      else return el;
    }
  };

  const actable = (locators) => firstRendered(locators) || many(locators)[0] || null;

  const YOUNG_MS = 2500; // a document younger than this may still move things about: style sheets, fonts, first scripts
  const CALM_MS = 500; // … unless it has been loaded for this long, fonts too
  const frame = () => new Promise((resolve) => {
    requestAnimationFrame(resolve);
    setTimeout(resolve, 60);
  });
  const young = () => {
    const at = performance.now();
    const [page] = performance.getEntriesByType("navigation");
    const loaded = page && page.loadEventEnd > 0 && at - page.loadEventEnd > CALM_MS && document.fonts.status === "loaded";
    return at < YOUNG_MS && !loaded;
  };
  // Transitions of these change how a thing looks, not where it is.
  const STAYS = /^(background|color|opacity|box-shadow|text-shadow|text-decoration|outline|fill|stroke|filter|visibility|caret|accent)|^border-.*color$/;
  const moves = (el) => young() || document.readyState !== "complete" || el.ownerDocument.getAnimations().some((an) =>
    an.playState === "running" && !STAYS.test(an.transitionProperty || "") && an.effect && an.effect.target && rig.flatContains(an.effect.target, el) && Number.isFinite(an.effect.getComputedTiming().endTime));

  const PRESS_MS = 400; // within this a press reaches the page
  let aim = null; // {el, landed}: what the next press is meant for, and whether it met it

  /** Waits until something can be pressed, at a place where it stays, and says where. */
  async function press(get, ms) {
    const end = performance.now() + ms;
    for (;;) {
      let last = { why: "not there" };
      const el = await until(() => {
        const candidate = get();
        last = candidate ? target(candidate) : { why: "not there" };
        return last.x === undefined ? null : candidate;
      }, Math.max(0, end - performance.now()));
      if (!el) return last;
      if (moves(el)) {
        const before = last;
        await frame();
        await frame();
        last = target(el);
        const stayed = last.x !== undefined && Math.abs(last.x - before.x) < 1 && Math.abs(last.y - before.y) < 1;
        if (!stayed && performance.now() < end) continue;
        if (!stayed) return { why: last.why || "moving" };
      }
      aim = { el, landed: null };
      return { ...last, focused: active() === el };
    }
  }

  /** Whether the press just made met what it was meant for: true, false, or null if the page got no press at all. */
  rig.landed = () => (aim ? aim.landed : true);

  rig.pressPoint = (locators, ms) => press(() => actable(locators), ms);
  rig.handlePoint = (id, ms) => press(() => rig.handleOf(id), ms);
  rig.composerPoint = (ms) => press(() => composer(), ms).then((p) => {
    const el = composer();
    return p.x === undefined ? p : { ...p, text: editable(el), multiline: el.isContentEditable || el.localName === "textarea", rich: el.isContentEditable };
  });
  rig.composerUsable = composerUsable;
  rig.composerText = () => {
    const el = composer();
    return el ? editable(el) : null;
  };
  /** Once the composer holds the text: starts the turn and, with `send`, says where to press. {at, point}, or null. */
  rig.typed = async (text, ms, send, sendMs) => {
    if (!await until(() => same(rig.composerText(), text), ms)) return null;
    const at = rig.arm();
    return { at, point: send ? await rig.pressPoint(send, sendMs) : null };
  };

  rig.about = (id) => {
    const el = rig.handleOf(id);
    if (!el || !el.isConnected) return null;
    return {
      tag: el.localName, type: el.type || "", value: el.isContentEditable ? editable(el) : el.value ?? "", rich: el.isContentEditable,
      checked: el.checked ?? el.getAttribute("aria-checked") === "true", focused: active() === el,
      options: el.localName === "select" ? [...el.options].map((o) => o.label.trim()) : [], index: el.selectedIndex ?? -1,
      disabledOptions: el.localName === "select" ? [...el.options].map((o) => o.disabled || o.hidden) : [],
    };
  };
  rig.valueIs = (id, value, ms) => until(() => {
    const el = rig.handleOf(id);
    if (!el) return false;
    const has = el.localName === "select" ? (el.selectedOptions[0] || {}).label || "" : editable(el) ?? "";
    return same(has.toLowerCase(), value.toLowerCase());
  }, ms).then(Boolean);
  rig.locate = (locators) => {
    const el = actable(locators);
    return el ? rig.handle(el) : null;
  };

  /**
   * Watches for the customer's own bubble after a send. Resolves
   * {seen: how many new bubbles, text: its visible text} or {seen: 0, why}: "wiped" (emptied by itself, nothing sent),
   * "ignored" (text still there, nothing happening), "vanished" (emptied as by a send, but nothing whatever happened for so
   * long that a person would write it again) or "nothing" (something is going on, but no bubble came). With `pressed`,
   * {landed} at once where the press on the send button met something else (false) or nothing (null).
   */
  rig.confirmSent = (message, ms, idle, pressed) => {
    if (!armed) return null; // another document than the one in which the message was sent
    if (pressed && aim && aim.landed === null) {
      return until(() => aim.landed !== null, PRESS_MS).then((came) => (came ? rig.confirmSent(message, ms, idle, true) : { landed: null }));
    }
    if (pressed && aim && !aim.landed) return { landed: false };
    const key = armed.key;
    const sentAt = now();
    let emptiedAt = null;
    let otherAt = null;
    let lastChange = now();
    let before = JSON.stringify(armed.hard);
    return until(() => {
      const t = talk();
      if (isNewer(t, key)) {
        const text = rig.oneText(t.last);
        otherAt ??= now();
        const right = holds(text, message);
        if (text && (right || now() - otherAt > 2000)) return { seen: Math.max(1, t.count - key.count), text, right };
      }
      const at = now();
      const left = rig.composerText();
      const text = squeeze(left);
      if (!text && emptiedAt === null) emptiedAt = at;
      if (armed.busy) lastChange = at;
      const hard = JSON.stringify(armed.hard);
      if (hard !== before) [before, lastChange] = [hard, at];
      const quiet = at - Math.max(lastChange, sentAt);
      if (emptiedAt !== null && emptiedAt - sentAt > 150 && at - emptiedAt > idle && quiet > idle) return { seen: 0, why: "wiped" };
      if (text && same(left, message) && composerUsable() && quiet > idle * 2) return { seen: 0, why: "ignored" };
      if (!text && composerUsable() && quiet > idle * 4) return { seen: 0, why: "vanished" };
      return null;
    }, ms).then((r) => r || { seen: 0, why: "nothing" });
  };

  rig.newBubbles = () => (armed ? talk().count - armed.key.count : 0);

  rig.count = (locators) => many(locators).filter(rendered).length;
  /** The last shown element of these locators, to be compared with later: how many there are, its words, its place. */
  const lastOf = (locators) => {
    const all = many(locators).filter(rendered);
    const last = all[all.length - 1] || null;
    return { count: all.length, text: last ? squeeze(last.textContent) : "", ...place(last) };
  };
  rig.lastOf = lastOf;
  /** One more than `before`; in a list that holds its newest rows only: other words, further down or with the file's name. */
  rig.another = (locators, before, name, ms) => until(() => {
    const l = lastOf(locators);
    if (l.count > before.count) return true;
    return l.count > 0 && l.text !== before.text && (l.text.includes(squeeze(name)) || l.y > before.y + before.tall * 0.8);
  }, ms).then(Boolean);
  rig.textShown = (text, ms) => until(() => holds(document.body.innerText, text), ms).then(Boolean);

  // ---------------------------------------------------------------- pictures of a scrolling transcript

  function pane() {
    const t = talk();
    for (let n = t.transcript; n; n = rig.flatParent(n)) {
      if (n === n.ownerDocument.body || n === n.ownerDocument.documentElement) return null;
      if (/auto|scroll/.test(getComputedStyle(n).overflowY) && n.scrollHeight > n.clientHeight + 1) return n;
    }
    return null;
  }

  /** Scroll offsets at which the newest reply is wholly seen, and where the pane is now; null where one picture will do. */
  rig.scrollSteps = (most) => {
    const p = pane();
    const t = talk();
    if (!p || !t.replies.length) return null;
    const r = p.getBoundingClientRect();
    const top = t.replies[0].getBoundingClientRect().top - r.top + p.scrollTop;
    const live = parts(t).filter((x) => HARD.has(x.part) && rendered(x.el) && flatContains(p, x.el)).map((x) => x.el);
    const bottom = Math.max(...[...t.replies, ...live].map((el) => el.getBoundingClientRect().bottom)) - r.top + p.scrollTop;
    const steps = [];
    if (top >= p.scrollTop - 2 && bottom <= p.scrollTop + p.clientHeight + 2) return null;
    for (let y = top; y < bottom && steps.length < most; y += Math.max(40, p.clientHeight - 24)) steps.push(y);
    return { now: p.scrollTop, steps };
  };
  rig.scrollTo = (y) => new Promise((resolve) => {
    const p = pane();
    if (p) p.scrollTo({ top: y, behavior: "instant" });
    requestAnimationFrame(() => resolve(true));
    setTimeout(() => resolve(true), 100);
  });

  /** A reading, and how to scroll for its pictures. */
  rig.readForPictures = (most) => ({ ...rig.read(), scroll: rig.scrollSteps(most) });

  rig.focus = (id) => {
    const el = rig.handleOf(id);
    if (el) el.focus();
    return active() === el;
  };

  /** Resolves after what an input event began in the page (default actions, tasks) has been started. */
  rig.tick = () => new Promise((resolve) => setTimeout(() => setTimeout(() => resolve(true), 0), 0));

  // ---------------------------------------------------------------- looking at a whole page

  const pageText = () => {
    const reading = new Reading(true);
    const tokens = [];
    reading.walk(document.documentElement, tokens, null);
    return reading.paragraphs(tokens).join("\n");
  };

  /** Resolves true once the page's text has been still for `quiet` ms, false at `cap`. Ticking digits do not count. */
  rig.stillPage = (quiet, cap) => {
    let text = null;
    let since = now();
    const end = now() + cap;
    return new Promise((resolve) => {
      const look = () => {
        const next = document.readyState === "loading" ? null : digitless([pageText()]);
        if (next !== text) [text, since] = [next, now()];
        if (text !== null && now() - since >= quiet && !document.getAnimations().some((a) => a.playState === "running" && a.effect && Number.isFinite(a.effect.getComputedTiming().endTime))) return resolve(true);
        if (now() >= end) return resolve(false);
        setTimeout(look, Math.max(5, Math.min(since + quiet, end) - now(), 20));
      };
      look();
    });
  };

  let panes = [];
  /** Panes that scroll, the page itself among them: how many there are. */
  rig.panes = (most) => {
    panes = [];
    const page = document.scrollingElement || document.documentElement;
    const all = (root) => [...root.querySelectorAll("*")].flatMap((el) => (el.shadowRoot ? [el, ...all(el.shadowRoot)] : [el]));
    for (const el of [page, ...all(document)]) {
      if (el !== page && (el === document.body || el === document.documentElement)) continue;
      const flow = getComputedStyle(el).overflowY;
      if (el.scrollHeight > el.clientHeight + 8 && el.clientHeight > 20 && (el === page ? flow !== "hidden" : /auto|scroll/.test(flow))) panes.push(el);
      if (panes.length >= most) break;
    }
    return panes.length;
  };
  rig.pane = (i) => {
    const el = panes[i];
    if (!el || !el.isConnected) return null;
    const page = el === (document.scrollingElement || document.documentElement);
    const r = page ? { left: 0, top: 0, width: innerWidth, height: innerHeight } : el.getBoundingClientRect();
    const x = r.left + r.width / 2;
    const y = r.top + r.height / 2;
    const hit = document.elementFromPoint(x, y);
    return { x, y, top: el.scrollTop, height: el.clientHeight, end: Math.abs(el.scrollTop) + el.clientHeight >= el.scrollHeight - 2,
      reachable: page || Boolean(hit && (rig.flatContains(el, hit) || hit.shadowRoot)) };
  };
  rig.paneMoved = (i, top, ms) => until(() => panes[i] && Math.abs(panes[i].scrollTop - top) > 0.5, ms).then(Boolean);

  rig.ready = true;
})();
