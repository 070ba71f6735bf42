/** The same input gives the same bytes: in any order, again, and from a cache after any edits. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { compileFiles, type CompileOptions } from "../../support/compile.js";
type Files = Readonly<Record<string, string | undefined>>;

const front = (name: string, tools: string) =>
  `---\nname: ${name}\ndescription: Works at ${name}.\n${tools}---\n\n# ${name}\n`;

/** What each file may come to hold; undefined: it is not there. */
const versions: Readonly<Record<string, readonly (string | undefined)[]>> = {
  "skills/orders/SKILL.md": [
    front("orders", tools(`{ $ref: "./order.json" }`)),
    front("orders", tools(`{ $ref: "../shared/order.json" }`)),
    front("orders", tools("{ type: string }")),
    front("orders", tools("{ type: strin }")),
    front("orders", ""),
    front("orders", "tools: [\n"),
    undefined,
  ],
  "skills/orders/order.json": [
    '{ "type": "object", "properties": { "id": { "type": "string" } } }',
    '{ "$ref": "../shared/order.json" }',
    '{ "type": "number" }',
    "{",
    undefined,
  ],
  "skills/shared/order.json": [
    '{ "const": "shared" }',
    '{ "title": "Shared", "type": "object" }',
    undefined,
  ],
  "skills/orders/metadata.json": [
    undefined,
    '{ "risk_level": "high" }',
    '{ "tools": { "more": {} } }',
  ],
  "skills/desk/SKILL.md": [
    front("desk", "tools:\n  ask: { description: Ask., question: string }\n"),
    front("desk", "tools:\n  ask: { description: Ask., question: string, topic?: string }\n"),
    front("desk", "tools:\n  ask: { description: Ask., topic: { type: number, default: -0.0 } }\n"),
    front("orders", "tools:\n  ask: { description: Ask., question: string }\n"),
    undefined,
  ],
  "skills/desk/skill.md": [undefined, front("desk", "")],
  "skills/notes/SKILL.md": [front("notes", ""), undefined, "no front matter"],
  "skillc.yaml": [undefined, "skills: skills\nout: made\n", "skills: skills\nout: generated\n"],
};

function tools(returns: string): string {
  return `tools:
  fetch-order:
    description: Fetch one order.
    order_id: string
    returns: ${returns}
    binding: { type: http, method: GET, url: "\${ORDERS}/{order_id}" }
`;
}

const first: Files = Object.fromEntries(
  Object.entries(versions).map(([path, [text]]) => [path, text]),
);

const present = (files: Files): Record<string, string> =>
  Object.fromEntries(
    Object.entries(files).flatMap(([path, text]) => (text === undefined ? [] : [[path, text]])),
  );

/** All that a run gives but where its time went. */
async function outcome(files: Files, options: CompileOptions = {}) {
  const {
    diagnostics,
    files: output,
    comparison,
    counts,
  } = await compileFiles(present(files), options);
  return { given: { diagnostics, output, comparison }, counts };
}

test("the same project gives the same bytes again, in any order of its files", async () => {
  const { given } = await outcome(first);
  expect(given.output.length).toBeGreaterThan(8);
  expect((await outcome(first)).given).toEqual(given);
  const reversed = Object.fromEntries(Object.entries(first).toReversed());
  expect((await outcome(reversed)).given).toEqual(given);
});

test("a warm cache compiles nothing, and each edit only what it touches", async () => {
  const cache = new Map<string, string>();
  const cold = await outcome(first, { cache });
  expect(cold.counts).toMatchObject({ compiled: 3, reused: 0 });
  const warm = await outcome(first, { cache });
  expect(warm.counts).toMatchObject({ compiled: 0, reused: 3 });
  expect(warm.given).toEqual(cold.given);

  const edited = {
    ...first,
    "skills/orders/order.json": versions["skills/orders/order.json"]?.[2],
  };
  expect((await outcome(edited, { cache })).counts).toMatchObject({ compiled: 1, reused: 2 });
  const unrelated = { ...edited, "skills/shared/order.json": undefined };
  expect((await outcome(unrelated, { cache })).counts).toMatchObject({ compiled: 0, reused: 3 });
  const styled = await outcome(first, { cache, style: { semi: false } });
  expect(styled.counts).toMatchObject({ compiled: 3, reused: 0 });
});

test("a warm run equals a cold one after any edits, of any file, one after another", async () => {
  const edit = fc.constantFrom(
    ...Object.entries(versions).flatMap(([path, texts]) => texts.map((text) => ({ path, text }))),
  );
  const step = fc.array(edit, { minLength: 1, maxLength: 2 });
  const styles = fc.constantFrom({}, { semi: false });
  let reused = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(step, styles), { minLength: 2, maxLength: 3 }),
      async (steps) => {
        const cache = new Map<string, string>();
        let previous = new Map<string, string>();
        let files = first;
        for (const [edits, style] of steps) {
          for (const { path, text } of edits) files = { ...files, [path]: text };
          const cold = await outcome(files, { style, previous });
          const warm = await outcome(files, { style, previous, cache });
          expect(warm.given).toEqual(cold.given);
          reused += warm.counts.reused;
          if (warm.given.output.length > 0) {
            previous = new Map(warm.given.output.map((file) => [file.path, file.text]));
          }
        }
      },
    ),
    { numRuns: 3, seed: 3 },
  );
  expect(reused).toBeGreaterThan(0);
}, 120_000);
