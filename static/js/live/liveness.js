// Whether the page is up to date. The server sends something at least every two seconds, with the
// ages of the crawl's last commit and of its newest page; between messages the ages are counted
// here.
import { ageWords, decayed, speedWords } from "../ages.js";

const LOOK_EVERY = 500;
// Seconds without a message, without a commit, and without a page (or the time of three pages).
const SILENT = 4;
const STALLED = 4;
const SLOW = 4;
// A connection that is silent for so long is replaced.
const GIVEN_UP = 12;

const CUT_OFF = ["offline", "silent", "signed-out"];
const SENTENCES = {
  offline: "Connection lost; the crawl goes on.",
  "signed-out": "You are signed out; the crawl goes on.",
  silent: "The site does not answer; the crawl goes on.",
  stalled: "nothing is written",
  slow: "no new page",
};

export class Liveness {
  // `giveUp` is called if the server has been silent for long.
  constructor(root, giveUp) {
    this.root = root;
    this.giveUp = giveUp;
    this.headline = root.querySelector("[data-connection-words]");
    this.notice = root.querySelector("[data-connection]");
    this.words = root.querySelector("[data-liveness-words]");
    this.since = root.querySelector("[data-liveness-age]");
    this.ages = { commit: null, page: null };
    this.heardAt = performance.now();
    this.isLost = false;
    addEventListener("offline", () => this.look());
    addEventListener("online", () => this.look());
    setInterval(() => this.look(), LOOK_EVERY);
  }

  hear(message) {
    this.heardAt = performance.now();
    this.isLost = this.isSignedOut = false;
    this.ages = message.ages;
    this.look();
  }

  lose() {
    this.isLost = true;
    this.look();
  }

  signOut() {
    this.isSignedOut = true;
    this.look();
  }

  look() {
    const silence = (performance.now() - this.heardAt) / 1000;
    const commit = (this.ages.commit ?? 0) + silence;
    const page = (this.ages.page ?? 0) + silence;
    const kind = this.kind(silence, commit, page);
    const age = { offline: silence, silent: silence, "signed-out": silence, stalled: commit, slow: page }[kind] ?? 0;
    this.show(kind, ageWords(age));
    this.showSpeed(kind, page);
    if (kind === "silent" && silence > GIVEN_UP) this.giveUp();
  }

  kind(silence, commit, page) {
    if (this.isSignedOut) return "signed-out";
    if (this.isLost || !navigator.onLine) return "offline";
    if (silence > SILENT) return "silent";
    if (this.root.dataset.state !== "running") return "current";
    if (this.ages.commit !== null && commit > STALLED) return "stalled";
    const due = Math.max(SLOW, 3 / (this.speed() || 1));
    return this.ages.page !== null && page > due ? "slow" : "current";
  }

  // The sentence changes only with the kind, so that screen readers do not read every second.
  show(kind, age) {
    const isCutOff = CUT_OFF.includes(kind);
    this.root.style.setProperty("--age", `"${age} ago"`);
    this.since.textContent = kind === "current" || isCutOff ? "" : `for ${age}`;
    for (const element of this.root.querySelectorAll("[data-silence]")) element.textContent = `No answer for ${age}.`;
    if (this.root.dataset.liveness === kind) return;
    this.root.dataset.liveness = kind;
    this.notice.hidden = !isCutOff;
    if (isCutOff) this.headline.textContent = SENTENCES[kind];
    this.words.textContent = isCutOff ? "" : SENTENCES[kind] ?? "";
  }

  speed() {
    return Number(this.root.querySelector("[data-speed]")?.dataset.speed ?? 0);
  }

  // A frozen page must not show a frozen speed: it is unknown while disconnected, and falls while
  // no pages come.
  showSpeed(kind, age) {
    const figure = this.root.querySelector("[data-speed]");
    if (!figure || this.root.dataset.state !== "running") return;
    const speed = this.speed();
    const isCurrent = !CUT_OFF.includes(kind);
    const now = this.ages.page === null ? speed : decayed(speed, age);
    figure.textContent = isCurrent ? speedWords(now) : "–";
    const was = this.root.querySelector("[data-speed-was]");
    was.textContent = isCurrent && now > 0.9 * speed ? "" : `was ${speedWords(speed)}`;
  }
}
