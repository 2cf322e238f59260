// The text of a page: m goes to its next marked word, Shift and m to the one before; its text can be
// copied with title, address and date. j and k go to the next page of the search and to the one before.
import { say } from "./messages.js";
import { isTyping } from "./typing.js";

const text = document.querySelector("[data-text]");
const marks = text ? [...text.querySelectorAll("mark")] : [];
const about = document.querySelector("[data-marks]");
let at = -1;

if (about && marks.length) {
  about.hidden = false;
  tell();
  document.addEventListener("keydown", (event) => {
    if (isTyping(event) || event.key.toLowerCase() !== "m") return;
    event.preventDefault();
    go(event.shiftKey ? -1 : 1);
  });
}

function go(step) {
  marks[at]?.classList.remove("current");
  at = at < 0 && step < 0 ? marks.length - 1 : (at + step + marks.length) % marks.length;
  marks[at].classList.add("current");
  marks[at].scrollIntoView({ block: "center" });
  tell();
}

function tell() {
  const words = about.querySelector("[data-marks-words]");
  words.textContent = at < 0 ? `${marks.length} marked` : `${at + 1} of ${marks.length} marked`;
}

const neighbours = document.querySelector("[data-neighbours]");
if (neighbours) {
  document.addEventListener("keydown", (event) => {
    const rel = { j: "next", k: "prev" }[event.key];
    if (!rel || isTyping(event)) return;
    neighbours.querySelector(`a[rel=${rel}]`)?.click();
  });
}

const button = document.querySelector("[data-copy-text]");
if (button && navigator.clipboard) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const lines = [".page-title", ".page-about"].map((part) => document.querySelector(part).innerText.trim());
    await navigator.clipboard.writeText([...lines, text.innerText].join("\n\n"));
    say("Text copied, with title, address and date.");
  });
}
