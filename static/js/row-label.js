// The label of a row: its y and n send it, and the pressed one shows it.
import { clearFailures, showFailure } from "./failures.js";
import { post } from "./server.js";

export function showLabel(row, label) {
  for (const each of row.querySelectorAll("[data-label]")) {
    each.setAttribute("aria-pressed", String(each.dataset.label === label));
  }
}

export async function labelRow(button) {
  const row = button.closest("[data-row]");
  clearFailures();
  try {
    const { label } = await post(row.dataset.labelAddress, new URLSearchParams({ value: button.dataset.label }));
    showLabel(row, label);
  } catch (failure) {
    showFailure(failure, button, "The label is as it was.");
  }
}
