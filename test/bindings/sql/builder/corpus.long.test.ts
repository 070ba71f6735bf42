import { loadModule } from "libpg-query";
import { beforeAll, describe, expect, test } from "vitest";
import { proved, templates } from "./corpus.js";
import { build, printed } from "./built.js";
import { shop } from "./shop.js";
import { mutantsOf } from "./mutants.js";
import { typeErrors } from "./typecheck.js";

beforeAll(loadModule);

const statements = Object.values(proved).flat();

describe.each(Object.entries(proved))("builder code of statements: %s", (_topic, list) => {
  test.each(list)("builds and proves %s", (sql) => {
    const built = build(sql);
    expect("why" in built ? built.why : "proved").toBe("proved");
    expect(built.references.seen).toBeLessThanOrEqual(built.references.all);
  });
});

describe("templates of the author's text", () => {
  test.each(templates)("stays a template: %s", (sql) => {
    expect(build(sql)).toMatchObject({ proved: false, chain: { kind: "template", values: [] } });
  });
});

test("builds the same SQL without a snapshot of the tables", () => {
  const unproved = statements.filter((sql) => !build(sql, {}).proved);
  expect(unproved).toEqual([]);
});

test("TypeScript sees nearly every reference", () => {
  const counts = statements.map((sql) => build(sql).references);
  const [seen, all] = [
    counts.reduce((sum, each) => sum + each.seen, 0),
    counts.reduce((sum, each) => sum + each.all, 0),
  ];
  expect(seen / all).toBeGreaterThan(0.96);
});

test("TypeScript accepts the code of every statement", { timeout: 120_000 }, () => {
  const errors = typeErrors(
    statements.map((sql) => printed(build(sql).chain)),
    shop,
  );
  const wrong = statements.flatMap((sql, index) =>
    errors[index] === undefined ? [] : [`${sql}: ${errors[index]}`],
  );
  expect(wrong).toEqual([]);
});

/** All of them would take a minute. */
const EVERY = 5;

test(
  "TypeScript rejects the code of every statement with a misspelt name",
  { timeout: 120_000 },
  () => {
    const mutants = statements
      .flatMap((sql) => mutantsOf(build(sql).chain))
      .filter((_, index) => index % EVERY === 0)
      .map(printed);
    expect(mutants.length).toBeGreaterThan(250);
    const errors = typeErrors(mutants, shop);
    expect(mutants.filter((_, index) => errors[index] === undefined)).toEqual([]);
  },
);
