// Buttons with data-copy="ID" copy the value of that field and confirm it beside themselves.
for (const button of document.querySelectorAll("[data-copy]")) {
  const field = document.getElementById(button.dataset.copy);
  const status = button.parentElement.querySelector("[data-copy-said]");
  button.addEventListener("click", async () => {
    status.textContent = "";
    status.textContent = (await copied(field)) ? "Copied." : "Selected: press Ctrl+C or ⌘C.";
  });
}

// The clipboard API needs HTTPS or localhost; otherwise the field is selected and copied.
async function copied(field) {
  if (navigator.clipboard) {
    try {
      await navigator.clipboard.writeText(field.value);
      return true;
    } catch {
      // Forbidden by the browser: the older API needs no permission.
    }
  }
  field.focus();
  field.select();
  return document.execCommand("copy");
}
