// HTML as a patch of the HTML shown before: a string stands for itself, two numbers copy so many
// tokens (the second) from that place on (the first) out of those of the HTML before, followed by
// what the patch has made so far. Tokens are cut as on the server, at every <, " and /.
const TOKEN = /[<"/]?[^<"/]+|[<"/]/g;

// The HTML of a message: whole, or a patch of `before`.
export function patched(before, piece) {
  if (typeof piece === "string") return piece;
  const known = before.match(TOKEN) ?? [];
  const made = known.length;
  for (let i = 0; i < piece.length; i += 1) {
    if (typeof piece[i] === "string") known.push(...piece[i].match(TOKEN));
    else known.push(...known.slice(piece[i], piece[i] + piece[++i]));
  }
  return known.slice(made).join("");
}
