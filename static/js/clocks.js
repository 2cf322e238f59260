// Shows times in the reader's time zone instead of the server's.
const FORMATS = {
  seconds: { hour: "2-digit", minute: "2-digit", second: "2-digit" },
  minutes: { hour: "2-digit", minute: "2-digit" },
};
const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long" });
const DATE = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });
const YEAR = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });

function isOn(moment, daysAgo) {
  const day = new Date();
  day.setDate(day.getDate() - daysAgo);
  return day.toDateString() === moment.toDateString();
}

function words(moment, kind) {
  const time = new Intl.DateTimeFormat("en-GB", FORMATS[kind] || FORMATS.minutes).format(moment);
  if (kind !== "day" && kind !== "date") return time;
  if (isOn(moment, 0)) return `today ${time}`;
  if (kind === "day") return `${DAY.format(moment)} ${time}`;
  if (isOn(moment, 1)) return "yesterday";
  return (new Date().getFullYear() === moment.getFullYear() ? DATE : YEAR).format(moment);
}

export function localiseClocks(root = document) {
  for (const element of root.querySelectorAll("time[data-clock]")) {
    const moment = new Date(element.dateTime);
    if (!Number.isNaN(moment.getTime())) element.textContent = words(moment, element.dataset.clock);
  }
}

localiseClocks();
