(() => {
  const table = document.getElementById("attempts");
  const bar = document.getElementById("filter");
  const body = table.tBodies[0];
  const rows = Array.from(body.rows);
  const texts = rows.map((row) => row.textContent.toLowerCase());
  const words = bar.querySelector("input");
  const picks = Array.from(bar.querySelectorAll("select"));
  const told = bar.querySelector("output");

  function narrow() {
    const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    rows.forEach((row, at) => {
      const fits = wanted.every((word) => texts[at].includes(word)) &&
        picks.every((pick) => !pick.value || (row.dataset[pick.name] || "").split(" ").includes(pick.value));
      row.hidden = !fits;
      shown += fits ? 1 : 0;
    });
    told.textContent = `${shown} of ${rows.length} shown`;
  }

  function key(row, column, number) {
    const text = row.cells[column].textContent.trim();
    return number ? (text === "–" ? NaN : parseFloat(text.replace(/,/g, ""))) : text;
  }

  function sort(column, head) {
    const down = head.getAttribute("aria-sort") === "ascending";
    const number = head.classList.contains("n");
    const order = rows.map((row, at) => [key(row, column, number), at]);
    order.sort(([a, i], [b, j]) => {
      if (number) {
        if (Number.isNaN(a) || Number.isNaN(b)) return (Number.isNaN(a) ? 1 : 0) - (Number.isNaN(b) ? 1 : 0) || i - j;
        return (down ? b - a : a - b) || i - j;
      }
      return (down ? -1 : 1) * a.localeCompare(b, "en", { numeric: true }) || i - j;
    });
    for (const other of head.parentNode.cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    body.append(...order.map(([, at]) => rows[at]));
  }

  Array.from(table.tHead.rows[0].cells).forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    button.addEventListener("click", () => sort(column, head));
    head.replaceChildren(button);
  });
  words.addEventListener("input", narrow);
  picks.forEach((pick) => pick.addEventListener("change", narrow));
  bar.querySelector("button").addEventListener("click", () => {
    words.value = "";
    picks.forEach((pick) => { pick.value = ""; });
    narrow();
  });
  document.querySelectorAll("a.pick").forEach((link) => link.addEventListener("click", () => {
    words.value = "";
    picks.forEach((pick) => { pick.value = pick.name === link.dataset.name ? link.dataset.value : ""; });
    narrow();
  }));
  bar.hidden = false;
  narrow();
})();
