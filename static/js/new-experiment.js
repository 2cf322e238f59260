import { clearFailures, showFailure } from "./failures.js";
import { request } from "./server.js";

// The form of an experiment: the server says anew what will happen whenever something changes;
// buttons that choose or add do so without leaving the page.
const form = document.querySelector("[data-new-experiment]");
const RESTATE_AFTER = 250;
const part = (name) => form.querySelector(`[data-part=${name}]`);
const boxes = () => [...form.querySelectorAll("[name=topic]:not(:disabled)")];

// Sends the form as it is, or other values for it, and shows the parts named.
async function ask(action, parts, pairs = [...new FormData(form)]) {
  const body = new FormData();
  for (const pair of pairs) body.append(...pair);
  body.set("do", action);
  for (const name of parts) body.append("parts", name);
  let answer;
  try {
    answer = await request(form.action, { method: "POST", body, headers: { Accept: "application/json" } });
  } catch (failure) {
    showFailure(failure, part("rail"), "What will happen is from before your last change.");
    return;
  }
  clearFailures();
  const { parts: html, rows } = await answer.json();
  for (const name of parts) part(name).innerHTML = html[name];
  for (const [row, { variants, errors }] of Object.entries(rows)) sayOfRow(row, variants, errors);
  prepare(parts);
}

function sayOfRow(row, variants, errors) {
  const label = form.querySelector(`[data-variants="${row}"]`);
  if (label) {
    label.hidden = variants < 2;
    label.textContent = `${variants} variants`;
  }
  for (const [name, words] of Object.entries(errors)) {
    const field = form.elements[name];
    if (!field) continue;
    const error = document.getElementById(`${name}_error`);
    error.hidden = !words;
    error.querySelector("[data-words]").textContent = words;
    field.toggleAttribute("aria-invalid", Boolean(words));
    if (words) field.setAttribute("aria-invalid", "true");
  }
}

function prepare(parts) {
  if (parts.includes("topics")) prepareTopics();
  const start = form.querySelector("[data-start]");
  if (start) start.disabled = part("rail").querySelector("[data-reasons]").dataset.reasons !== "0";
}

// A draft may have rows of strategies that the form has not: the site makes the form of it.
form.addEventListener("draft", (event) => {
  then("restate", ["topics", "strategies", "rail"], event.detail);
});

// One change after the other: each is made to the form as the one before has left it.
let changes = Promise.resolve();
const then = (action, parts, pairs) => (changes = changes.then(() => ask(action, parts, pairs)));

let timer = 0;
form.addEventListener("input", ({ target }) => {
  if (target.matches("[data-find-topic], [data-all-topics]")) return;
  showWhatBelongs();
  clearTimeout(timer);
  if (target.matches("[data-web]")) {
    for (const box of boxes()) box.checked = false; // they are topics of the web before
    then("all", ["topics", "strategies", "rail"]);
  } else {
    timer = setTimeout(() => then("restate", ["rail"]), RESTATE_AFTER);
  }
  count();
});

form.addEventListener("click", (event) => {
  const button = event.target.closest("[data-changes]");
  if (!button) return;
  event.preventDefault();
  clearTimeout(timer);
  const topics = ["all", "none", "random"].includes(button.value);
  const parts = topics ? ["topics", "strategies", "rail"] : ["strategies", "rail"];
  then(button.value, parts).then(() => focusAfter(button.value));
});

function focusAfter(action) {
  const rows = [...part("strategies").querySelectorAll("[name=row]")];
  if (action.startsWith("add:")) rows.at(-1)?.closest("tr").querySelector("summary, button").focus();
  else if (action.startsWith("remove:")) part("strategies").querySelector(".add-menu summary").focus();
  else part(rows.length && action === "leaderboard" ? "strategies" : "topics").querySelector(`[value="${action}"]`)?.focus();
}

// Enter in a field says anew what will happen; only the buttons save.
form.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !event.target.matches("input:not([type=checkbox], [type=radio])")) return;
  event.preventDefault();
  if (!event.target.matches("[data-find-topic]")) then("restate", ["rail"]);
});

function showWhatBelongs() {
  for (const each of form.querySelectorAll("[data-when-follow]")) {
    each.hidden = form.elements.follow.value !== each.dataset.whenFollow;
  }
}

function count() {
  const chosen = boxes().filter((box) => box.checked).length;
  for (const each of form.querySelectorAll("[data-chosen-count]")) each.textContent = chosen.toLocaleString("en-GB");
}

// Shows the topics of the kind pressed that contain the words typed.
function showTopics() {
  const kind = form.querySelector("[data-shown] [aria-pressed=true]").value;
  const words = form.querySelector("[data-find-topic]").value.trim().toLowerCase();
  for (const row of form.querySelectorAll("[data-topic]")) {
    const fits = !kind || (kind === "ready" ? row.hasAttribute("data-ready") : row.querySelector("[name=topic]").checked);
    row.hidden = !fits || !row.dataset.topic.toLowerCase().includes(words);
  }
  const all = form.querySelector("[data-all-topics]");
  const shown = boxes().filter((box) => !box.closest("tr").hidden);
  if (all) all.checked = shown.length > 0 && shown.every((box) => box.checked);
}

function prepareTopics() {
  const shown = part("topics").querySelector("[data-shown]");
  const finder = part("topics").querySelector("[data-find-topic]");
  const all = part("topics").querySelector("[data-all-topics]");
  shown.hidden = finder.hidden = false;
  finder.addEventListener("input", showTopics);
  shown.addEventListener("click", ({ target }) => {
    if (!target.closest("button")) return;
    for (const button of shown.children) button.setAttribute("aria-pressed", String(button.contains(target)));
    showTopics();
  });
  if (!all) return;
  all.hidden = false;
  all.addEventListener("change", () => {
    for (const box of boxes()) if (!box.closest("tr").hidden) box.checked = all.checked;
    count();
    then("restate", ["rail"]);
  });
  showTopics();
}

for (const button of form.querySelectorAll("[data-without-script]")) button.hidden = true;
if (form.elements.follow) showWhatBelongs();
prepare(["topics"]);
