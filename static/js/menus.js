// Every menu is a `details.menu`: one is open at a time; Escape, a click outside or leaving it by
// Tab closes it.
const open = () => document.querySelectorAll("details.menu[open]");

document.addEventListener("toggle", ({ target }) => {
  if (!target.open || !target.matches("details.menu")) return;
  for (const menu of open()) if (menu !== target && !menu.contains(target)) menu.open = false;
}, true);

for (const kind of ["pointerdown", "focusin"]) {
  document.addEventListener(kind, ({ target }) => {
    for (const menu of open()) if (!menu.contains(target)) menu.open = false;
  });
}

// Handled before other uses of Escape, so that one press closes one thing.
document.addEventListener("keydown", (event) => {
  const menu = [...open()].at(-1);
  if (event.key !== "Escape" || !menu) return;
  event.preventDefault();
  event.stopPropagation();
  menu.open = false;
  menu.querySelector("summary").focus();
}, true);
