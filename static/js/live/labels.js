// y and n on the rows of pages: pressed again, the label is taken back.
export class Labels {
  constructor(root, controls) {
    this.body = root.querySelector("[data-feed]");
    this.count = root.querySelector("#labels");
    this.controls = controls;
    this.token = root.querySelector("[name=csrfmiddlewaretoken]")?.value;
    this.body.addEventListener("click", (event) => {
      const button = event.target.closest("[data-label]");
      if (button) this.press(button);
    });
  }

  async press(button) {
    const row = button.closest("tr");
    const body = new FormData();
    body.set("value", button.dataset.label);
    body.set("csrfmiddlewaretoken", this.token);
    const said = await this.controls.send(`${this.body.dataset.pages}${row.dataset.seq}/label/`, body);
    if (!said) return;
    for (const each of row.querySelectorAll("[data-label]")) {
      each.setAttribute("aria-pressed", String(each.dataset.label === said.label));
    }
    this.count.innerHTML = said.labels;
  }
}
