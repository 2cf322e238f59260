import { showFailure } from "../failures.js";
import { clear } from "../messages.js";

// y and n on the rows of pages: the same label again removes it; with Shift all rows since the last
// labelled one get it, and the first that cannot says why. A proposed page that is labelled or skipped
// hands the focus to the next one, a labelled one at once: the next key may come before the answer.
export class Labels {
  constructor(root, controls) {
    this.body = root.querySelector("[data-feed]");
    this.labels = root.querySelector("#labels");
    this.goal = root.querySelector("#label-goal");
    this.proposals = root.querySelector("#proposals");
    this.controls = controls;
    this.token = root.querySelector("[name=csrfmiddlewaretoken]")?.value;
    this.body.addEventListener("click", (event) => {
      const button = event.target.closest("[data-label]");
      if (button && event.shiftKey && this.last?.isConnected) this.pressAll(button);
      else if (button) this.press(button);
    });
    this.proposals?.addEventListener("click", (event) => {
      const button = event.target.closest("[data-label]");
      if (!button) return;
      this.press(button);
      this.goOn(button);
    });
    this.proposals?.addEventListener("submitted", (event) => {
      this.goOn(event.target);
      event.target.closest("tr").remove();
    });
  }

  goOn(button) {
    const row = button.closest("tr");
    if (row.contains(document.activeElement)) row.nextElementSibling?.focus();
  }

  async press(button) {
    const row = button.closest("tr");
    if (this.body.contains(row)) this.last = row;
    const body = new FormData();
    body.set("value", button.dataset.label);
    body.set("csrfmiddlewaretoken", this.token);
    const answer = await this.controls.send(`${this.body.dataset.pages}${row.dataset.seq}/label/`, body, button);
    if (!answer) return;
    this.show(row, answer.label);
    this.count(answer);
  }

  count({ labels, goal }) {
    this.labels.innerHTML = labels;
    if (this.goal) this.goal.innerHTML = goal;
  }

  async pressAll(button) {
    const rows = [...this.body.querySelectorAll("tr[data-seq]")];
    const ends = [rows.indexOf(this.last), rows.indexOf(button.closest("tr"))].sort((a, b) => a - b);
    const chosen = rows.slice(ends[0], ends[1] + 1);
    const body = new FormData();
    body.set("value", [button.dataset.label, ...chosen.map((row) => row.dataset.seq)].join(" "));
    body.set("csrfmiddlewaretoken", this.token);
    const answer = await this.controls.send(`${this.body.dataset.pages}labels/`, body, button);
    if (!answer) return;
    for (const row of chosen) this.show(row, answer.given[row.dataset.seq] ?? "");
    this.count(answer);
    const refused = chosen.find((row) => answer.given[row.dataset.seq] !== button.dataset.label);
    if (!refused) return;
    clear();
    showFailure({ kind: "refused", sentence: answer.message }, refused.querySelector("[data-label]"));
  }

  // The row may have been drawn anew since its button was pressed.
  show(row, label) {
    for (const each of document.querySelectorAll(`tr[data-seq="${row.dataset.seq}"] [data-label]`)) {
      each.setAttribute("aria-pressed", String(each.dataset.label === label));
    }
  }
}
