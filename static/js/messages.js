// Messages about what was done, always visible in one place.
const region = document.querySelector("[data-messages]");
const notice = region.querySelector("[data-said]");

let from = null;

region.addEventListener("click", (event) => {
  if (!event.target.closest("[data-close]")) return;
  event.target.closest(".message").hidden = true;
  goBack();
});

// The focus returns to where it was when the message appeared.
function goBack() {
  if (from?.isConnected) from.focus({ preventScroll: true });
}

function remember() {
  if (!region.contains(document.activeElement)) from = document.activeElement;
}

export function clear() {
  for (const message of region.children) message.hidden = true;
}

// `undo`, if given, is offered beside the sentence until the next message.
export function say(sentence, undo = null) {
  notice.querySelector("[data-said-words]").textContent = sentence;
  const button = notice.querySelector("[data-undo]");
  button.hidden = !undo;
  button.onclick = undo && (() => {
    button.hidden = true;
    goBack();
    undo();
  });
  remember();
  notice.hidden = false;
}
