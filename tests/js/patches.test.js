// Patches of HTML are applied as the server makes them (apps/screens/live/patches.py).
import assert from "node:assert/strict";
import { test } from "node:test";

import { patched } from "../../static/js/live/patches.js";

test("a whole piece stands for itself", () => {
  assert.equal(patched("<b>old</b>", "<b>new</b>"), "<b>new</b>");
});

test("numbers copy tokens of the HTML before", () => {
  // Tokens of the HTML before: <b class= "a "> x </b> are 0 to 5, cut before < " and /.
  assert.equal(patched('<b class="a">x</b>', ["<i", 1, 1]), '<i"a');
});

test("a copy may take what the patch itself has made", () => {
  assert.equal(patched("", ["<td>1<td>", 0, 2]), "<td>1<td><td>1<td>");
});
