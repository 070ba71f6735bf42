/**
 * PostgreSQL refuses fewer rows than none at each call: a number that may be negative is told of
 * before.
 */
import { describe, expect, test } from "vitest";
import { ask } from "./ask.js";

/** PostgreSQL's own numbers are larger than JSON's exact ones, which is told by itself. */
const small = { type: "integer", minimum: -100, maximum: 100 };

const clauses = [
  "LIMIT :n",
  "OFFSET :n",
  "OFFSET :n ROWS",
  "FETCH FIRST :n ROWS ONLY",
  "FETCH NEXT (:n) ROWS ONLY",
  "LIMIT (:n)",
];

function inClause(clause: string, schema: object, name = "n"): Promise<readonly string[]> {
  return ask({
    query: `SELECT id FROM people ORDER BY id ${clause}`,
    parameters: { [name]: schema },
  });
}

describe("LIMIT or OFFSET that may be negative", () => {
  test.each(clauses)("warns of a negative value: %s", async (clause) => {
    expect(await inClause(clause, small)).toEqual([
      "warning sql/negative-limit at :n: `n` may be negative, but LIMIT and OFFSET reject negative numbers (write `minimum: 0`)",
    ]);
  });

  test.each([
    ["a minimum below 0", { type: "integer", minimum: -1, maximum: 100 }],
    ["a list with a negative number", { type: "integer", enum: [10, -1] }],
  ])("warns at the parameter's position: %s", async (_, schema) => {
    expect(await inClause("OFFSET :n", schema)).toEqual([
      expect.stringContaining("warning sql/negative-limit at :n"),
    ]);
  });

  test("warns once for each clause", async () => {
    const found = await ask({
      query: "SELECT id FROM people ORDER BY id LIMIT :n OFFSET :m",
      parameters: { n: small, m: small },
    });
    expect(found.map((line) => line.split(":")[0])).toEqual([
      "warning sql/negative-limit at ",
      "warning sql/negative-limit at ",
    ]);
  });
});

describe("LIMIT or OFFSET that can't be negative", () => {
  test.each([
    ["a minimum of 0", { type: "integer", minimum: 0, maximum: 100 }],
    ["a list of positive numbers", { type: "integer", enum: [10, 100] }],
  ])("does not warn of %s", async (_, schema) => {
    for (const clause of clauses) expect(await inClause(clause, schema)).toEqual([]);
  });
});
