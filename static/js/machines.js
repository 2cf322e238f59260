// Agents and workers: the pieces of the page are kept up to date, each in its place.
import { localiseClocks } from "./clocks.js";
import { Fragments } from "./live/fragments.js";
import { Polling } from "./polling.js";

const page = document.querySelector("[data-machines]");
const fragments = new Fragments(page);

function address() {
  const stamped = [...page.querySelectorAll("[data-stamp][id]")];
  const shown = stamped.map(({ id, dataset }) => `${id}:${dataset.stamp}`).join(",");
  return `${page.dataset.live}?${new URLSearchParams({ by: page.dataset.by, shown })}`;
}

function apply({ pieces, stamps }) {
  for (const [id, html] of Object.entries(pieces)) {
    document.getElementById(id).dataset.stamp = stamps[id];
    fragments.show(id, html);
  }
}

localiseClocks();
new Polling(page, { address, apply, meanwhile: "crawls and agents go on" });
