// Shows times in the reader's time zone instead of the server's.
const FORMATS = {
  seconds: { hour: "2-digit", minute: "2-digit", second: "2-digit" },
  minutes: { hour: "2-digit", minute: "2-digit" },
};
const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long" });

function words(moment, kind) {
  const time = new Intl.DateTimeFormat("en-GB", FORMATS[kind] || FORMATS.minutes).format(moment);
  if (kind !== "day") return time;
  const today = new Date().toDateString() === moment.toDateString();
  return `${today ? "today" : DAY.format(moment)} ${time}`;
}

export function localiseClocks(root = document) {
  for (const element of root.querySelectorAll("time[data-clock]")) {
    const moment = new Date(element.dateTime);
    if (!Number.isNaN(moment.getTime())) element.textContent = words(moment, element.dataset.clock);
  }
}

localiseClocks();
