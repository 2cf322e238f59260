// Pieces of a screen are kept up to date, each in its place: those whose stamp differs come. Once the
// answer says that all has ended, the screen is read anew.
//
// htmx was tried for this: the scripts of a screen grew from 22.8 to 75.3 kB, our own lines from 580
// to 602, since what is held and what a failure shows stays ours; an answer has the same bytes.
import { localiseClocks } from "./clocks.js";
import { Fragments } from "./live/fragments.js";
import { Polling } from "./polling.js";

const part = document.querySelector("[data-pieces]");
const fragments = new Fragments(part);

function address() {
  const asked = new URL(part.dataset.pieces, location);
  const stamped = [...part.querySelectorAll("[data-stamp][id]")];
  asked.searchParams.set("shown", stamped.map(({ id, dataset }) => `${id}:${dataset.stamp}`).join(","));
  return asked;
}

function apply({ pieces, ended }) {
  if (ended) return location.reload();
  for (const [id, { html, stamp }] of Object.entries(pieces)) {
    document.getElementById(id).dataset.stamp = stamp;
    fragments.show(id, html);
  }
}

localiseClocks();
new Polling(part, { address, apply, meanwhile: part.dataset.meanwhile });
