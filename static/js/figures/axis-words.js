// The words along axes, as far as there is room for them; in full they are beside the pointer, in
// the table and in a larger drawing.
const SIZE = 11;
const LINE = 13;
const GAP = 6;
const MOST = 0.35; // of the width, for names beside the axis of values
const BEYOND = 24; // pixels by which a title may be longer than its axis

const canvas = document.createElement("canvas").getContext("2d");

// Names at ticks, each cut to its share of the axis or, beside the axis of values, of the width.
export function fittedNames(axis, font, room) {
  if (!axis.ticktext || axis.type === "log") return {};
  return { ticktext: axis.ticktext.map((name) => cut(name, room - GAP, font)), tickangle: 0 };
}

export function roomForNames({ width, margin }, axis) {
  return (width - margin.l - margin.r) / (axis.ticktext?.length ?? 1);
}

export function roomBeside({ width }) {
  return MOST * width;
}

// The title of the axis of values in lines that are no longer than the axis, and the margin that
// more than one line needs.
export function fittedTitle({ title }, font, { height, margin }) {
  if (!title) return { axis: {}, margin: 0 };
  const lines = wrapped(title.text, height - margin.t - margin.b + BEYOND, font);
  return { axis: { title: { ...title, text: lines.join("<br>") } }, margin: (lines.length - 1) * LINE };
}

function wrapped(text, room, font) {
  const lines = [""];
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`.trim();
    if (lines.at(-1) && lengthOf(longer, font) > room) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}

function cut(name, room, font) {
  if (lengthOf(name, font) <= room) return name;
  let letters = name.length - 1;
  while (letters > 1 && lengthOf(`${name.slice(0, letters)}…`, font) > room) letters -= 1;
  return `${name.slice(0, letters).trimEnd()}…`;
}

function lengthOf(text, font) {
  canvas.font = `${SIZE}px ${font.family}`;
  return canvas.measureText(text).width;
}
