const probe = document.createElement("span");
probe.hidden = true;
document.body.append(probe);

// A colour token as the theme in use gives it.
export function token(name) {
  probe.style.color = `var(--${name})`;
  return getComputedStyle(probe).color;
}
