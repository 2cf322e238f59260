// The letters above the charts. Marks that are too close to read share one line and one label.
const APART = 34; // pixels

// Groups as { at, text } along an axis from 0 to `end`, drawn `width` pixels wide: "T×12", "δ L".
export function grouped(marks, place, end, width) {
  const groups = [];
  for (const { pages, letter, times } of [...marks].sort((a, b) => a.pages - b.pages)) {
    const at = place(pages);
    let group = groups.at(-1);
    if (!group || ((at - group.at) / end) * width >= APART) {
      group = { at, letters: new Map() };
      groups.push(group);
    }
    group.letters.set(letter, (group.letters.get(letter) ?? 0) + times);
  }
  const word = ([letter, number]) => (number > 1 ? `${letter}×${number}` : letter);
  return groups.map(({ at, letters }) => ({ at, text: [...letters].map(word).join(" ") }));
}
