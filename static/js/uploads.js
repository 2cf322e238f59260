import { request } from "./server.js";

// The form of an upload: a name or a size that is refused is refused before the file is sent, in the
// same words. The site is asked with an empty file of that name, and its size; if it does not answer,
// the file is sent and read as ever.
function watch(form) {
  let asking = false;
  let send = false;
  form.addEventListener("submit", async (event) => {
    if (send) return;
    event.preventDefault();
    if (asking) return;
    asking = true;
    const refused = await refusals(form).catch(() => ({}));
    asking = false;
    show(form, refused);
    if (Object.keys(refused).length) return;
    send = true;
    form.requestSubmit();
    send = false;
  });
}

// HTML by field; empty if nothing is refused. Throws if the site does not answer.
async function refusals(form) {
  const body = new FormData(form);
  for (const [name, value] of [...body]) {
    if (!(value instanceof File) || !value.name) continue;
    body.set(name, new File([], value.name));
    body.set(`${name}_size`, value.size);
  }
  return (await request(form.dataset.upload, { method: "POST", body })).json();
}

function show(form, refused) {
  for (const error of form.querySelectorAll(".field > .error")) error.remove();
  for (const field of form.querySelectorAll("[aria-invalid]")) {
    field.removeAttribute("aria-invalid");
    const others = describing(field).filter((id) => id !== `${field.id}_error`);
    field.setAttribute("aria-describedby", others.join(" "));
  }
  for (const [name, html] of Object.entries(refused)) {
    const field = form.elements[name];
    field.closest(".field").insertAdjacentHTML("beforeend", html);
    field.setAttribute("aria-invalid", "true");
    field.setAttribute("aria-describedby", [...describing(field), `${field.id}_error`].join(" "));
  }
  form.querySelector("[aria-invalid]")?.focus();
}

function describing(field) {
  return (field.getAttribute("aria-describedby") ?? "").split(" ").filter(Boolean);
}

document.querySelectorAll("[data-upload]").forEach(watch);
