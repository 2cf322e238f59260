import { isSignIn } from "./server.js";

// The preparation of the demo: fetched every second; finished steps are announced, and the crawl's
// page opens when it exists, unless the person wants to stay. A failed preparation can be tried
// again.
const PAUSE = 1000;

const holder = document.querySelector("[data-preparing]");
const stay = document.querySelector("[data-stay]");
const again = document.querySelector("[data-try-again]");
const spoken = document.createElement("p");
spoken.className = "visually-hidden";
spoken.setAttribute("role", "status");
holder.after(spoken);

const done = () => [...holder.querySelectorAll(".is-done b")].map((step) => step.textContent);

stay.addEventListener("click", () => {
  const pressed = stay.getAttribute("aria-pressed") !== "true";
  stay.setAttribute("aria-pressed", String(pressed));
  goOn();
});

async function ask() {
  const answer = await fetch(location.href, { headers: { "X-Piece": "steps" } }).catch(() => null);
  if (answer && isSignIn(answer)) location.reload();
  else if (answer?.ok) show(await answer.text());
  if (!goOn()) setTimeout(ask, PAUSE);
}

let shown = "";

function show(html) {
  if (shown === html) return;
  shown = html;
  const before = done();
  holder.innerHTML = html;
  again.hidden = !holder.querySelector("[data-failed]");
  const fresh = done().filter((title) => !before.includes(title));
  if (fresh.length) spoken.textContent = `${fresh.join(", ")}: done.`;
}

// Returns whether the crawl exists; opens its page if so.
function goOn() {
  const crawl = holder.querySelector("[data-steps]").dataset.crawl;
  if (crawl && stay.getAttribute("aria-pressed") !== "true") location.assign(crawl);
  return Boolean(crawl);
}

ask();
