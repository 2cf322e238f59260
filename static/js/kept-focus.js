// A field that loads its page again when it changes has the focus there, too.
const PLACE = "focused-field";

export function keepFocus(field) {
  sessionStorage.setItem(PLACE, JSON.stringify([location.pathname, field.name, field.type, field.value]));
}

export function restoreFocus(form) {
  const [path, name, type, value] = JSON.parse(sessionStorage.getItem(PLACE) ?? "[]");
  sessionStorage.removeItem(PLACE);
  if (path !== location.pathname) return;
  const alike = [...form.elements].filter((field) => field.name === name && field.type === type);
  (alike.find((field) => field.value === value) ?? alike[0])?.focus({ preventScroll: true });
}
