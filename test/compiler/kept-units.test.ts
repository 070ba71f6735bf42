import { expect, test } from "vitest";
import { compileFiles } from "../support/compile.js";

const skill = (name: string, says: string) => `---
name: ${name}
description: Orders.
tools:
  get-order:
    description: ${says}
    parameters: { type: object, properties: { order_id: { type: string, minLength: 1 } } }
    returns: { $ref: ./order.json }
---
`;

const order = JSON.stringify({ title: "Order", type: "object", properties: { id: {} } });

const project = {
  "skills/desk/SKILL.md": skill("desk", "Gets an order."),
  "skills/desk/order.json": order,
  "skills/shop/SKILL.md": skill("shop", "Gets an order."),
  "skills/shop/order.json": order,
};

const edited = { ...project, "skills/shop/SKILL.md": skill("shop", "Gets the order.") };

/** A cache that notes what is asked for, and how long what it gave is. */
function notingCache() {
  const entries = new Map<string, string>();
  const given: string[] = [];
  return {
    entries,
    given,
    get(key: string) {
      const value = entries.get(key);
      if (value !== undefined) given.push(value);
      return value;
    },
    set: (key: string, value: string) => void entries.set(key, value),
  };
}

const textsOf = (files: readonly { readonly path: string; readonly text: string }[]) =>
  new Map(files.map(({ path, text }) => [path, text]));

test("files of a kept skill are taken from the output folder, and their texts not from the cache", async () => {
  const cache = notingCache();
  const previous = textsOf((await compileFiles(project, { cache })).files);
  cache.given.length = 0;
  const after = await compileFiles(edited, { cache, previous });
  expect(after.counts).toMatchObject({ compiled: 1, reused: 1 });
  expect(cache.given.filter((each) => each.includes("export async function getOrder"))).toEqual([]);
  expect(textsOf(after.files)).toEqual(textsOf((await compileFiles(edited)).files));
});

test.each([
  ["is gone", undefined],
  ["was edited by hand", "// By hand.\n"],
  ["has other line ends", "crlf"],
])("a kept skill is whole where one of its files %s", async (_, now) => {
  const cache = notingCache();
  const first = await compileFiles(project, { cache });
  const previous = textsOf(first.files);
  const path = "desk/get-order.ts";
  const text = now === "crlf" ? previous.get(path)?.replaceAll("\n", "\r\n") : now;
  if (text === undefined) previous.delete(path);
  else previous.set(path, text);
  const after = await compileFiles(project, { cache, previous });
  expect(after.counts).toMatchObject({ compiled: 0, reused: 2 });
  expect(textsOf(after.files)).toEqual(textsOf(first.files));
});

test("a skill whose texts are neither in the output nor in the cache is compiled again", async () => {
  const cache = notingCache();
  const first = await compileFiles(project, { cache });
  for (const [key, value] of cache.entries)
    if (value.startsWith('["') && value.includes("export async function"))
      cache.entries.delete(key);
  const after = await compileFiles(project, { cache, previous: new Map() });
  expect(after.counts).toMatchObject({ compiled: 2, reused: 0 });
  expect(textsOf(after.files)).toEqual(textsOf(first.files));
});
