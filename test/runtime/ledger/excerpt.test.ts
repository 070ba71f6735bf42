import fc from "fast-check";
import { expect, test } from "vitest";
import { callTool } from "../../../src/runtime/call/call-tool.js";
import { excerptOf } from "../../../src/runtime/ledger/excerpt.js";
import { createMemoryLedger } from "../../../src/runtime/ledger/memory-store.js";
import { createRuntime } from "../../../src/runtime/runtime.js";
import { exampleTool } from "../example-tool.js";

/** The summary of a result that the ledger keeps. */
async function recorded(data: unknown, credentials: Readonly<Record<string, string>> = {}) {
  const ledger = createMemoryLedger();
  const runtime = createRuntime({ ledger, credentials });
  const result = { status: "success", data } as const;
  const tool = exampleTool(
    async (attempt) => {
      Object.keys(credentials).forEach((name) => attempt.open(name));
      return { result };
    },
    { credentials: Object.keys(credentials) },
  );
  await callTool(tool, { id: "1" }, { runtime });
  const end = ledger.records.find((each) => each.type === "end");
  return end?.type === "end" ? end.result : undefined;
}

test("the ledger keeps the first characters of an answer's JSON, however large it is", async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue({ maxDepth: 4 }), fc.nat(3000), async (value, times) => {
      const data = Array.from({ length: times }, () => value);
      const json = JSON.stringify({ status: "success", data });
      expect(await recorded(data)).toBe(json.slice(0, 500));
    }),
    { numRuns: 40 },
  );
});

test("the ledger serializes only the beginning of a large answer", async () => {
  let written = 0;
  const item = { text: "x".repeat(100), toJSON: () => ((written += 1), "item") };
  await recorded([..."x".repeat(100_000)].map((text, at) => (at === 99_999 ? item : text)));
  expect(written).toBe(0);
});

/** So many are several times the excerpt that the ledger looks at. */
const timesIn = (secret: string) => Math.ceil(500_000 / secret.length);

test.each([
  ["across the cut", (secret: string) => ["x".repeat(470), secret, "y".repeat(200_000)]],
  ["all over", (secret: string) => Array.from({ length: timesIn(secret) }, () => secret)],
  ["in one text", (secret: string) => secret.repeat(timesIn(secret))],
  ["shifted against the excerpt's end", (secret: string) => `abc${secret.repeat(timesIn(secret))}`],
] as const)(
  "no part of a credential is in the summary of a large answer: %s",
  async (_, dataFor) => {
    for (const secret of ["correct-horse-battery", "k".repeat(3000), '"\\\n"'.repeat(200)]) {
      const summary = await recorded(dataFor(secret), { TOKEN: secret });
      expect(summary).toHaveLength(500);
      for (const part of [secret.slice(0, 5), secret.slice(-5), JSON.stringify(secret).slice(1, 7)])
        expect(summary).not.toContain(part);
    }
  },
);

test("an excerpt shows if anything was left out, and stops at a cycle", () => {
  expect(excerptOf({ a: [1, "two"] }, 100)).toEqual({ value: { a: [1, "two"] }, isWhole: true });
  expect(excerptOf(["abcdef"], 4)).toEqual({ value: ["abc"], isWhole: false });
  expect(excerptOf([1, 2, 3, 4], 3)).toEqual({ value: [1, 2], isWhole: false });
  const itself: unknown[] = [];
  itself.push(itself);
  expect(() => excerptOf(itself, 100_000)).toThrow(RangeError);
});
