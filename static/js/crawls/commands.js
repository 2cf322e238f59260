// Sends commands to crawls and says what was done, with an undo if there is one.
import { clearFailures, showFailure } from "../failures.js";
import { clear, say } from "../messages.js";
import { post } from "../server.js";

const list = document.querySelector("[data-crawls]");

// The answer to a POST; null if it failed, which is shown beside the control. A text that was changed
// elsewhere is its data-present then.
export async function send(address, values, control) {
  clearFailures();
  try {
    return await post(address, new URLSearchParams(values));
  } catch (failure) {
    showFailure(failure, control);
    if (failure.present !== undefined) control.dataset.present = failure.present;
    return null;
  }
}

// Sends one command to one crawl; returns whether it was carried out. `more` are further fields.
export async function command(crawl, action, value = "", control = whatOf(crawl), more = []) {
  return await send(`/crawls/${crawl}/action/`, [["action", action], ["value", value], ...more], control) !== null;
}

function whatOf(crawl) {
  return document.getElementById(`crawl-${crawl}`).querySelector(".what");
}

export function changed() {
  list.dispatchEvent(new Event("crawls-changed"));
}

// Says what was done; `undo` is a list of [crawl, command, value].
export function done(sentence, undo = []) {
  if (sentence) say(sentence, undo.length ? () => takeBack(undo) : null);
  else clear();
}

async function takeBack(undo) {
  document.getElementById(`crawl-${undo[0][0]}`)?.focus({ preventScroll: true });
  for (const [crawl, action, value] of undo) await command(crawl, action, value);
  clear();
  changed();
}

// The suggested action in a row.
list.addEventListener("click", async (event) => {
  const next = event.target.closest("[data-act]");
  if (!next) return;
  event.preventDefault();
  const crawl = next.closest("[data-crawl]").dataset.crawl;
  if (!(await command(crawl, next.value, "", next))) return;
  if (next.value === "pause") done(`Crawl ${crawl} pauses.`, [[crawl, "resume", ""]]);
  changed();
});
