import { wayOn } from "../failures.js";

// The websocket: requests what follows the last sample drawn, and reconnects after a loss.
const FIRST_PAUSE = 1000;
const LONGEST_PAUSE = 15000;
const NOT_SIGNED_IN = 4401;
const GONE = 4404;

export class Connection {
  // `after` returns the number of the last sample drawn; `take` applies a message and returns
  // whether it fitted what was drawn before; `liveness` hears of every message and every loss.
  constructor(root, after, take, liveness) {
    this.crawl = root.dataset.crawl;
    this.after = after;
    this.take = take;
    this.liveness = liveness;
    this.nextTry = root.querySelector("[data-connection-next]");
    root.querySelector("[data-connection-retry]").addEventListener("click", () => this.open());
    addEventListener("offline", () => this.lose());
    addEventListener("online", () => this.lost && this.open());
    addEventListener("pagehide", () => this.close());
    addEventListener("pageshow", (event) => event.persisted && this.open());
    this.pause = FIRST_PAUSE;
    this.lost = false;
  }

  open() {
    this.close();
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${scheme}//${location.host}/ws/crawls/${this.crawl}/?after=${this.after()}`);
    socket.onmessage = (event) => this.receive(socket, JSON.parse(event.data));
    socket.onclose = (event) => this.closed(socket, event.code);
    this.socket = socket;
  }

  close() {
    clearTimeout(this.timer);
    clearInterval(this.countdown);
    if (this.socket) {
      this.socket.onclose = null;
      this.socket.close();
      this.socket = null;
    }
  }

  receive(socket, message) {
    if (message.kind === "snapshot") {
      this.pause = FIRST_PAUSE;
      this.lost = false;
    }
    socket.send(JSON.stringify({ seq: message.seq }));
    const fits = message.kind === "heartbeat" || this.take(message);
    this.liveness.hear(message);
    if (!fits) this.open();
  }

  closed(socket, code) {
    if (socket !== this.socket) return;
    this.socket = null;
    if (code === GONE) location.reload();
    else if (code === NOT_SIGNED_IN) this.signedOut();
    else this.lose();
  }

  // The page stays as it is, with all that was typed; nothing is tried again.
  signedOut() {
    this.close();
    this.lost = true;
    this.liveness.signOut();
    this.nextTry.replaceChildren(...wayOn({ kind: "signed-out" }, ""));
  }

  // The connection was lost or closed: tries again, with growing pauses.
  lose() {
    this.close();
    this.lost = true;
    this.liveness.lose();
    this.wait();
  }

  wait() {
    const pause = this.pause;
    const until = Date.now() + pause;
    this.pause = Math.min(LONGEST_PAUSE, 2 * pause);
    const say = () => {
      const seconds = Math.max(1, Math.ceil((until - Date.now()) / 1000));
      this.nextTry.textContent = `Trying again in ${seconds} s.`;
    };
    say();
    clearInterval(this.countdown);
    this.countdown = setInterval(say, 1000);
    this.timer = setTimeout(() => this.open(), pause);
  }
}
