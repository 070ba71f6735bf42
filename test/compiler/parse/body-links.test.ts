import { expect, test } from "vitest";
import { bodyLinks } from "../../../src/compiler/parse/body-links.js";

test("links are found in the order of the text, also inside of other links", async () => {
  const text = "[a](one.md) ![b](two.png)\n\n[![c](three.png)](four.md)\n\n[d]: five.md\n";
  const links = await bodyLinks(text);
  const urls = ["one.md", "two.png", "four.md", "three.png", "five.md"];
  expect(links.map(({ url }) => url)).toEqual(urls);
  expect(text.slice(links[0]?.start, links[0]?.end)).toBe("[a](one.md)");
});

test("links are found in thousands of quotes inside of each other", async () => {
  const links = await bodyLinks(`${">".repeat(4000)}[a](one.md)\n`);
  expect(links.map(({ url }) => url)).toEqual(["one.md"]);
});

test.each([
  ["over many lines", Array.from({ length: 2000 }, (_, level) => `${"  ".repeat(level)}- x`)],
  ["on one line", ["- ".repeat(2000)]],
  ["inside of quotes", ["> - ".repeat(2000)]],
])("links are found before a line in thousands of lists %s", async (_, lines) => {
  const links = await bodyLinks(`[b](one.md)\n\n${lines.join("\n")}[a](deep.md)\n`);
  expect(links.map(({ url }) => url)).toEqual(["one.md"]);
});

test("links are found after a long rule", async () => {
  const links = await bodyLinks(`text\n\n${"-".repeat(500)}\n\n[a](one.md)\n`);
  expect(links.map(({ url }) => url)).toEqual(["one.md"]);
});
