// Forms of menus alone are sent with the choice, and need no button.
for (const form of document.querySelectorAll("[data-sends]")) {
  form.querySelector("button").hidden = true;
  form.addEventListener("change", () => form.requestSubmit());
}
