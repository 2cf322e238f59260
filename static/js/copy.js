// Buttons with data-copy="ID" copy the value of that field and say so beside themselves.
for (const button of document.querySelectorAll("[data-copy]")) {
  const field = document.getElementById(button.dataset.copy);
  const said = button.parentElement.querySelector("[data-copy-said]");
  button.addEventListener("click", async () => {
    said.textContent = "";
    said.textContent = (await copied(field)) ? "Copied." : "Selected: press Ctrl+C or ⌘C.";
  });
}

// The clipboard is there over HTTPS and on this machine; elsewhere the field is selected first.
async function copied(field) {
  if (navigator.clipboard) {
    try {
      await navigator.clipboard.writeText(field.value);
      return true;
    } catch {
      // Forbidden by the browser: the older way asks for no permission.
    }
  }
  field.focus();
  field.select();
  return document.execCommand("copy");
}
