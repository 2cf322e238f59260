// Curves go on as the server says it (apps/screens/live/trajectory.py).
import assert from "node:assert/strict";
import { test } from "node:test";

import { Clock } from "../../static/js/live/clock.js";
import { splice } from "../../static/js/live/splices.js";

// The bits 1010 0000, 0100 0000: of ten values the first, the third and the last.
const FIRST_THIRD_AND_LAST = "oEA=";

test("a number keeps so many of the first values", () => {
  assert.deepEqual(splice([1, 2, 3], 2, [7, 8]), [1, 2, 7, 8]);
  assert.deepEqual(splice([], 0, [7]), [7]);
});

test("bits keep those values that are still drawn", () => {
  const values = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
  assert.deepEqual(splice(values, FIRST_THIRD_AND_LAST, [10]), [0, 2, 9, 10]);
});

test("what is beyond the bits is dropped", () => {
  assert.deepEqual(splice([..."abcdefghijklmnopqrst"], FIRST_THIRD_AND_LAST, []), ["a", "c", "j"]);
});

test("the clock that is thinned out gives the minutes between what is left", () => {
  const clock = new Clock();
  const pages = [10, 20, 30, 40, 50, 60, 70, 80, 90, 100];
  clock.splice({ keep: 0, x: pages, y: pages.map((page) => 6 * page) });
  clock.splice({ keep: FIRST_THIRD_AND_LAST, x: [110], y: [900] });
  assert.deepEqual(clock.pages, [0, 10, 30, 100, 110]);
  assert.equal(clock.minutes(5), 0.5);
  assert.equal(clock.minutes(65), 6.5);
  assert.equal(clock.minutes(110), 15);
});
