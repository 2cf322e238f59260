// Messages about what was done or refused, always visible in one place.
const region = document.querySelector("[data-messages]");
const said = region.querySelector("[data-said]");
const refusal = region.querySelector("[data-refusal]");

region.addEventListener("click", (event) => {
  if (event.target.closest("[data-close]")) event.target.closest(".message").hidden = true;
});

export function clear() {
  for (const message of region.children) message.hidden = true;
}

// `undo`, if given, is offered beside the sentence until the next message.
export function say(sentence, undo = null) {
  said.querySelector("[data-said-words]").textContent = sentence;
  const button = said.querySelector("[data-undo]");
  button.hidden = !undo;
  button.onclick = undo && (() => {
    button.hidden = true;
    undo();
  });
  said.hidden = false;
}

export function refuse(sentence) {
  refusal.querySelector("[data-refusal-words]").textContent = sentence;
  refusal.hidden = false;
}
