import { expect, test } from "vitest";
import { keptSettings } from "../../../src/cli/project/kept-settings.js";
import { readSettings } from "../../../src/cli/project/read-settings.js";
import { makeProject, put } from "../support/command-line.js";

/** JavaScript and settings that are kept in memory. */
function memory() {
  const entries = new Map<string, string>();
  const kept = {
    get: (key: string) => entries.get(key),
    set: (key: string, value: string) => void entries.set(key, value),
  };
  return { entries, kept };
}

const full =
  "skills: skills\ngovernance: strict\nledger: ${LEDGER_URL}\n" +
  "mcp: { app: ./app.ts, caller: { subject: ada }, answer_within: 5s }\n";

test("kept settings are those of skillc.yaml", async () => {
  const { entries, kept } = memory();
  const root = makeProject();
  put(root, "skillc.yaml", full);
  const first = await keptSettings(root, kept);
  expect(entries.size).toBe(1);
  const second = await keptSettings(root, kept);
  expect(second).toEqual(JSON.parse(JSON.stringify(first)));
  expect(second).toEqual(JSON.parse(JSON.stringify(await readSettings(root))));
  expect(second.mcp).toMatchObject({ app: "./app.ts", answerWithinMs: 5000 });
});

test("an edited skillc.yaml is read again", async () => {
  const { kept } = memory();
  const root = makeProject();
  put(root, "skillc.yaml", full);
  await keptSettings(root, kept);
  put(root, "skillc.yaml", full.replace("5s", "6s"));
  expect((await keptSettings(root, kept)).mcp?.answerWithinMs).toBe(6000);
});

test("nothing is kept for a project without skillc.yaml", async () => {
  const { entries, kept } = memory();
  const root = makeProject();
  expect(await keptSettings(root, kept)).toEqual(await readSettings(root));
  expect(entries.size).toBe(0);
});
