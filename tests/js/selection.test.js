// The address of a crawl of selected hosts.
import assert from "node:assert/strict";
import { test } from "node:test";

import { crawlAddress } from "../../static/js/hosts/selection.js";

test("hosts are named without their ports", () => {
  assert.equal(crawlAddress("/new/", ["a.test:81", "b.test"]), "/new/?follow=these&hosts=a.test+b.test");
});

test("as many hosts as an address holds are named, more are not", () => {
  const names = (number) => Array.from({ length: number }, (_, index) => `host-number-${index}.example`);
  const address = crawlAddress("/new/", names(400));
  assert.equal(new URL(address, "http://x").searchParams.get("hosts").split(" ").length, 400);
  assert.ok(address.length < 16000);
  assert.equal(crawlAddress("/new/", names(1500)), "");
});

test("a domain is named without its mark, and parts of hosts cannot be crawled alone", () => {
  assert.equal(crawlAddress("/new/", ["*.a.test"]), "/new/?follow=these&hosts=a.test");
  assert.equal(crawlAddress("/new/", ["*.a.test", "u.test/~ann"]), "");
});
