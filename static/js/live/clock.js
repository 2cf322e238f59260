import { splice } from "./splices.js";

// The active minutes at any number of pages, interpolated linearly between samples.
export class Clock {
  constructor() {
    this.pages = [0];
    this.seconds = [0];
  }

  splice({ keep, x, y }) {
    this.pages = [0, ...splice(this.pages.slice(1), keep, x)];
    this.seconds = [0, ...splice(this.seconds.slice(1), keep, y)];
  }

  minutes(page) {
    const after = this.firstFrom(page);
    if (after >= this.pages.length) return this.seconds.at(-1) / 60;
    if (this.pages[after] === page) return this.seconds[after] / 60;
    const [x0, x1] = [this.pages[after - 1], this.pages[after]];
    const [y0, y1] = [this.seconds[after - 1], this.seconds[after]];
    return (y0 + ((y1 - y0) * (page - x0)) / (x1 - x0)) / 60;
  }

  // The index of the first sample with at least that many pages.
  firstFrom(page) {
    let [low, high] = [0, this.pages.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.pages[middle] < page) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
