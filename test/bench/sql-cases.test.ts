import { fileURLToPath } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { type Bar, barsOf, isMet } from "../../bench/sql-cases/bars.js";
import { readCases } from "../../bench/sql-cases/case.js";
import { type Verdict } from "../../bench/sql-cases/judge.js";
import { judgeCases } from "../../bench/sql-cases/judge-cases.js";
import { verdictTable } from "../../bench/sql-cases/print.js";

let verdicts: readonly Verdict[];
beforeAll(async () => {
  const file = fileURLToPath(new URL("sql-cases.json", import.meta.url));
  verdicts = await judgeCases(readCases(file));
});

const verdictOn = (id: string): Verdict | undefined => verdicts.find((each) => each.id === id);

test("a statement that compiles is compared with the answer of PostgreSQL", () => {
  expect(verdictOn("ok/read")).toEqual({
    id: "ok/read",
    expect: "ok",
    became: "builder",
    reason: "",
    wrongColumns: [],
    wrongNulls: [],
    nulls: 3,
    references: { seen: 10, all: 10 },
  });
  expect(verdictOn("ok/write")).toMatchObject({ became: "builder", references: { all: 5 } });
  expect(verdictOn("ok/template")).toMatchObject({ became: "template" });
});

test("the verdict names the columns and nulls that differ from what was expected", () => {
  expect(verdictOn("wrong/types")).toMatchObject({
    wrongColumns: ["id int4 for id int8"],
    wrongNulls: ["never_null"],
  });
  expect(verdictOn("wrong/fail")).toMatchObject({ expect: "fail", became: "builder" });
});

test("a statement that is rejected has a place", () => {
  const { became, place, reason } = verdictOn("fail/column") ?? {};
  expect(became).toBe("rejected");
  expect(place).toMatch(/^\d+:16$/);
  expect(reason).toContain('column "txet" does not exist');
});

test("a bar is met or missed", () => {
  const missed = (bars: readonly Bar[]) =>
    bars.filter((bar) => !isMet(bar)).map(({ name }) => name);
  expect(missed(barsOf(verdicts))).toEqual([
    "ok: proved builder code",
    "ok: PostgreSQL's column names and types",
    "columns that were NULL: nullable",
    "fail: rejected",
    "fail: rejected at a place in the statement",
  ]);
  expect(verdictTable(verdicts)).toContain("never_null was NULL");
});
