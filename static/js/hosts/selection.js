// The hosts that are selected, by name: one selection for the list and the network.
export class Selection {
  constructor() {
    this.names = new Set();
    this.listeners = [];
  }

  get size() { return this.names.size; }

  has(name) { return this.names.has(name); }

  all() { return [...this.names]; }

  // `origin` is who changes it, so that listeners can leave themselves as they are.
  set(names, origin = null) {
    this.names = new Set(names);
    this.changed(origin);
  }

  // Selects or leaves out some of them.
  put(names, isIn, origin = null) {
    for (const name of names) this.names[isIn ? "add" : "delete"](name);
    this.changed(origin);
  }

  onChange(listener) { this.listeners.push(listener); }

  changed(origin) { for (const listener of this.listeners) listener(origin); }
}

const LONGEST_ADDRESS = 12000; // characters; servers close the connection above 16,384

// The address of New crawl with these hosts only, a domain's name for all of its hosts; empty if there are
// too many for an address, or if one is a part of a host.
export function crawlAddress(base, names) {
  if (names.some((name) => name.includes("/"))) return "";
  const hosts = names.map((name) => name.replace(/^\*\./, "").replace(/:\d+$/, "")).join(" ");
  const address = `${base}?${new URLSearchParams({ follow: "these", hosts })}`;
  return address.length > LONGEST_ADDRESS ? "" : address;
}

export const selection = new Selection();
