// Sends commands to crawls, reports the outcome, and offers an undo if there is one.
import { clear, refuse } from "../messages.js";

const list = document.querySelector("[data-crawls]");
const notice = document.querySelector("[data-undo]");
const words = notice.querySelector("[data-undo-words]");
const button = notice.querySelector("[data-undo-button]");
const UNREACHED = "The site does not answer: nothing was changed. Try again.";
const NOTICE_STAYS = 12_000;

let steps = [];
let timer = 0;

// A POST that returns JSON; null, with an error message, if it does not.
export async function send(address, values) {
  const body = new URLSearchParams(values);
  body.set("csrfmiddlewaretoken", list.elements.csrfmiddlewaretoken.value);
  try {
    const answer = await fetch(address, { method: "POST", body, headers: { Accept: "application/json" } });
    if (answer.ok) return await answer.json();
  } catch {
    // Offline: handled below, like any other response that is not JSON.
  }
  refuse(UNREACHED);
  return null;
}

// Sends one command to one crawl; returns whether it was carried out.
export async function command(crawl, action, value = "") {
  const answer = await send(`/crawls/${crawl}/action/`, [["action", action], ["value", value]]);
  if (answer && !answer.ok) refuse(answer.message);
  return Boolean(answer?.ok);
}

export function changed() {
  list.dispatchEvent(new Event("crawls-changed"));
}

// `undo` is a list of [crawl, command, value].
export function done(said, undo = []) {
  clear();
  steps = undo;
  words.textContent = said;
  button.hidden = !undo.length;
  notice.hidden = !said;
  clearTimeout(timer);
  timer = setTimeout(() => { if (!notice.contains(document.activeElement)) notice.hidden = true; }, NOTICE_STAYS);
}

button.addEventListener("click", async () => {
  notice.hidden = true;
  list.querySelector(`[data-crawl="${steps[0]?.[0]}"]`)?.focus({ preventScroll: true });
  for (const [crawl, action, value] of steps) await command(crawl, action, value);
  changed();
});

// The suggested action in a row.
list.addEventListener("click", async (event) => {
  const next = event.target.closest("[data-act]");
  if (!next) return;
  event.preventDefault();
  const crawl = next.closest("[data-crawl]").dataset.crawl;
  if (!(await command(crawl, next.value))) return;
  if (next.value === "pause") done(`Crawl ${crawl} pauses.`, [[crawl, "resume", ""]]);
  changed();
});
