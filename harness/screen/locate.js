// Finds elements by an adapter's locators. Runs in the rig's isolated world; reads only, writes nothing to the page.
(() => {
  "use strict";
  const rig = (globalThis.__rig ??= {});

  const INPUTS = (types) => types.map((t) => `input[type=${t}]`).join(",");
  const ROLE_SELECTOR = {
    alertdialog: "", alert: "", article: "article", banner: "header", button: `button,${INPUTS(["button", "submit", "reset", "image"])},summary`,
    cell: "td", checkbox: "input[type=checkbox]", columnheader: "th", combobox: "select:not([multiple]):not([size])",
    complementary: "aside", contentinfo: "footer", dialog: "dialog", figure: "figure", form: "form", grid: "", group: "fieldset,details",
    heading: "h1,h2,h3,h4,h5,h6", img: "img,svg", link: "a[href],area[href]", list: "ul,ol,menu",
    listbox: "select[multiple],select[size]", listitem: "li", log: "", main: "main", menu: "", menuitem: "", meter: "meter",
    navigation: "nav", option: "option", progressbar: "progress", radio: "input[type=radio]", radiogroup: "", region: "section",
    row: "tr", rowgroup: "tbody,thead,tfoot", searchbox: "input[type=search]", slider: "input[type=range]",
    spinbutton: "input[type=number]", status: "output", switch: "", tab: "", table: "table", tablist: "", tabpanel: "",
    textbox: `textarea,input:not([type]),${INPUTS(["text", "email", "tel", "url"])},[contenteditable]:not([contenteditable=false])`,
  };
  const NAMED_BY_CONTENT = new Set([
    "button", "cell", "checkbox", "columnheader", "heading", "link", "menuitem", "option", "radio", "row", "switch", "tab", "listitem",
  ]);
  const FIELDS = "input:not([type=hidden]),select,textarea,[contenteditable]:not([contenteditable=false]),[role=textbox],[role=combobox],[role=checkbox],[role=radio],[role=switch]";

  const fold = (text) => (text || "").replace(/[\s\u00a0\u3000]+/g, " ").trim();
  const lower = (text) => fold(text).toLowerCase();

  /** Parent in the flat tree: slot, shadow host or parent; null at the top of a document. */
  function flatParent(node) {
    if (node.assignedSlot) return node.assignedSlot;
    const parent = node.parentNode;
    if (!parent) return null;
    if (parent.nodeType === 11) return parent.host || null;
    return parent.nodeType === 1 ? parent : null;
  }

  /** True if `inner` is `outer` or below it in the flat tree (shadow roots and slots included, frames not). */
  function flatContains(outer, inner) {
    for (let node = inner; node; node = flatParent(node)) if (node === outer) return true;
    return false;
  }

  function byIds(el, ids) {
    const root = el.getRootNode();
    return (ids || "").split(/\s+/).map((id) => id && root.getElementById && root.getElementById(id)).filter(Boolean);
  }

  function labelsOf(el) {
    const found = byIds(el, el.getAttribute("aria-labelledby"));
    for (const label of el.labels || []) if (!found.includes(label)) found.push(label);
    return found;
  }

  /** Accessible name, simplified. For finding what an adapter names; never shown to a customer. */
  function accessibleName(el, role) {
    const referred = byIds(el, el.getAttribute("aria-labelledby"));
    if (referred.length) return fold(referred.map((e) => e.textContent).join(" "));
    if (fold(el.getAttribute("aria-label"))) return fold(el.getAttribute("aria-label"));
    if (el.labels && el.labels.length) return fold([...el.labels].map((e) => e.textContent).join(" "));
    const tag = el.localName;
    if (tag === "input" && ["button", "submit", "reset"].includes(el.type)) return fold(el.value || el.type);
    if (tag === "img" || (tag === "input" && el.type === "image")) return fold(el.getAttribute("alt"));
    const heading = { table: ":scope > caption", fieldset: ":scope > legend", figure: ":scope > figcaption" }[tag];
    const titled = heading && el.querySelector(heading);
    if (titled) return fold(titled.textContent);
    if (NAMED_BY_CONTENT.has(role) && fold(el.textContent)) return fold(el.textContent);
    return fold(el.getAttribute("title") || el.getAttribute("placeholder"));
  }

  /** Those whose name equals the wanted one; if there are none, those whose name contains it. Case does not count. */
  function named(elements, nameOf, wanted, exact) {
    const want = lower(wanted);
    const names = elements.map((el) => lower(nameOf(el)));
    const equal = elements.filter((_, i) => names[i] === want);
    if (equal.length || exact) return equal;
    return elements.filter((_, i) => names[i].includes(want));
  }

  function byRole(root, locator) {
    const role = locator.role;
    const implicit = ROLE_SELECTOR[role];
    const selector = `[role~=${CSS.escape(role)}]` + (implicit ? `,${implicit}` : "");
    const all = [...root.querySelectorAll(selector)].filter((el) => {
      const explicit = fold(el.getAttribute("role")).split(" ")[0];
      return explicit ? explicit === role : true;
    });
    if (locator.name == null) return all;
    return named(all, (el) => accessibleName(el, role), locator.name, locator.exact === "true");
  }

  function byText(root, locator) {
    const hits = [];
    const doc = root.nodeType === 9 ? root : root.ownerDocument;
    const walker = doc.createTreeWalker(root, 1);
    const want = lower(locator.text);
    while (walker.nextNode()) {
      const el = walker.currentNode;
      if (["script", "style", "noscript", "template"].includes(el.localName)) continue;
      if (lower(el.textContent).includes(want)) hits.push(el);
    }
    const smallest = hits.filter((el) => !hits.some((other) => other !== el && el.contains(other)));
    return named(smallest, (el) => el.textContent, locator.text, locator.exact === "true");
  }

  function frameDocument(frame) {
    try {
      return frame.contentDocument || null;
    } catch {
      return null;
    }
  }

  /** Where a locator looks: the given roots, or the document, followed through `within`, `frame` and `shadow`. */
  function rootsOf(locator, roots) {
    let at = locator.within ? find(locator.within, roots) : roots;
    for (const css of locator.frame || []) {
      at = at.flatMap((r) => [...r.querySelectorAll(css)]).map(frameDocument).filter(Boolean);
    }
    for (const css of locator.shadow || []) {
      at = at.flatMap((r) => [...r.querySelectorAll(css)]).map((host) => host.shadowRoot).filter(Boolean);
    }
    for (const root of at) if (rig.watchRoot && (root.nodeType === 9 || root.nodeType === 11)) rig.watchRoot(root);
    return at;
  }

  /** All elements a locator means, in document order within each root. */
  function find(locator, roots = [document]) {
    const own = (locator.frame || []).length || (locator.shadow || []).length || locator.within;
    const found = [];
    for (const root of rootsOf(locator, own ? [document] : roots)) {
      let some;
      if (locator.css != null) some = [...root.querySelectorAll(locator.css)];
      else if (locator.role != null) some = byRole(root, locator);
      else if (locator.label != null) {
        const fields = [...root.querySelectorAll(FIELDS)];
        some = named(fields, (el) => accessibleName(el, ""), locator.label, locator.exact === "true");
      } else some = byText(root, locator);
      for (const el of some) if (!found.includes(el)) found.push(el);
    }
    return found;
  }

  Object.assign(rig, { fold, flatParent, flatContains, labelsOf, frameDocument, find });
})();
