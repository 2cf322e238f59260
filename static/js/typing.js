// Whether a key is typed into a field and so is not a shortcut.
export function isTyping({ target }) {
  return target.closest("input:not([type=checkbox], [type=radio], [type=range]), textarea, select");
}
