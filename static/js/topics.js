import { isSignIn } from "./server.js";

// While a topic's job is under way its live parts are fetched again every two seconds.
const PAUSE = 2000;

function working() {
  return document.querySelector("[data-working]") !== null;
}

function busy(part) {
  if (part.querySelector("[data-writing]")) return true;
  return part.contains(document.activeElement) && document.activeElement !== document.body;
}

async function refresh() {
  const answer = await fetch(location.href);
  if (isSignIn(answer)) location.reload();
  if (!answer.ok || answer.redirected) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const part of document.querySelectorAll("[data-live]")) {
    const now = fresh.getElementById(part.id);
    if (!now && part.hasAttribute("data-reload-when-gone")) location.reload();
    if (now && !busy(part) && now.innerHTML !== part.innerHTML) part.replaceWith(now);
    else if (now) part.toggleAttribute("data-working", now.hasAttribute("data-working"));
  }
}

async function watch() {
  while (working()) {
    await new Promise((wake) => setTimeout(wake, PAUSE));
    if (!document.hidden) await refresh().catch(() => {});
  }
}

watch();
