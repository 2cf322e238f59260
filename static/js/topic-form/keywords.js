// Keywords as chips: a comma or Enter makes one of what was typed, Backspace in the empty field takes
// the last one back to be changed; each is removed by its button. The arrows move over them. The form
// sends the field beneath, which has them separated by commas. Words that speak for the topic in its
// examples are offered below, until they are among them.
const MOST_OFFERED = 5;

export function showKeywords(form) {
  const field = form.elements.keywords;
  const box = document.createElement("div");
  const typed = Object.assign(document.createElement("input"), {
    type: "text", id: field.id, placeholder: "add…", autocomplete: "off",
  });
  for (const name of ["aria-describedby", "aria-invalid"]) {
    if (field.hasAttribute(name)) typed.setAttribute(name, field.getAttribute(name));
    field.removeAttribute(name);
  }
  box.className = "chip-field";
  field.removeAttribute("id");
  field.hidden = true;
  box.append(typed);
  field.after(box);
  const spoken = Object.assign(document.createElement("span"), { className: "visually-hidden" });
  spoken.setAttribute("role", "status");
  const offered = Object.assign(document.createElement("div"), { className: "offered secondary", hidden: true });
  box.after(spoken, offered);
  let words = [];
  let proposed = [];

  function show() {
    for (const chip of box.querySelectorAll(".chip")) chip.remove();
    typed.before(...words.map(chipOf));
    offer();
  }

  function offer() {
    const given = words.join(" ").toLowerCase().split(" ");
    const fresh = proposed.filter((word) => !given.includes(word)).slice(0, MOST_OFFERED);
    offered.hidden = !fresh.length;
    offered.replaceChildren("From your examples:", ...fresh.map(offerOf));
  }

  function keep(sentence) {
    show();
    field.value = words.join(", ");
    spoken.textContent = sentence;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }

  function add() {
    const fresh = split(typed.value).filter((word) => !words.includes(word));
    typed.value = "";
    if (!fresh.length) return;
    words.push(...fresh);
    keep(`${fresh.join(", ")} added.`);
  }

  function remove(at) {
    const [word] = words.splice(at, 1);
    keep(`${word} removed.`);
    (box.querySelectorAll(".chip")[at] ?? typed).focus();
  }

  typed.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    if (event.key === "Enter" && typed.value.trim()) add();
    else if (event.key === "Backspace" && !typed.value && words.length) {
      typed.value = words.at(-1);
      remove(words.length - 1);
    } else return;
    event.preventDefault();
  });
  typed.addEventListener("input", (event) => {
    event.stopPropagation();
    if (/[,\n]/.test(typed.value)) add();
  });
  typed.addEventListener("change", add);
  box.addEventListener("click", ({ target }) => {
    const chip = target.closest(".chip");
    if (chip) remove([...box.querySelectorAll(".chip")].indexOf(chip));
    else typed.focus();
  });
  // The field keeps the focus while a word is pressed: leaving it would redraw the words.
  offered.addEventListener("mousedown", (event) => event.preventDefault());
  offered.addEventListener("click", ({ target }) => {
    const word = target.closest("button")?.value;
    if (!word) return;
    const at = [...offered.children].indexOf(target);
    add();
    words.push(word);
    keep(`${word} added.`);
    (offered.children[at] ?? typed).focus();
  });
  box.addEventListener("keydown", (event) => {
    const chips = [...box.querySelectorAll(".chip"), typed];
    const at = chips.indexOf(event.target);
    if (event.target === typed && (typed.value || event.key !== "ArrowLeft")) return;
    if (event.key === "ArrowLeft") chips[at - 1]?.focus();
    else if (event.key === "ArrowRight") chips[at + 1]?.focus();
    else if (["Delete", "Backspace"].includes(event.key)) remove(at);
    else return;
    event.preventDefault();
  });
  // A draft that is taken up fills the field beneath.
  form.addEventListener("input", () => {
    if (field.value === words.join(", ")) return;
    words = split(field.value);
    show();
  });
  form.addEventListener("submit", add, true);
  words = split(field.value);
  show();
  return (terms) => {
    proposed = terms;
    offer();
  };
}

function offerOf(word) {
  return Object.assign(document.createElement("button"), {
    type: "button", className: "quiet", value: word, textContent: `+ ${word}`, ariaLabel: `Add the keyword ${word}`,
  });
}

function chipOf(word) {
  const chip = document.createElement("button");
  chip.type = "button";
  chip.className = "tag chip";
  chip.setAttribute("aria-label", `Remove the keyword ${word}`);
  chip.append(word, Object.assign(document.createElement("span"), { textContent: " ✕", ariaHidden: "true" }));
  return chip;
}

function split(text) {
  const terms = text.split(/[,\n]/).map((word) => word.trim().replace(/\s+/g, " "));
  return [...new Set(terms.filter(Boolean))];
}
