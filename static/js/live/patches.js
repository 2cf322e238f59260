// HTML as a patch of HTML that the page has already. Both sides cut HTML into tokens, before every
// <, " and /, and append those of each HTML before and after to one list. In a patch a string
// stands for itself; two numbers copy tokens of that list, the first counted from the end of the
// copy before, the second how many.
const TOKEN = /[<"/]?[^<"/]+|[<"/]/g;
// The piece that no element shows: the newest row without labels, of which new rows are patches.
const ROW = "row";

const cut = (html) => html.match(TOKEN) ?? [];

// Reads patches in the order in which they were written.
export class PatchReader {
  constructor() {
    this.tokens = [];
  }

  read(before, parts) {
    let copied = this.tokens.length;
    this.append(cut(before));
    const first = this.tokens.length;
    for (let i = 0; i < parts.length; i += 1) {
      if (typeof parts[i] === "string") this.append(cut(parts[i]));
      else {
        const start = copied + parts[i];
        i += 1;
        copied = start + parts[i];
        this.append(this.tokens.slice(start, copied));
      }
    }
    return this.tokens.slice(first).join("");
  }

  append(tokens) {
    for (const token of tokens) this.tokens.push(token);
  }
}

// The pieces of HTML as the server last sent them, whatever the page shows of them.
export class SentPieces {
  constructor() {
    this.number = 0;
    this.pieces = new Map();
  }

  // The HTML of a message, {rows, fragments}; nothing if it came before, null if one is missing.
  take(message) {
    if (message.kind === "snapshot") return this.takeWhole(message);
    if (message.number <= this.number) return { rows: "", fragments: {} };
    if (message.number !== this.number + 1) return null;
    this.number = message.number;
    return this.takePatches(message);
  }

  takeWhole({ number, rows, fragments }) {
    this.number = number;
    this.pieces = new Map(Object.entries(fragments));
    return { rows: rows.join(""), fragments };
  }

  takePatches({ rows, fragments }) {
    const ofRows = new PatchReader();
    const made = rows.map((parts) => ofRows.read(this.pieces.get(ROW) ?? "", parts));
    if (made.length) this.pieces.set(ROW, made[0]);
    const reader = new PatchReader();
    const changed = {};
    for (const [id, parts] of Object.entries(fragments)) {
      changed[id] = reader.read(this.pieces.get(id) ?? "", parts);
      this.pieces.set(id, changed[id]);
    }
    return { rows: made.join(""), fragments: changed };
  }
}
