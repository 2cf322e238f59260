// The pages that people settle or label: y, n and s press a row's buttons, o opens the page. After an
// answer the screen comes back at the same part, where the next row has the focus.
import { Rows } from "./rows.js";

const root = document.querySelector("[data-labels]");
const press = (answer) => (row) => row.querySelector(`[data-answer="${answer}"]`)?.click();

if (root) {
  const rows = new Rows(root, {
    opens: "[data-opens]",
    keys: { y: press("y"), n: press("n"), s: press("s"), o: (row) => row.querySelector("[data-opens]").click() },
  });
  const part = ["#to-settle", "#same-pages"].includes(location.hash) && document.querySelector(location.hash);
  const first = (part && part.querySelector("[data-row]")) || null;
  const row = first ?? (location.hash ? null : rows.all()[0]);
  if (row) row.tabIndex = 0;
  first?.focus();
}
