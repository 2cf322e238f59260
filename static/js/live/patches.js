// HTML as a patch of the HTML shown before: a pair of numbers copies those of its tokens, a string
// stands for itself. Tokens are cut as on the server, at every < and every ".
const TOKEN = /[<"]?[^<"]+|[<"]/g;

// The HTML of a message: whole, or a patch of `before`.
export function patched(before, piece) {
  if (typeof piece === "string") return piece;
  const known = before.match(TOKEN) ?? [];
  return piece.map((part) => (typeof part === "string" ? part : known.slice(...part).join(""))).join("");
}
