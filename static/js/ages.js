// The age of a figure, and the speed that follows from it.
const GRACE = 3;

// Pages a second if the newest page is `age` seconds old: a silence longer than a few pages take
// counts, so that the speed of a stalled crawl falls towards 0.
export function decayed(speed, age) {
  return speed > 0 && age > 0 ? speed * Math.min(1, (GRACE + 3 / speed) / age) : speed;
}

// Two decimals below 1, one below 100, as on the server.
export function speedWords(speed) {
  const decimals = speed === 0 || speed >= 99.95 ? 0 : speed >= 0.95 ? 1 : 2;
  return speed.toLocaleString("en-GB", { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
}

export function ageWords(seconds) {
  const whole = Math.floor(seconds);
  if (whole < 60) return `${whole} s`;
  return whole < 3600 ? `${Math.floor(whole / 60)} min` : `${Math.floor(whole / 3600)} h`;
}
