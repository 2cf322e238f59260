// HTML as a patch of the HTML shown before: a pair of numbers copies so many of its tokens, a text
// stands for itself. Tokens are cut as the server cuts them, at every < and every ".
const TOKEN = /[<"]?[^<"]+|[<"]/g;

// The HTML that a message means: whole as it is, or a patch of `before`.
export function patched(before, piece) {
  if (typeof piece === "string") return piece;
  const known = before.match(TOKEN) ?? [];
  return piece.map((part) => (typeof part === "string" ? part : known.slice(...part).join(""))).join("");
}
