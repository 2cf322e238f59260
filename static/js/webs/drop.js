// A file field as an area: a click, Enter or a dropped file chooses, its name and size are shown.
const STEPS = [["GB", 2 ** 30], ["MB", 2 ** 20], ["kB", 2 ** 10]];

function describe({ name, size }) {
  const [unit, step] = STEPS.find(([, step]) => size >= step) ?? ["bytes", 1];
  return `${name}, ${(size / step).toLocaleString("en-GB", { maximumFractionDigits: step > 1 ? 1 : 0 })} ${unit}`;
}

function watch(area) {
  const input = area.querySelector("input[type=file]");
  const words = area.querySelector("[data-drop-words]");
  const empty = [...words.childNodes];
  const show = () => {
    const file = input.files[0];
    words.replaceChildren(...(file ? [Object.assign(document.createElement("b"), { textContent: describe(file) })] : empty));
  };
  area.classList.add("is-ready");
  words.hidden = false;
  input.addEventListener("change", show);
  addEventListener("pageshow", show); // a browser that goes back restores the file
  for (const [kind, over] of [["dragenter", true], ["dragleave", false], ["drop", false]]) {
    input.addEventListener(kind, () => area.classList.toggle("is-over", over));
  }
}

document.querySelectorAll("[data-drop]").forEach(watch);
