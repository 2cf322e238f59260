// The axis of values: its full scale, or fitted to what is drawn. The session storage has the ids of
// the figures that were switched.
const KEY = "switched-axes";
const TITLES = { true: "Show the full scale again", false: "Fit the axis to the values drawn" };
// Space beyond the values, as a share of what they span; at least so much of the full scale.
const ROOM = 0.08;
const LEAST = 0.01;

// From a little below the least value to a little above the greatest, with their error bars; bars
// keep their nought.
export function fittedRange(traces, [floor, ceiling]) {
  let [low, high] = traces.some(({ type }) => type === "bar") ? [0, 0] : [Infinity, -Infinity];
  for (const value of [...definedValues(traces), ...traces.flatMap(errorEnds)]) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  const room = Math.max(ROOM * (high - low), LEAST * (ceiling - floor));
  return [Math.max(floor, low - room), Math.min(ceiling, high + room)];
}

// Round steps, four or so, each with as many decimals as it needs.
export function fittedTicks([low, high], unit) {
  const least = (high - low) / 5;
  const power = 10 ** Math.floor(Math.log10(least));
  const step = power * [1, 2, 5, 10].find((times) => times * power >= least);
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9) - (unit === "share" ? 2 : 0));
  return { dtick: step, tickformat: `,.${decimals}${unit === "share" ? "%" : "f"}` };
}

export function definedValues(traces) {
  return traces.flatMap(({ y }) => y).filter((value) => value !== null);
}

function errorEnds({ y, error_y: errors }) {
  if (!errors) return [];
  return y.flatMap((value, i) => (value === null || !errors.array[i] ? [] : [value - errors.array[i], value + errors.array[i]]));
}

export class FitSwitch {
  constructor(element, id, { fits, fitted }, changed) {
    this.id = id;
    this.fitted = fitted;
    this.button = element.querySelector("[data-fit]");
    if (!fits) return; // the axis has names or is logarithmic: there is nothing to switch
    this.button.hidden = false;
    this.button.addEventListener("click", () => {
      keep(this.id, this.on === this.fitted);
      this.show();
      changed();
    });
    this.show();
  }

  get on() {
    return this.button.getAttribute("aria-pressed") === "true";
  }

  show() {
    const on = kept().includes(this.id) !== this.fitted;
    this.button.setAttribute("aria-pressed", String(on));
    this.button.title = TITLES[on];
  }
}

function kept() {
  return JSON.parse(sessionStorage.getItem(KEY) ?? "[]");
}

function keep(id, switched) {
  const others = kept().filter((each) => each !== id);
  sessionStorage.setItem(KEY, JSON.stringify(switched ? [...others, id] : others));
}
