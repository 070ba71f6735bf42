/** The modules of a golden case whose parameters name no types: what PostgreSQL gives back is what it was given, and goes in again. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openPglite } from "../../src/bindings/sql/send/pglite.js";
import { createMemoryLedger, createRuntime, shutdown } from "../../src/runtime/index.js";
import {
  addPerson,
  type AddPersonParams,
  findByKey,
  findPeople,
} from "../cases/sql-inferred-parameters/generated/people/index.js";

const schema = new URL("../cases/sql-inferred-parameters/db/schema.sql", import.meta.url);
const url = "pglite://:memory:";
const runtime = createRuntime({
  inherit: false,
  credentials: { PEOPLE_URL: url },
  ledger: createMemoryLedger(),
});

beforeAll(async () => {
  const engine = await openPglite(url);
  await engine.exec(readFileSync(schema, "utf8"));
});
afterAll(() => shutdown());

const ann: AddPersonParams = {
  id: "9007199254740993",
  key: "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11",
  name: "Ann",
  nick: "annie",
  age: 40,
  height: "168.5",
  weight: 60.5,
  mood: "bad",
  moods: ["good", "bad"],
  lucky: [7, -2147483648],
  born: "1986-02-28",
  wakes: "06:30:00",
  seen_at: "2026-01-02T03:04:05.123456Z",
  local_at: "2026-01-02T03:04:05",
  stay: "P1Y-2DT3.5S",
  photo: "AP8Q",
  extra: { a: [1, null] },
  active: false,
};

test("each value comes back as it went in, and may go in again", async () => {
  expect(await addPerson(ann, { runtime })).toMatchObject({ status: "success" });
  const found = await findPeople({ ids: [ann.id], least: 0, mood: "bad" }, { runtime });
  expect(found).toEqual({ status: "success", data: [ann], truncated: false });
  const key = "b0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11";
  const again = { ...found.data[0], id: "-1", key } as AddPersonParams;
  expect(await addPerson(again, { runtime })).toMatchObject({ status: "success" });
  expect(await findByKey({ key, name: "Ann" }, { runtime })).toMatchObject({ data: { id: "-1" } });
});

test.each<readonly [string, object]>([
  ["a number beyond the column's", { age: 40_000 }],
  ["a text longer than the column's", { nick: "far too long" }],
  ["a label that is none", { mood: "dull" }],
  ["a label that is none, in a list", { moods: ["dull"] }],
  ["an integer where digits go", { id: 7 }],
  ["no date", { born: "1986-02-30" }],
  ["no uuid", { key: "x" }],
  ["an offset where the column has none", { local_at: "2026-01-02T03:04:05Z" }],
  ["null", { extra: null }],
])("%s is refused before anything is sent", async (_, wrong) => {
  // Callers without types.
  const call = addPerson({ ...ann, ...wrong } as AddPersonParams, { runtime });
  await expect(call).rejects.toMatchObject({
    code: "SCHEMA.VALIDATION_FAILED",
    outcome: "not-done",
  });
});

test("a text longer than the column is only not found where it is compared", async () => {
  const { key } = ann;
  const found = await findByKey({ key, name: "a name longer than any" }, { runtime });
  expect(found).toEqual({ status: "success", data: null });
});
