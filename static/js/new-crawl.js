// The new-crawl form: shows what belongs to the choices made, and has the server restate them.
const form = document.querySelector("[data-new-crawl]");
const rail = form.querySelector("[data-rail]");
const RESTATE_AFTER = 250;

const chosen = (name) => form.querySelector(`input[name="${name}"]:checked`)?.value;

function showWhatBelongs() {
  for (const group of form.querySelectorAll("[data-parameters]")) {
    group.hidden = group.dataset.parameters !== chosen("strategy");
  }
  for (const part of form.querySelectorAll("[data-when-follow]")) {
    part.hidden = part.dataset.whenFollow !== chosen("follow");
  }
  const earlier = form.querySelector("[data-earlier]");
  const strategy = chosen("strategy");
  const offline = form.elements[`${strategy}-mode`]?.value === "offline";
  earlier.hidden = !offline && !earlier.dataset.earlier.split(" ").includes(strategy);
  const live = chosen("web") === "live";
  form.querySelector("[data-over-http]").hidden = live;
  const overHttp = live || form.elements.over_http.checked;
  form.elements.delay.placeholder = live ? "2" : overHttp ? "0.05" : "0";
  form.elements.delay.disabled = form.elements.concurrent.disabled = !overHttp;
}

let latest = 0;
async function restate() {
  const asked = ++latest;
  const body = new FormData(form);
  body.set("do", "restate");
  const answer = await fetch(location.href, { method: "POST", body });
  if (answer.ok && asked === latest) rail.innerHTML = await answer.text();
}

let timer = 0;
form.addEventListener("input", () => {
  showWhatBelongs();
  clearTimeout(timer);
  timer = setTimeout(restate, RESTATE_AFTER);
});

// The strategies that contain what is typed; the one chosen stays in sight.
function find(wanted) {
  let found = 0;
  for (const paper of form.querySelectorAll(".paper")) {
    const name = paper.querySelector(".paper-name").textContent;
    for (const row of paper.querySelectorAll(".strategy")) {
      const says = `${row.textContent} ${name}`.toLowerCase().includes(wanted);
      found += says;
      row.hidden = !says && !row.querySelector("input").checked;
    }
    paper.hidden = !paper.querySelector(".strategy:not([hidden])");
  }
  form.querySelector("[data-none-found]").hidden = found > 0;
}

const finder = form.querySelector("[data-find]");
finder.hidden = false;
finder.addEventListener("input", (typed) => {
  typed.stopPropagation();
  find(finder.value.trim().toLowerCase());
});
finder.addEventListener("keydown", (key) => key.key === "Enter" && key.preventDefault());

for (const button of form.querySelectorAll("[data-reset]")) {
  button.hidden = false;
  button.addEventListener("click", () => {
    for (const field of button.closest("[data-parameters]").querySelectorAll("[data-default]")) {
      const control = field.querySelector("input, select");
      if (control.type === "checkbox") control.checked = field.dataset.default === "True";
      else control.value = field.dataset.default;
    }
    form.dispatchEvent(new Event("input"));
  });
}

showWhatBelongs();
