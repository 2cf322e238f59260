// How curves go on (apps/screens/live/trajectory.py). `keep` is how many of the first values stay,
// or in base64 a bit for each, whether it stays.
export function splice(values, keep, added) {
  const left = typeof keep === "number" ? values.slice(0, keep) : values.filter(isSet(atob(keep)));
  return left.concat(added);
}

function isSet(bytes) {
  return (_, i) => (bytes.charCodeAt(i >> 3) >> (7 - (i & 7))) & 1;
}
