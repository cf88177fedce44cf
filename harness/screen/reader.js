// What a sighted person can read and use. Runs in the rig's isolated world; nothing is written to the page.
//
// A reading walks the flat tree (open shadow roots, slots, same-origin frames) into tokens, tests every line of text
// against clipping, transparency, colour and covering, and joins what is left. Scroll positions that had to move for a
// covering test are put back before the call returns, so no frame is painted in between.
(() => {
  "use strict";
  const rig = (globalThis.__rig ??= {});
  const { flatParent, flatContains, labelsOf, frameDocument } = rig;

  const MIN_OPACITY = 0.1; // below this a person does not notice the text
  const MIN_LINE_HEIGHT = 5; // px on screen; smaller is not legible
  const MIN_CONTRAST = 1.07; // contrast ratio (WCAG) under which text has the colour of its background
  const BLURRED = 4; // px of blur from which ordinary text cannot be read
  const OPAQUE = 0.85; // a layer at least this opaque hides what is under it
  const MIN_SHARE = 0.5; // part of a character's box that must be inside the clip
  const AIM = 0.3; // a line is scrolled to this part of its pane: clear of sticky headers, with room for those after it
  const HUGE = 1e7;
  const NO_CHILDREN = new Set(["script", "style", "noscript", "template", "canvas", "video", "audio", "datalist", "head", "title",
    "iframe", "frame", "embed", "input", "select", "textarea", "option", "optgroup", "img", "progress", "meter", "defs", "desc", "symbol", "clipPath", "mask", "pattern", "marker", "metadata", "annotation"]);
  const SHAPES = new Set(["rect", "circle", "ellipse", "path", "polygon", "polyline", "image", "use", "foreignObject"]);
  const CONTROLS = "button,input:not([type=hidden]),select,textarea,a[href],summary,[contenteditable]:not([contenteditable=false])," +
    ["button", "link", "textbox", "searchbox", "combobox", "checkbox", "radio", "switch", "menuitem", "tab", "option"].map((r) => `[role=${r}]`).join(",") +
    ",[onclick]";
  // Code points that paint nothing (zero width, tags, bidi controls, variation selectors): never seen, so never read.
  const UNSEEN = /[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0e\ufeff\ufff9-\ufffb]|[\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/gu;
  const JOINERS = /(^|[\u0000-\u024f])[\u200c\u200d\ufe0f]+|[\u200c\u200d]+(?=[\u0000-\u024f]|$)/gu;
  const PRIVATE_USE = /[\ue000-\uf8ff]|[\u{f0000}-\u{10ffff}]/gu;
  const SPACES = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g;
  const ICON_FONT = /icon|symbols|awesome|glyph/i;
  const CJK = "[\\u2e80-\\u9fff\\uf900-\\ufaff\\uff00-\\uffef\\u3000-\\u303f]";
  const CJK_BREAK = new RegExp(`(${CJK})[ \\t]*\\n[ \\t]*(?=${CJK})`, "gu");

  // ---------------------------------------------------------------- geometry

  const box = (l, t, r, b) => ({ l, t, r, b });
  const rectBox = (rect) => box(rect.left, rect.top, rect.right, rect.bottom);
  const cut = (a, b) => box(Math.max(a.l, b.l), Math.max(a.t, b.t), Math.min(a.r, b.r), Math.min(a.b, b.b));
  const area = (a) => Math.max(0, a.r - a.l) * Math.max(0, a.b - a.t);
  const inside = (a, clip, slack = 1) => a.l >= clip.l - slack && a.t >= clip.t - slack && a.r <= clip.r + slack && a.b <= clip.b + slack;
  const number = (text, whole = 0) => {
    const n = parseFloat(text);
    return Number.isFinite(n) ? (String(text).trim().endsWith("%") ? (n * whole) / 100 : n) : 0;
  };

  // ---------------------------------------------------------------- colour

  const colours = new Map();
  let brush = null;

  /** [r, g, b, a] with 0..255 and 0..1, whatever CSS notation the colour has. */
  function colour(text) {
    const known = colours.get(text);
    if (known) return known;
    let value;
    const plain = /^rgba?\((\d+), (\d+), (\d+)(?:, ([\d.]+))?\)$/.exec(text);
    if (plain) value = [+plain[1], +plain[2], +plain[3], plain[4] === undefined ? 1 : +plain[4]];
    else {
      brush ??= new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
      brush.clearRect(0, 0, 1, 1);
      brush.fillStyle = "rgba(0,0,0,0)";
      brush.fillStyle = text;
      brush.fillRect(0, 0, 1, 1);
      const d = brush.getImageData(0, 0, 1, 1).data;
      value = [d[0], d[1], d[2], d[3] / 255];
    }
    colours.set(text, value);
    return value;
  }

  const over = (top, alpha, under) => [0, 1, 2].map((i) => top[i] * alpha + under[i] * (1 - alpha));
  const luminance = (c) => {
    const f = (v) => ((v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * f(c[0]) + 0.7152 * f(c[1]) + 0.0722 * f(c[2]);
  };
  const contrast = (a, b) => {
    const [x, y] = [luminance(a), luminance(b)];
    return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
  };
  /** Too alike to be told apart: by brightness and by every channel. */
  const alike = (a, b) => contrast(a, b) < MIN_CONTRAST && [0, 1, 2].every((i) => Math.abs(a[i] - b[i]) <= 24);

  // ---------------------------------------------------------------- one reading

  class Reading {
    constructor(fast = false) {
      this.fast = fast; // no covering and colour tests: for noticing that text changes
      this.styles = new Map();
      this.contexts = new Map();
      this.pending = []; // pieces whose covering must be tested after scrolling them into view
      this.unreadable = [];
      this.suspects = []; // elements that may have a closed shadow root
      this.overlays = null; // opaque layers no pointer hits; found on demand
    }

    style(el) {
      let cs = this.styles.get(el);
      if (!cs) this.styles.set(el, (cs = el.ownerDocument.defaultView.getComputedStyle(el)));
      return cs;
    }

    /** What the viewport of a document shows: by scrolling (`clip`) and without (`fixed`), in its own coordinates. */
    viewport(doc) {
      const known = this.contexts.get(doc);
      if (known) return known;
      const view = doc.defaultView;
      const root = doc.documentElement;
      const top = doc.scrollingElement || root;
      const context = { hidden: false, opacity: 1, m: null, painted: null };
      const fixed = box(0, 0, view.innerWidth, view.innerHeight);
      let [clipX, clipY] = [false, false];
      const html = this.style(root);
      const body = doc.body && this.style(doc.body);
      const source = html.overflowX === "visible" && html.overflowY === "visible" && body ? body : html;
      clipX = source.overflowX === "hidden" || source.overflowX === "clip";
      clipY = source.overflowY === "hidden" || source.overflowY === "clip";
      const frame = view.frameElement;
      if (frame) {
        const outer = this.context(frame);
        const r = frame.getBoundingClientRect();
        const [fx, fy] = [r.left + frame.clientLeft, r.top + frame.clientTop];
        const shown = cut(box(fx, fy, fx + frame.clientWidth, fy + frame.clientHeight), outer.clip);
        context.hidden = outer.hidden || area(shown) < 4 || this.style(frame).visibility !== "visible";
        context.opacity = outer.opacity;
        if (frame.getAttribute("scrolling") === "no") clipX = clipY = true;
        const inner = box(shown.l - fx, shown.t - fy, shown.r - fx, shown.b - fy);
        context.fixed = cut(fixed, inner);
      } else context.fixed = fixed;
      const minX = top.scrollLeft < 0 || html.direction === "rtl" ? -(top.scrollWidth - view.innerWidth) : 0;
      const left = -top.scrollLeft + Math.min(0, minX);
      context.clip = box(
        clipX ? context.fixed.l : left, clipY ? context.fixed.t : -top.scrollTop,
        clipX ? context.fixed.r : left + Math.max(top.scrollWidth, view.innerWidth),
        clipY ? context.fixed.b : -top.scrollTop + Math.max(top.scrollHeight, view.innerHeight),
      );
      context.abs = context.clip;
      this.contexts.set(doc, context);
      return context;
    }

    /** Hidden or not, opacity, and clips (for in-flow, absolute and fixed content) that hold inside an element. */
    context(el) {
      const known = this.contexts.get(el);
      if (known) return known;
      const parent = flatParent(el);
      const base = parent ? this.context(parent) : this.viewport(el.ownerDocument);
      const made = this.makeContext(el, parent, base);
      this.contexts.set(el, made);
      return made;
    }

    makeContext(el, parent, base) {
      const gone = { ...base, hidden: true };
      if (base.hidden || (!parent && el !== el.ownerDocument.documentElement)) return gone;
      if (parent && parent.shadowRoot && !el.assignedSlot && el.parentNode === parent) return gone;
      if (parent && parent.localName === "details" && !parent.open && el !== parent.querySelector(":scope > summary")) return gone;
      const cs = this.style(el);
      if (cs.display === "none" || cs.display === "") return gone;
      if (cs.display === "contents") return base;
      let opacity = base.opacity * parseFloat(cs.opacity);
      for (const m of cs.filter.matchAll(/opacity\(([\d.]+)(%?)\)/g)) opacity *= m[2] ? m[1] / 100 : +m[1];
      if (opacity < MIN_OPACITY) return gone;
      if (number((/blur\(([\d.]+px)/.exec(cs.filter) || [])[1] || "0") >= BLURRED) return gone;
      if (cs.maskImage && cs.maskImage.includes("gradient") && gradientAlpha(cs.maskImage, Math.max) < MIN_OPACITY) return gone;
      if (cs.contentVisibility === "hidden") return gone;

      const positioned = cs.position !== "static";
      let own = cs.position === "fixed" ? base.fixed : cs.position === "absolute" ? base.abs : base.clip;
      let next = { ...base, hidden: false, opacity, clip: own, ownClip: own };

      const m3d = cs.transform !== "none" && cs.transform.startsWith("matrix3d") ? new DOMMatrix(cs.transform) : null;
      if (m3d || base.m) {
        const m = base.m ? base.m.multiply(m3d || new DOMMatrix()) : m3d;
        if (cs.backfaceVisibility === "hidden" && m.m33 < 0) return gone;
        next.m = cs.transformStyle === "preserve-3d" ? m : null;
      } else next.m = null;

      const all = (shape) => {
        next.clip = cut(next.clip, shape);
        next.abs = cut(next.abs, shape);
        next.fixed = cut(next.fixed, shape);
        next.ownClip = cut(next.ownClip, shape);
      };
      if (cs.clipPath !== "none") {
        const shape = clipShape(cs.clipPath, rectBox(el.getBoundingClientRect()));
        if (shape) all(shape);
      }
      if (cs.clip !== "auto" && (cs.position === "absolute" || cs.position === "fixed")) {
        const sides = /rect\(([^)]*)\)/.exec(cs.clip);
        const r = rectBox(el.getBoundingClientRect());
        const [t, ri, b, l] = sides ? sides[1].split(/[ ,]+/) : [];
        const side = (text, from, auto) => (text === undefined || text === "auto" ? auto : from + number(text));
        if (sides) all(box(side(l, r.l, -HUGE), side(t, r.t, -HUGE), side(ri, r.l, HUGE), side(b, r.t, HUGE)));
      }
      if (area(next.clip) < 1) return gone;

      const isRoot = el === el.ownerDocument.documentElement;
      const isBody = el === el.ownerDocument.body;
      const html = isBody ? this.style(el.ownerDocument.documentElement) : null;
      const passedOn = isRoot || (isBody && html.overflowX === "visible" && html.overflowY === "visible");
      const inline = cs.display === "inline";
      const paintBox = !inline && /paint|strict|content/.test(cs.contain || "");
      if (!passedOn && !inline && (cs.overflowX !== "visible" || cs.overflowY !== "visible" || paintBox)) {
        const inner = this.overflowClip(el, cs, next.clip, paintBox);
        if (!inner) return { ...next, hidden: true };
        next.clip = inner;
        next.ellipsis = this.ellipsis(el, cs, inner);
      } else if (!inline) next.ellipsis = null;
      const holdsFixed = cs.transform !== "none" || cs.perspective !== "none" || cs.filter !== "none" ||
        cs.translate !== "none" || cs.scale !== "none" || cs.rotate !== "none" || paintBox ||
        (cs.backdropFilter && cs.backdropFilter !== "none") || /transform|perspective|filter/.test(cs.willChange);
      if (positioned || holdsFixed) next.abs = next.clip;
      if (holdsFixed && !inline) next.fixed = next.clip;
      return next;
    }

    /** Clip of an element with overflow: its padding box where content is cut, its whole content where it scrolls. */
    overflowClip(el, cs, outer, paintBox) {
      const r = el.getBoundingClientRect();
      const sx = el.offsetWidth ? r.width / el.offsetWidth : 1;
      const sy = el.offsetHeight ? r.height / el.offsetHeight : 1;
      const l = r.left + el.clientLeft * sx;
      const t = r.top + el.clientTop * sy;
      const port = box(l, t, l + el.clientWidth * sx, t + el.clientHeight * sy);
      const seen = cut(port, outer);
      const scrolls = (v) => v === "auto" || v === "scroll";
      const cuts = (v) => v === "hidden" || v === "clip" || paintBox;
      const [x, y] = [scrolls(cs.overflowX), scrolls(cs.overflowY)];
      if ((x || y) && (seen.r - seen.l < 2 || seen.b - seen.t < MIN_LINE_HEIGHT)) return null;
      const inner = { ...outer };
      if (x) {
        const min = cs.direction === "rtl" || el.scrollLeft < 0 ? -(el.scrollWidth - el.clientWidth) : 0;
        inner.l = port.l + (min - el.scrollLeft) * sx;
        inner.r = inner.l + el.scrollWidth * sx;
      } else if (cuts(cs.overflowX)) [inner.l, inner.r] = [seen.l, seen.r];
      if (y) {
        const reversed = cs.flexDirection === "column-reverse" && cs.display.includes("flex");
        const min = reversed || el.scrollTop < 0 ? -(el.scrollHeight - el.clientHeight) : 0;
        inner.t = port.t + (min - el.scrollTop) * sy;
        inner.b = inner.t + el.scrollHeight * sy;
      } else if (cuts(cs.overflowY)) [inner.t, inner.b] = [seen.t, seen.b];
      return inner;
    }

    /** Where an ellipsis replaces text: {right, from, bottom} or null. `bottom`: only the last line (line clamp). */
    ellipsis(el, cs, clip) {
      const clamp = cs.webkitLineClamp && cs.webkitLineClamp !== "none";
      const overflowing = clamp ? el.scrollHeight > el.clientHeight + 1 : el.scrollWidth > el.clientWidth + 1;
      if (!overflowing || !(clamp || cs.textOverflow === "ellipsis")) return null;
      const r = el.getBoundingClientRect();
      const right = Math.min(clip.r, r.right - number(cs.borderRightWidth) - number(cs.paddingRight));
      brush ??= new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
      brush.font = `${cs.fontStyle} ${cs.fontWeight} ${cs.fontSize} ${cs.fontFamily}`;
      const width = brush.measureText("…").width || number(cs.fontSize) * 0.8;
      return { from: right - width, last: clamp ? clip.b - number(cs.paddingBottom) : null, line: number(cs.fontSize) };
    }

    // ------------------------------------------------------------ what is painted where

    /** Elements painted at a point of a document, topmost first, open shadow roots opened. */
    stack(root, x, y) {
      const list = [];
      for (const el of root.elementsFromPoint(x, y)) {
        if (root.nodeType === 11 && el.getRootNode() !== root) continue;
        if (el.shadowRoot) list.push(...this.stack(el.shadowRoot, x, y));
        list.push(el);
      }
      return list;
    }

    /** How much of what is under it a layer hides: 1 wholly, 0 nothing, null not known. */
    hides(el, x, y) {
      const cs = this.style(el);
      const opacity = this.context(el).hidden ? 0 : this.context(el).opacity;
      const tag = el.localName;
      if (tag === "img") return el.complete && el.naturalWidth ? opacity : 0;
      if (tag === "video") return opacity;
      if (tag === "iframe" || tag === "frame") return this.frameIsOpaque(el) ? opacity : 0;
      if (el.ownerSVGElement) {
        if (!SHAPES.has(tag)) return 0;
        return cs.fill === "none" || cs.fill.startsWith("url") ? 0 : colour(cs.fill)[3] * number(cs.fillOpacity || "1") * opacity;
      }
      let alpha = 0;
      if (number((/blur\(([\d.]+px)/.exec(cs.backdropFilter || "") || [])[1] || "0") >= BLURRED) alpha = 1;
      else if (cs.backgroundClip !== "text") {
        alpha = colour(cs.backgroundColor)[3];
        if (cs.backgroundImage !== "none") {
          alpha = Math.max(alpha, /url\(/.test(cs.backgroundImage) ? 1 : gradientAlpha(cs.backgroundImage));
        }
      }
      if (tag === "dialog" && !within(rectBox(el.getBoundingClientRect()), x, y)) {
        alpha = colour(el.ownerDocument.defaultView.getComputedStyle(el, "::backdrop").backgroundColor)[3];
      }
      if (alpha < OPAQUE) for (const which of ["::before", "::after"]) if (this.pseudoPaints(el, which, x, y)) alpha = 1;
      return alpha * opacity;
    }

    /** An opaque positioned ::before or ::after of `el` lies at the point. */
    pseudoPaints(el, which, x, y) {
      const cs = el.ownerDocument.defaultView.getComputedStyle(el, which);
      if (cs.content === "none" || cs.content === "normal" || cs.display === "none" || cs.visibility !== "visible") return false;
      if (cs.position !== "absolute" && cs.position !== "fixed") return false;
      if (parseInt(cs.zIndex) < 0) return false;
      const solid = Math.max(colour(cs.backgroundColor)[3], /url\(/.test(cs.backgroundImage) ? 1 : gradientAlpha(cs.backgroundImage));
      if (solid * parseFloat(cs.opacity) < OPAQUE) return false;
      const at = cs.position === "fixed" ? box(0, 0, 0, 0) : rectBox(el.getBoundingClientRect());
      if (cs.position === "absolute" && this.style(el).position === "static") return false;
      const l = at.l + (cs.position === "fixed" ? 0 : el.clientLeft) + number(cs.left);
      const t = at.t + (cs.position === "fixed" ? 0 : el.clientTop) + number(cs.top);
      return within(box(l, t, l + number(cs.width), t + number(cs.height)), x, y);
    }

    frameIsOpaque(frame) {
      const doc = frameDocument(frame);
      if (!doc || !doc.documentElement) return true;
      const parts = [doc.documentElement, doc.body].filter(Boolean);
      return parts.some((e) => colour(this.style(e).backgroundColor)[3] >= OPAQUE || this.style(e).backgroundImage !== "none");
    }

    /** Stacking levels of an element below a common ancestor: what paints later is greater. */
    level(el, ancestor) {
      let best = [0, 0];
      const chain = [];
      for (let n = el; n && n !== ancestor; n = flatParent(n)) chain.unshift(n);
      for (const n of chain) {
        const cs = this.style(n);
        const z = parseInt(cs.zIndex);
        const own = cs.position !== "static" || cs.opacity !== "1" || cs.transform !== "none" || cs.filter !== "none";
        if (!own && !Number.isFinite(z)) continue;
        const mine = [Number.isFinite(z) ? z : 0, 1];
        if (mine[0] > best[0] || (mine[0] === best[0] && mine[1] > best[1]) || mine[0] < 0) best = mine;
        if (Number.isFinite(z) || cs.opacity !== "1" || cs.transform !== "none" || cs.position === "fixed") break;
      }
      return best;
    }

    paintsAbove(a, b) {
      if (flatContains(b, a)) return this.level(a, b)[0] >= 0;
      const ups = new Set();
      for (let n = b; n; n = flatParent(n)) ups.add(n);
      let common = a;
      while (common && !ups.has(common)) common = flatParent(common);
      const [la, lb] = [this.level(a, common), this.level(b, common)];
      if (la[0] !== lb[0]) return la[0] > lb[0];
      if (la[1] !== lb[1]) return la[1] > lb[1];
      return Boolean(b.compareDocumentPosition(a) & Node.DOCUMENT_POSITION_FOLLOWING);
    }

    /** Opaque elements that no pointer hits (`pointer-events: none`), looked for once per reading of a whole page. */
    unhittable(doc) {
      if (!this.overlays) {
        this.overlays = [];
        if (this.whole) {
          for (const el of doc.querySelectorAll("*")) {
            const cs = this.style(el);
            if (cs.pointerEvents !== "none" || cs.visibility !== "visible" || el.ownerSVGElement) continue;
            const r = rectBox(el.getBoundingClientRect());
            if (area(r) > 16 && this.hides(el, (r.l + r.r) / 2, (r.t + r.b) / 2) >= OPAQUE) this.overlays.push(el);
          }
        }
      }
      return this.overlays;
    }

    /** `clear`, `covered`, or `outside` (not in the viewport, so not testable now) for a point of `el`'s own document. */
    at(el, x, y) {
      const doc = el.ownerDocument;
      const view = doc.defaultView;
      if (x < 0 || y < 0 || x >= view.innerWidth || y >= view.innerHeight) return "outside";
      const list = this.stack(doc, x, y);
      const own = list.indexOf(el);
      const before = own >= 0 ? list.slice(0, own) : list;
      this.under = own >= 0 ? list.slice(own) : null;
      for (const e of before) {
        if (own < 0 && (flatContains(e, el) || !this.paintsAbove(e, el))) {
          this.under = list.slice(list.indexOf(e)); // el itself is not met by pointers; this is what it is painted on
          break;
        }
        if (this.hides(e, x, y) >= OPAQUE) return "covered";
      }
      if (this.pseudoPaints(el, "::after", x, y) || this.pseudoPaints(el, "::before", x, y)) return "covered";
      for (const e of this.unhittable(doc)) {
        if (e.ownerDocument === doc && !flatContains(e, el) && within(rectBox(e.getBoundingClientRect()), x, y) && this.paintsAbove(e, el)) {
          return "covered";
        }
      }
      const frame = view.frameElement;
      if (!frame) return "clear";
      const r = frame.getBoundingClientRect();
      return this.at(frame, x + r.left + frame.clientLeft, y + r.top + frame.clientTop);
    }

    /** Colour under an element's text: [r, g, b], or null where a picture or gradient makes it unknown. */
    background(el, under) {
      const layers = [];
      let list = under;
      if (!list) {
        list = [];
        for (let n = el; n; n = flatParent(n)) list.push(n);
      }
      for (const e of list) {
        const cs = this.style(e);
        if (["img", "video", "canvas", "iframe"].includes(e.localName)) return null;
        if (e.ownerSVGElement && SHAPES.has(e.localName)) return null;
        if (cs.backgroundImage !== "none" && cs.backgroundClip !== "text") return null;
        if (cs.mixBlendMode !== "normal") return null;
        for (const which of ["::before", "::after"]) {
          const p = e.ownerDocument.defaultView.getComputedStyle(e, which);
          if (p.content !== "none" && p.content !== "normal" && p.position === "absolute" &&
              (colour(p.backgroundColor)[3] > 0 || p.backgroundImage !== "none")) return null;
        }
        const c = colour(cs.backgroundColor);
        if (c[3] > 0) layers.push([c, c[3] * parseFloat(cs.opacity)]);
        if (c[3] * parseFloat(cs.opacity) >= 1) break;
      }
      const dark = this.style(el.ownerDocument.documentElement).colorScheme.includes("dark");
      let result = dark ? [18, 18, 18] : [255, 255, 255];
      for (const [c, alpha] of layers.reverse()) result = over(c, alpha, result);
      return result;
    }

    /** The text's colour can be told from what is under it. */
    contrasts(el, cs, opacity, under) {
      const svg = el.ownerSVGElement || el.localName === "svg";
      const fill = svg ? (cs.fill === "none" ? "rgba(0, 0, 0, 0)" : cs.fill) : cs.webkitTextFillColor || cs.color;
      if (fill.startsWith("url")) return true;
      const c = colour(fill);
      const alpha = c[3] * opacity;
      if (cs.webkitTextStrokeWidth && number(cs.webkitTextStrokeWidth) > 0 && colour(cs.webkitTextStrokeColor)[3] > 0.2) return true;
      if (cs.textShadow !== "none" && this.shadowShows(el, cs, under)) return true;
      if (alpha < MIN_OPACITY) {
        for (let n = el; n; n = flatParent(n)) {
          const s = this.style(n);
          if (s.backgroundClip === "text") return s.backgroundImage !== "none" || colour(s.backgroundColor)[3] > 0.2;
          if (s.display !== "inline") break;
        }
        return false;
      }
      const back = this.background(el, under);
      return back === null || !alike(over(c, alpha, back), back);
    }

    shadowShows(el, cs, under) {
      const shade = colour((/^(?:rgba?|color|oklch|oklab|lab|lch)\([^)]*\)/.exec(cs.textShadow) || ["rgb(0, 0, 0)"])[0]);
      const blur = number((/px (-?[\d.]+px) ([\d.]+px)/.exec(cs.textShadow) || [])[2] || "0");
      const back = this.background(el, under);
      return shade[3] > 0.3 && blur <= 4 && (back === null || !alike(over(shade, shade[3], back), back));
    }

    // ------------------------------------------------------------ text

    /** A piece of text and the lines it is painted on; null if nothing of it can be on the screen. */
    piece(node, parent, context) {
      const raw = node.data;
      const cs = this.style(parent);
      if (cs.visibility !== "visible" || (cs.webkitTextSecurity && cs.webkitTextSecurity !== "none")) return null;
      const range = node.ownerDocument.createRange();
      range.selectNodeContents(node);
      const rects = [...range.getClientRects()].filter((r) => r.width > 0 && r.height > 0);
      if (!rects.length) return null;
      const piece = { node, parent, cs, context, raw, rects, range, lines: rects.map(() => true), chars: null, text: null };
      if (!/\S/.test(raw)) return piece;
      const length = raw.replace(/\s+/g, "").length;
      const width = rects.reduce((sum, r) => sum + (cs.writingMode.startsWith("vertical") ? r.height : r.width), 0);
      if (Math.max(...rects.map((r) => Math.min(r.height, HUGE))) < MIN_LINE_HEIGHT) return null;
      const size = number(cs.fontSize);
      if (length >= 3 && width < length * size * 0.06) return null;
      if (length >= 3 && ICON_FONT.test(cs.fontFamily) && width < size * 1.6) return null;
      const clip = context.clip;
      if (rects.every((r) => area(cut(rectBox(r), clip)) < 1)) return null;
      const whole = rects.every((r) => inside(rectBox(r), clip) && !this.replaced(rectBox(r), context));
      if (!whole) this.cutToClip(piece, clip, context);
      if (piece.chars && !piece.chars.some((c) => c.shown && /\S/.test(c.ch))) return null;
      if (!this.fast) this.test(piece);
      return piece;
    }

    /** An ellipsis is painted where this box would be. */
    replaced(b, context) {
      const e = context.ellipsis;
      if (!e || b.r <= e.from + 1) return false;
      return e.last === null ? true : b.b > e.last - e.line;
    }

    /** Marks the characters of a piece that lie inside its clip. */
    cutToClip(piece, clip, context) {
      piece.chars = this.characters(piece);
      for (const c of piece.chars) {
        if (!c.box) continue;
        const seen = cut(c.box, clip);
        const w = c.box.r - c.box.l;
        const h = c.box.b - c.box.t;
        const shown = seen.r - seen.l >= w * MIN_SHARE && seen.b - seen.t >= h * MIN_SHARE && seen.b - seen.t >= Math.min(h, MIN_LINE_HEIGHT);
        c.shown = shown && !this.replaced(c.box, context);
        if (shown && !c.shown) piece.dots = true;
        if (!shown && context.ellipsis) piece.dots = true;
      }
    }

    characters(piece) {
      const out = [];
      const range = piece.node.ownerDocument.createRange();
      let at = 0;
      for (const ch of piece.raw) {
        range.setStart(piece.node, at);
        range.setEnd(piece.node, at + ch.length);
        const r = [...range.getClientRects()].find((q) => q.width > 0 && q.height > 0);
        out.push({ ch, box: r ? rectBox(r) : null, shown: true });
        at += ch.length;
      }
      return out;
    }

    /** Points across a line of text; more for longer lines. */
    points(r) {
      const vertical = r.height > r.width * 2;
      const n = Math.max(1, Math.min(8, Math.ceil((vertical ? r.height : r.width) / 60)));
      const at = [];
      for (let i = 0; i < n; i++) {
        const f = (i + 0.5) / n;
        at.push(vertical ? [(r.left + r.right) / 2, r.top + r.height * f] : [r.left + r.width * f, (r.top + r.bottom) / 2]);
      }
      return at;
    }

    /** Tests colour and covering of a piece where it is in view; the rest is put off until it is scrolled to. */
    test(piece) {
      const { parent, context, cs } = piece;
      let under;
      let later = false;
      let doubtful = false;
      piece.rects.forEach((r, i) => {
        const seen = cut(rectBox(r), context.clip);
        if (area(seen) < 1) {
          piece.lines[i] = false;
          return;
        }
        const results = [];
        for (const [x, y] of this.points({ left: seen.l, right: seen.r, top: seen.t, bottom: seen.b, width: seen.r - seen.l, height: seen.b - seen.t })) {
          const port = this.port(parent);
          if (!within(port, x, y)) {
            results.push("outside");
            continue;
          }
          const result = this.at(parent, x, y);
          if (result === "clear" && under === undefined && this.under) under = this.under;
          results.push(result);
        }
        if (results.includes("outside")) later = true;
        else if (results.every((q) => q === "covered")) piece.lines[i] = false;
        else if (results.includes("covered")) doubtful = true;
      });
      if (doubtful) this.cutByCover(piece);
      if (!this.contrasts(parent, cs, context.opacity, under)) piece.lines = piece.lines.map(() => false);
      else if (later) this.pending.push(piece);
    }

    /** What of an element's scrolling ancestors' content is in view now, in its document's coordinates. */
    port(el) {
      const known = this.ports?.get(el);
      if (known) return known;
      const view = el.ownerDocument.defaultView;
      let port = box(0, 0, view.innerWidth, view.innerHeight);
      for (const s of this.scrollers(el)) port = cut(port, rectBox(s.getBoundingClientRect()));
      (this.ports ??= new Map()).set(el, port);
      return port;
    }

    /** Scrolling ancestors within the element's document, innermost first; the page itself is not among them. */
    scrollers(el) {
      const found = [];
      for (let n = el; n; n = flatParent(n)) {
        if (n === n.ownerDocument.body || n === n.ownerDocument.documentElement) break;
        const cs = this.style(n);
        const scrolls = /auto|scroll/.test(cs.overflowX + cs.overflowY);
        if (scrolls && (n.scrollHeight > n.clientHeight + 1 || n.scrollWidth > n.clientWidth + 1)) found.push(n);
        if (cs.position === "fixed") break;
      }
      return found;
    }

    cutByCover(piece) {
      piece.chars ??= this.characters(piece);
      for (const c of piece.chars) {
        if (!c.box || !c.shown) continue;
        const [x, y] = [(c.box.l + c.box.r) / 2, (c.box.t + c.box.b) / 2];
        if (this.at(piece.parent, x, y) === "covered") c.shown = false;
      }
    }

    /** Tests the pieces that were out of view, scrolling to each and putting every scroll position back. */
    settlePending() {
      if (!this.pending.length) return;
      const before = new Map();
      const move = (target, dx, dy) => {
        if (!before.has(target)) before.set(target, [target.scrollLeft, target.scrollTop]);
        target.scrollTo({ left: target.scrollLeft + dx, top: target.scrollTop + dy, behavior: "instant" });
      };
      try {
        for (const piece of this.pending) {
          const count = piece.rects.length;
          for (let i = 0; i < count; i++) {
            if (!piece.lines[i]) continue;
            const line = () => [...piece.range.getClientRects()].filter((r) => r.width > 0 && r.height > 0)[i];
            let r = line();
            if (!r) continue;
            for (const s of this.scrollers(piece.parent)) {
              const p = s.getBoundingClientRect();
              const dy = r.top < p.top || r.bottom > p.bottom ? (r.top + r.bottom) / 2 - (p.top + p.height * AIM) : 0;
              const dx = r.left >= p.right || r.right <= p.left ? (r.left + r.right) / 2 - (p.left + p.right) / 2 : 0;
              if (dx || dy) move(s, dx, dy);
              r = line();
            }
            for (let view = piece.node.ownerDocument.defaultView; view; ) {
              const top = view.document.scrollingElement || view.document.documentElement;
              const y = this.inView(view, r);
              if (y) move(top, 0, y);
              r = line();
              view = view.frameElement ? view.frameElement.ownerDocument.defaultView : null;
              if (view) break;
            }
            const results = this.points(r).map(([x, y]) => this.at(piece.parent, x, y)).filter((q) => q !== "outside");
            if (results.length && results.every((q) => q === "covered")) piece.lines[i] = false;
          }
        }
      } finally {
        for (const [target, [left, top]] of before) target.scrollTo({ left, top, behavior: "instant" });
      }
      this.pending = [];
    }

    inView(view, r) {
      const mid = (r.top + r.bottom) / 2;
      return r.top < 0 || r.bottom > view.innerHeight ? mid - view.innerHeight * AIM : 0;
    }

    /** The visible text of a piece, white space not yet folded. */
    textOf(piece) {
      if (piece.text !== null) return piece.text;
      const { cs, raw } = piece;
      let text;
      if (!piece.lines.some(Boolean)) text = "";
      else if (!piece.chars && piece.lines.every(Boolean)) text = raw;
      else {
        piece.chars ??= this.characters(piece);
        const shown = piece.chars.filter((c) => c.shown && (!c.box || this.lineShown(piece, c.box)));
        text = shown.some((c) => /\S/.test(c.ch)) ? shown.map((c) => c.ch).join("") : "";
        if (piece.dots && text) text = text.trimEnd() + "…";
      }
      if (text && /override/.test(cs.unicodeBidi) && cs.direction === "rtl") text = this.visualOrder(piece, text);
      else if (/[\u202d\u202e\u2066-\u2068]/.test(text)) text = this.visualOrder(piece, text);
      if (/\n/.test(text) && cs.whiteSpaceCollapse !== "preserve") text = text.replace(CJK_BREAK, (all, a) => (this.spaceIsPainted(piece) ? all : a));
      text = transform(text, cs.textTransform);
      piece.text = text.replace(UNSEEN, "").replace(JOINERS, "$1").replace(PRIVATE_USE, "").replace(SPACES, " ");
      return piece.text;
    }

    lineShown(piece, b) {
      const mid = (b.t + b.b) / 2;
      const x = (b.l + b.r) / 2;
      const i = piece.rects.findIndex((r) => mid >= r.top && mid <= r.bottom && x >= r.left - 1 && x <= r.right + 1);
      return i < 0 || piece.lines[i];
    }

    spaceIsPainted(piece) {
      const chars = this.characters(piece);
      return chars.some((c, i) => c.ch === "\n" && c.box && c.box.r - c.box.l > 0.5 && i > 0 && i < chars.length - 1);
    }

    /** Text whose direction is overridden, in the order a person reads it from the screen. */
    visualOrder(piece, text) {
      const chars = this.characters(piece).filter((c) => c.box && c.shown);
      const strong = chars.filter((c) => /\p{L}|\p{N}/u.test(c.ch));
      const rtl = strong.filter((c) => /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/.test(c.ch)).length;
      if (!strong.length || rtl * 2 > strong.length) return text;
      chars.sort((a, b) => (Math.abs(a.box.t - b.box.t) > 3 ? a.box.t - b.box.t : a.box.l - b.box.l));
      return chars.map((c) => c.ch).join("");
    }

    // ------------------------------------------------------------ the walk

    /** Tokens of a subtree: text pieces and the breaks between them. `skip`: elements that are read elsewhere. */
    walk(node, out, skip) {
      if (node.nodeType === 3) {
        const parent = flatParent(node);
        if (!parent) return;
        const context = this.context(parent);
        if (context.hidden) return;
        if (parent.localName === "details" && !parent.open) return;
        if (parent.shadowRoot && !node.assignedSlot) return;
        const piece = this.piece(node, this.boxed(parent), context);
        if (piece) out.push({ kind: "text", piece });
        return;
      }
      if (node.nodeType !== 1) return;
      const el = node;
      if (skip && skip.has(el)) return;
      const tag = el.localName;
      if (tag === "br") {
        if (!this.context(el.parentElement || el).hidden) out.push({ kind: "br" });
        return;
      }
      const context = this.context(el);
      if (context.hidden && tag !== "input") return;
      const cs = this.style(el);
      const flow = cs.display === "contents" || context.hidden ? "none" : outer(cs);
      const control = this.controls && el.matches(CONTROLS) ? { el, from: out.length, context } : null;
      if (control) this.controls.push(control);
      if (flow !== "inline" && flow !== "none") out.push({ kind: flow, on: true });
      this.replacedElement(el, cs, context, out);
      this.pseudo(el, "::before", context, out);
      if (!NO_CHILDREN.has(tag)) for (const child of flatChildren(el)) this.walk(child, out, skip);
      else if (tag === "iframe" || tag === "frame") this.frame(el, context, out, skip);
      this.pseudo(el, "::after", context, out);
      if (flow !== "inline" && flow !== "none") out.push({ kind: flow, on: false });
      if (control) control.to = out.length;
      if (!this.fast) this.suspect(el, context);
    }

    boxed(el) {
      let n = el;
      while (n && this.style(n).display === "contents" && flatParent(n)) n = flatParent(n);
      return n;
    }

    /** Values of fields, shown options, texts of button inputs, and things whose text cannot be known. */
    replacedElement(el, cs, context, out) {
      const tag = el.localName;
      if (tag === "input" || tag === "select" || tag === "textarea") {
        // what the customer typed or chose is not the product's answer, so it does not count as a change
        const text = this.fast && !BUTTON_TYPES.has(el.type) ? "" : shownValue(el);
        if (text && this.boxShows(el, context) && this.fieldTextShows(el, cs, context)) out.push({ kind: "value", text });
      } else if (tag === "canvas" && this.boxShows(el, context, 400)) this.unread("canvas", el);
      else if ((tag === "img" || tag === "embed" || tag === "object" || tag === "video") && this.boxShows(el, context, 80 * 24)) {
        if (tag === "img" && el.complete && !el.naturalWidth) {
          if (el.alt) out.push({ kind: "value", text: el.alt });
        } else if (el.getBoundingClientRect().height >= 16) this.unread("image_text", el);
      }
    }

    fieldTextShows(el, cs, context) {
      if (this.fast) return true;
      if (number(cs.fontSize) < 4 || number(cs.textIndent) < -200) return false;
      return this.contrasts(el, cs, context.opacity, null);
    }

    unread(why, el) {
      if (this.fast) return;
      const r = el.getBoundingClientRect();
      this.unreadable.push({ why, where: `${why.replaceAll("_", " ")} of ${Math.round(r.width)} by ${Math.round(r.height)} pixels` });
    }

    /** The element's box, or a line of it, is on the screen. */
    boxShows(el, context, least = 4) {
      if (context.hidden || this.style(el).visibility !== "visible") return false;
      const clip = context.ownClip || context.clip;
      return [...el.getClientRects()].some((r) => area(cut(rectBox(r), clip)) >= least);
    }

    frame(el, context, out, skip) {
      if (!this.boxShows(el, context, 16)) return;
      const doc = frameDocument(el);
      if (!doc) return this.unread("cross_origin_frame", el);
      if (!doc.body || (doc.readyState === "loading" && !doc.body.firstChild)) return this.unread("frame_not_ready", el);
      if (rig.watchRoot) rig.watchRoot(doc);
      out.push({ kind: "block" });
      this.walk(doc.documentElement, out, skip);
      out.push({ kind: "block" });
    }

    /** Elements that show something although nothing readable is in them: perhaps a closed shadow root. */
    suspect(el, context) {
      if (el.shadowRoot) {
        if (rig.watchRoot) rig.watchRoot(el.shadowRoot);
        return;
      }
      const custom = el.localName.includes("-");
      if (!custom && !/^(article|aside|blockquote|body|div|footer|h[1-6]|header|main|nav|p|section|span)$/.test(el.localName)) return;
      if (!this.boxShows(el, context)) return;
      if (custom) this.suspects.push(el);
      else if (this.suspects.length < 200) {
        const children = [...el.childNodes].filter((n) => n.nodeType === 1 || (n.nodeType === 3 && /\S/.test(n.data)));
        const range = el.ownerDocument.createRange();
        const rendered = children.some((n) => (n.nodeType === 1 ? n.getClientRects().length : (range.selectNodeContents(n), range.getClientRects().length)));
        if (!rendered && el.getBoundingClientRect().height >= MIN_LINE_HEIGHT) this.suspects.push(el);
      }
    }

    /** Generated text before or after an element. */
    pseudo(el, which, context, out) {
      const cs = el.ownerDocument.defaultView.getComputedStyle(el, which);
      if (cs.content === "none" || cs.content === "normal" || cs.content === '""') return;
      const text = generated(cs.content, el);
      if (!text || cs.display === "none" || cs.visibility !== "visible") return;
      if (number(cs.fontSize) < 4 || parseFloat(cs.opacity) * context.opacity < MIN_OPACITY) return;
      if (cs.position === "absolute" || cs.position === "fixed") {
        const far = [cs.left, cs.top, cs.marginLeft, cs.marginTop].some((v) => number(v) < -500);
        if (far || (number(cs.width) <= 1 && cs.overflowX !== "visible") || /rect\(0/.test(cs.clip) || /inset\((5\d|[6-9]\d|100)%/.test(cs.clipPath)) return;
      }
      if (number(cs.textIndent) < -500) return;
      if (/matrix\(0, 0, 0, 0/.test(cs.transform)) return;
      const c = colour(cs.webkitTextFillColor || cs.color);
      if (c[3] * context.opacity < MIN_OPACITY) return;
      if (!this.fast && cs.backgroundImage === "none") {
        const own = colour(cs.backgroundColor);
        const back = own[3] >= 1 ? own : this.background(el, null);
        if (back && alike(over(c, c[3], back), back)) return;
      }
      if (ICON_FONT.test(cs.fontFamily)) return;
      if (!this.boxShows(el, context, 1)) return;
      if (!this.fast && this.covered(el, context)) return;
      const flow = outer(cs);
      if (flow === "block") out.push({ kind: "block" });
      out.push({ kind: "value", text: transform(text, cs.textTransform), plain: true });
      if (flow === "block") out.push({ kind: "block" });
    }

    /** The middle of each of an element's boxes is covered. */
    covered(el, context) {
      const results = [...el.getClientRects()]
        .map((r) => cut(rectBox(r), context.ownClip || context.clip))
        .filter((b) => area(b) > 0)
        .map((b) => this.at(el, (b.l + b.r) / 2, (b.t + b.b) / 2));
      return results.length > 0 && results.every((q) => q === "covered");
    }

    // ------------------------------------------------------------ joining

    /** Paragraphs (one per visual block) of tokens; lines of a paragraph are separated by \n. */
    paragraphs(tokens) {
      const done = [];
      let text = "";
      let notes = ""; // ruby: annotations are read after the line they stand over
      let main = null;
      let mainLast = null;
      let last = null; // last painted box on the line
      const flush = () => {
        if (main !== null) [text, main] = [main, null];
        if (notes) text += ` ${notes}`;
        notes = "";
        const lines = text.split("\n").map((l) => l.replace(/[ \t\r\f]+/g, " ").trim());
        const kept = lines.join("\n").replace(/^\n+|\n+$/g, "").replace(/\n{2,}/g, "\n");
        if (kept) done.push(kept);
        text = "";
        last = null;
      };
      const add = (s) => {
        text += /[ \n]$/.test(text) || text === "" ? s.replace(/^ +/, "") : s;
      };
      for (const t of tokens) {
        if (t.kind === "block") flush();
        else if (t.kind === "note") {
          if (t.on && main === null) [main, text, mainLast] = [text, "", last];
          else if (!t.on && main !== null) {
            notes = `${notes} ${text.trim()}`.trim();
            [text, main, last] = [main, null, mainLast];
          }
        }
        else if (t.kind === "br") {
          text = text.replace(/ +$/, "") + "\n";
          last = null;
        } else if (t.kind === "cell") {
          if (text && !/[ \n]$/.test(text)) text += " ";
          last = null;
        } else if (t.kind === "value") {
          if (text && !/[ \n]$/.test(text) && !t.plain) text += " ";
          add(t.text.replace(UNSEEN, "").replace(PRIVATE_USE, "").replace(SPACES, " ") + (t.plain ? "" : " "));
          last = null;
        } else {
          const p = t.piece;
          const shown = this.textOf(p);
          if (!shown) continue;
          const keeps = p.cs.whiteSpaceCollapse;
          const s = keeps === "preserve" || keeps === "break-spaces" ? shown.replace(/\t/g, " ")
            : keeps === "preserve-breaks" ? shown.replace(/[ \t]*\n[ \t]*/g, "\n").replace(/[ \t]+/g, " ")
            : shown.replace(/[ \t\n\r\f]+/g, " ");
          if (/\S/.test(s) && last && apart(last, p.rects[0], number(p.cs.fontSize)) && !/\s$/.test(text) && !/^\s/.test(s)) text += " ";
          if (keeps === "preserve" || keeps === "break-spaces") text += s;
          else add(s);
          if (/\S/.test(s)) last = p.rects[p.rects.length - 1];
        }
      }
      flush();
      return done;
    }

    /** Visible text of one element on one line. */
    line(el, skip) {
      const out = [];
      const kept = this.controls;
      this.controls = null;
      this.walk(el, out, skip);
      this.controls = kept;
      this.settlePending();
      return this.paragraphs(out).join(" ").replace(/\s+/g, " ").trim();
    }
  }

  // ---------------------------------------------------------------- helpers

  const within = (b, x, y) => x >= b.l && x <= b.r && y >= b.t && y <= b.b;

  /** Two boxes on one line with a gap a person would read as a space. */
  function apart(a, b, size) {
    const sameLine = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > Math.min(a.height, b.height) * 0.5;
    if (!sameLine) return true;
    return Math.max(b.left - a.right, a.left - b.right) > size * 0.18;
  }

  function flatChildren(el) {
    if (el.shadowRoot) return el.shadowRoot.childNodes;
    if (el.localName === "slot") {
      const assigned = el.assignedNodes();
      return assigned.length ? assigned : el.childNodes;
    }
    return el.childNodes;
  }

  function outer(cs) {
    const d = cs.display;
    if (d === "table-cell") return "cell";
    if (d === "ruby-text") return "note";
    if (d === "inline" || d === "contents" || d.startsWith("inline-") || d === "ruby") return "inline";
    return "block";
  }

  function transform(text, how) {
    if (how === "uppercase") return text.toUpperCase();
    if (how === "lowercase") return text.toLowerCase();
    if (how === "capitalize") return text.replace(/(^|[^\p{L}\p{N}\p{M}'’])(\p{L})/gu, (_, a, b) => a + b.toUpperCase());
    if (how === "full-width") return text.replace(/[!-~]/g, (c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0));
    return text;
  }

  /** Smallest (or, with Math.max, largest) alpha of a gradient's stops; 0 for no gradient. */
  function gradientAlpha(image, pick = Math.min) {
    if (image === "none") return 0;
    const stops = image.match(/rgba?\([^)]*\)|color\([^)]*\)|transparent/g) || [];
    return stops.length ? pick(...stops.map((s) => colour(s)[3])) : 0;
  }

  /** Bounding box of a basic clip-path shape; null where it is not known (then nothing is cut). */
  function clipShape(path, r) {
    const [w, h] = [r.r - r.l, r.b - r.t];
    let m = /^inset\(([^)]*?)(?: round .*)?\)/.exec(path);
    if (m) {
      const v = m[1].trim().split(/\s+/);
      const [t, ri, b, l] = [v[0], v[1] ?? v[0], v[2] ?? v[0], v[3] ?? v[1] ?? v[0]];
      return box(r.l + number(l, w), r.t + number(t, h), r.r - number(ri, w), r.b - number(b, h));
    }
    m = /^(circle|ellipse)\((.*)\)$/.exec(path);
    if (m) {
      const [radii, at] = m[2].split(" at ");
      const pos = (at || "50% 50%").trim().split(/\s+/);
      const [cx, cy] = [r.l + number(pos[0], w), r.t + number(pos[1] ?? "50%", h)];
      const v = radii.trim().split(/\s+/).filter((q) => /^[\d.]/.test(q));
      if (!v.length) return null;
      const rx = number(v[0], m[1] === "circle" ? Math.hypot(w, h) / Math.SQRT2 : w);
      const ry = m[1] === "circle" ? rx : number(v[1] ?? v[0], h);
      return box(cx - rx, cy - ry, cx + rx, cy + ry);
    }
    m = /^polygon\((?:(?:nonzero|evenodd),\s*)?(.*)\)$/.exec(path);
    if (m) {
      const points = m[1].split(",").map((q) => q.trim().split(/\s+/)).map(([x, y]) => [r.l + number(x, w), r.t + number(y, h)]);
      const xs = points.map((q) => q[0]);
      const ys = points.map((q) => q[1]);
      return box(Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys));
    }
    return null;
  }

  /** Strings of a computed `content`; counters and pictures give nothing. */
  function generated(content, el) {
    let out = "";
    const list = content.split(/ \/ (?=")/)[0];
    for (const m of list.matchAll(/"((?:[^"\\]|\\.)*)"|attr\(([\w-]+)[^)]*\)|(open-quote)|(close-quote)/g)) {
      if (m[1] !== undefined) out += m[1].replace(/\\([0-9a-f]{1,6}) ?/gi, (_, h) => String.fromCodePoint(parseInt(h, 16))).replace(/\\(.)/g, "$1");
      else if (m[2]) out += el.getAttribute(m[2]) || "";
      else out += m[3] ? "“" : "”";
    }
    return out;
  }

  const BUTTON_TYPES = new Set(["button", "submit", "reset"]);
  const NO_TEXT_TYPES = new Set(["password", "hidden", "checkbox", "radio", "range", "color", "image"]);

  /** Text a form element shows by itself: a value, the chosen option, the words on a button, names of chosen files. */
  function shownValue(el) {
    if (el.localName === "select") {
      const shown = el.multiple || el.size > 1 ? [...el.options] : [...el.selectedOptions];
      return shown.map((o) => o.label.trim()).filter(Boolean).join("\n");
    }
    if (el.localName === "textarea") return el.value;
    if (NO_TEXT_TYPES.has(el.type)) return "";
    if (el.type === "file") return [...el.files].map((f) => f.name).join("\n");
    if (BUTTON_TYPES.has(el.type)) return el.value || { submit: "Submit", reset: "Reset", button: "" }[el.type];
    return el.value;
  }

  Object.assign(rig, { Reading, box, cut, area, rectBox, within, shownValue, colour, BUTTON_TYPES, HIDES: OPAQUE });
})();
