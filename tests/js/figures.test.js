// Speeds, ages and marks of the live page, as computed in the browser.
import assert from "node:assert/strict";
import { test } from "node:test";

import { ageWords, decayed, speedWords } from "../../static/js/ages.js";
import { grouped } from "../../static/js/live/marks.js";

test("a speed stands while pages come and falls in a silence", () => {
  assert.equal(decayed(10, 0), 10);
  assert.equal(decayed(10, 3), 10);
  assert.equal(decayed(10, 6.6), 5);
  assert.equal(decayed(0, 5), 0);
});

test("speeds have two decimals below 1 and none from 100", () => {
  assert.deepEqual([0, 0.456, 4.56, 45.6, 456].map(speedWords), ["0", "0.46", "4.6", "45.6", "456"]);
});

test("ages are in the largest whole unit", () => {
  assert.deepEqual([0.9, 59, 60, 3599, 7200].map(ageWords), ["0 s", "59 s", "1 min", "59 min", "2 h"]);
});

test("marks that are too close share a line", () => {
  const marks = [
    { pages: 10, letter: "T", times: 2 }, { pages: 12, letter: "T", times: 1 },
    { pages: 14, letter: "δ", times: 1 }, { pages: 90, letter: "L", times: 1 },
  ];
  const groups = grouped(marks, (pages) => pages, 100, 1000);
  assert.deepEqual(groups, [{ at: 10, text: "T×3" }, { at: 14, text: "δ" }, { at: 90, text: "L" }]);
});
