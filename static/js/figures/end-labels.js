// Direct labels: each curve's name and newest value where it ends, none over another.
const SIZE = 11;
const LINE = 13;
const GAP = 6;
const NARROW = 560;
const MOST = 0.4; // of the width

const canvas = document.createElement("canvas").getContext("2d");

// As { annotations, margin }, the margin on the right in pixels; null where there is no room.
export function endLabels(curves, [low, high], { width, height, font }) {
  const ends = curves.map(({ text, y, color }) => ({ text, color, at: (height * (high - y)) / (high - low) }));
  canvas.font = `${SIZE}px ${font.family}`;
  const longest = Math.max(0, ...ends.map(({ text }) => wide(text)));
  const margin = Math.ceil(longest) + 3 * GAP;
  if (width < NARROW || margin > MOST * width || ends.length * LINE > height + LINE) return null;
  spread(ends, height);
  const annotations = ends.map(({ text, color, at }) => ({ text, x: 1, xref: "paper", xanchor: "left", xshift: GAP,
    y: 1 - at / height, yref: "paper", yanchor: "middle", showarrow: false, font: { ...font, size: SIZE, color } }));
  return { annotations, margin };
}

// The plot's digits are all as wide as a nought, the canvas's are not.
function wide(text) {
  return canvas.measureText(text.replace(/\d/g, "0")).width;
}

// Down from the top until none touches the one above, then up again from the bottom.
function spread(ends, height) {
  ends.sort((a, b) => a.at - b.at);
  for (let i = 1; i < ends.length; i += 1) ends[i].at = Math.max(ends[i].at, ends[i - 1].at + LINE);
  let lowest = height;
  for (const end of ends.toReversed()) {
    end.at = Math.min(end.at, lowest);
    lowest = end.at - LINE;
  }
}
