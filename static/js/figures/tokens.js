const probe = document.createElement("span");
probe.hidden = true;
document.body.append(probe);

// A colour token as the theme in use gives it.
export function token(name) {
  probe.style.color = `var(--${name})`;
  return getComputedStyle(probe).color;
}

// The colour, ink or paper, in which a text on that colour is read best.
export function legible(background) {
  return ["ink", "paper"].map(token).reduce((one, other) =>
    contrast(one, background) >= contrast(other, background) ? one : other);
}

function contrast(one, other) {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

// Relative luminance (WCAG 2) of `rgb(r, g, b)`.
function luminance(colour) {
  const [r, g, b] = colour.match(/[\d.]+/g).slice(0, 3).map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
