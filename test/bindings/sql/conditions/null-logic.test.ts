import type { Node } from "@pgsql/types";
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pgCatalogOf } from "../../../../src/bindings/sql/database/pg-catalog.js";
import type { EmbeddedEngine } from "../../../../src/bindings/sql/database/engine.js";
import { readSnapshot } from "../../../../src/bindings/sql/database/read-snapshot.js";
import type { Snapshot } from "../../../../src/bindings/sql/database/snapshot.js";
import { assumeNull, truthOf } from "../../../../src/bindings/sql/conditions/null-logic.js";
import { FALSE, NULL, TRUE } from "../../../../src/bindings/sql/conditions/assumed.js";
import { parseStatement } from "../../../../src/bindings/sql/statement/parse.js";
import { embedded } from "../database/engines.js";

let engine: EmbeddedEngine;
let snapshot: Snapshot;
beforeAll(async () => {
  engine = await embedded("");
  snapshot = await readSnapshot(engine);
});
afterAll(() => engine.close());

/** `:n` is NULL; `:a` and `:b` have values. */
const { bool } = fc.letrec<{ bool: string; value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom(":n::text", ":a::text", ":b::text", "NULL::text", "'x'"),
    tie("value").map((one) => `lower(${one})`),
    fc.tuple(tie("value"), tie("value")).map(([one, other]) => `coalesce(${one}, ${other})`),
    fc.tuple(tie("value"), tie("value")).map(([one, other]) => `greatest(${one}, ${other})`),
    fc.tuple(tie("value"), tie("value")).map(([one, other]) => `(${one} || ${other})`),
    fc.tuple(tie("value"), tie("value")).map(([one, other]) => `concat(${one}, ${other})`),
  ),
  bool: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc
      .tuple(tie("value"), fc.constantFrom("=", "<>", "<", "LIKE", "~"), tie("value"))
      .map((parts) => `(${parts.join(" ")})`),
    fc
      .tuple(tie("value"), fc.constantFrom("IS NULL", "IS NOT NULL"))
      .map((parts) => `(${parts.join(" ")})`),
    fc
      .tuple(
        tie("value"),
        fc.constantFrom("IS DISTINCT FROM", "IS NOT DISTINCT FROM"),
        tie("value"),
      )
      .map((parts) => `(${parts.join(" ")})`),
    fc
      .tuple(
        tie("value"),
        fc.constantFrom("IN", "NOT IN"),
        fc.array(tie("value"), { minLength: 1, maxLength: 3 }),
      )
      .map(([value, word, list]) => `(${value} ${word} (${list.join(", ")}))`),
    fc
      .tuple(
        tie("value"),
        fc.constantFrom("BETWEEN", "NOT BETWEEN", "BETWEEN SYMMETRIC"),
        tie("value"),
        tie("value"),
      )
      .map(([value, word, low, high]) => `(${value} ${word} ${low} AND ${high})`),
    fc
      .tuple(
        tie("value"),
        fc.constantFrom("= ANY", "<> ALL", "= ALL"),
        fc.array(tie("value"), { maxLength: 2 }),
      )
      .map(([value, word, list]) => `(${value} ${word} (ARRAY[${list.join(", ")}]::text[]))`),
    fc
      .tuple(
        tie("value"),
        tie("value"),
        fc.constantFrom("=", "<>", "<"),
        tie("value"),
        tie("value"),
      )
      .map(([a, b, word, c, d]) => `((${a}, ${b}) ${word} (${c}, ${d}))`),
    fc
      .tuple(
        tie("value"),
        tie("value"),
        fc.constantFrom("IN", "NOT IN"),
        tie("value"),
        tie("value"),
      )
      .map(([a, b, word, c, d]) => `((${a}, ${b}) ${word} ((${c}, ${d}), ('x'::text, ${c})))`),
    fc.constantFrom(
      "true",
      "false",
      "NULL::bool",
      "(:a::text = ANY (:n::text[]))",
      "(:a::text <> ALL (:n::text[]))",
    ),
    fc
      .tuple(tie("bool"), fc.constantFrom("AND", "OR"), tie("bool"))
      .map((parts) => `(${parts.join(" ")})`),
    tie("bool").map((one) => `(NOT ${one})`),
    fc
      .tuple(tie("bool"), fc.constantFrom("IS TRUE", "IS NOT TRUE", "IS UNKNOWN", "IS NULL"))
      .map((parts) => `(${parts.join(" ")})`),
    fc
      .tuple(tie("bool"), tie("bool"))
      .map(([one, other]) => `(CASE WHEN ${one} THEN ${other} END)`),
  ),
}));

function truthsOf(conditions: readonly string[]): readonly number[] {
  const query = `SELECT ${conditions.map((each, index) => `${each} AS c${index}`).join(", ")}`;
  const parsed = parseStatement(query);
  if (parsed.kind === "invalid") throw new Error(JSON.stringify(parsed.diagnostics));
  const { placeholders, tree } = parsed.statement;
  const number = placeholders.findIndex(({ name }) => name === "n") + 1;
  const assumed = assumeNull(pgCatalogOf(snapshot), new Set([number]));
  // The statement is a SELECT of these columns.
  const { targetList } = (
    tree as { SelectStmt: { targetList: readonly { ResTarget: { val: Node } }[] } }
  ).SelectStmt;
  return targetList.map(({ ResTarget }) => truthOf(ResTarget.val, assumed));
}

const texts = ["x", "y", ""];

test("no condition reaches a truth value that the analysis excluded", async () => {
  const one = fc.array(bool, { minLength: 20, maxLength: 20 });
  const given = fc.tuple(one, fc.constantFrom(...texts), fc.constantFrom(...texts));
  await fc.assert(
    fc.asyncProperty(given, async ([conditions, a, b]) => {
      const written = conditions.map((each, index) => {
        const values = each.replace(/(?<!:):([nab])\b/g, (_, name) =>
          name === "n" ? "NULL" : `'${name === "a" ? a : b}'`,
        );
        return `(${values})::text AS c${index}`;
      });
      const [row] = await engine.rows(`SELECT ${written.join(", ")}`);
      for (const [index, truth] of truthsOf(conditions).entries()) {
        const value = row?.[`c${index}`];
        const came = value === null ? NULL : value === "true" ? TRUE : FALSE;
        expect({ condition: conditions[index], possible: (truth & came) !== 0 }).toEqual({
          condition: conditions[index],
          possible: true,
        });
      }
    }),
    { numRuns: 40 },
  );
});

test("nested conditions are each evaluated once", () => {
  const deep = Array.from({ length: 60 }).reduce<string>(
    (inner) => `((${inner} AND :a) = :b)`,
    "(:a = :b)",
  );
  expect(truthsOf([deep])).toEqual([TRUE | FALSE | NULL]);
});
