"use strict";
// A key presses the button or follows the link that shows it, once: the page that follows takes the next one.
let pressed = false;
document.addEventListener("keydown", (event) => {
  if (pressed || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
  const target = [...document.querySelectorAll("[data-key]")].find((one) => one.dataset.key === event.key.toLowerCase());
  if (!target) return;
  event.preventDefault();
  pressed = true;
  target.click();
});
window.addEventListener("pageshow", () => { pressed = false; });
