/**
 * No valid instance of the JSON-Schema-Test-Suite is refused by the type of its schema. No package
 * of npm has the suite of today: a checkout is named by `JSON_SCHEMA_TEST_SUITE`, and Debian's
 * package (`apt-get install json-schema-test-suite` 2.0.0, MIT) is found by itself. A checkout has
 * each of the three dialects. Debian's has draft-03 to draft-07: its cases of draft-07 are read as
 * 2019-09 and as 2020-12 too, and an instance is valid where the validator of that dialect says so.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { printCode } from "../../src/core/code.js";
import { isJsonObject, type JsonSchema, type JsonValue } from "../../src/core/json.js";
import type { SchemaModel } from "../../src/core/skill-model.js";
import { acceptor } from "../../src/schema/compare/values.js";
import { metaschemas } from "../../src/schema/dialect.js";
import { emitTypes } from "../../src/schema/emit-types.js";
import type { Dialect } from "../../src/schema/keywords.js";
import { type Trial, tryAssign } from "./assignability.js";
import { read } from "./read.js";
import { validatorOf } from "./validators.js";

const folder = [
  process.env["JSON_SCHEMA_TEST_SUITE"] ?? "",
  "/usr/share/json-schema-test-suite",
].find((each) => each !== "" && existsSync(`${each}/tests`));

const dialects: readonly (readonly [dialect: Dialect, ownFolder: string])[] = [
  ["draft-07", "draft7"],
  ["2019-09", "draft2019-09"],
  ["2020-12", "draft2020-12"],
];

/** One schema of the suite, with its instances. */
interface Case {
  readonly description: string;
  readonly schema: JsonSchema;
  readonly tests: readonly {
    readonly description: string;
    readonly data: JsonValue;
    readonly valid: boolean;
  }[];
}

/** The folder that has the cases of a dialect: its own, or that of draft-07. */
function folderOf(own: string): string {
  return existsSync(`${folder}/tests/${own}`) ? own : "draft7";
}

function casesOf(own: string): { readonly cases: readonly Case[]; readonly isOwn: boolean } {
  const isOwn = folderOf(own) === own;
  const from = `${folder}/tests/${folderOf(own)}`;
  const files = readdirSync(from, { recursive: true, encoding: "utf8" });
  const cases = files
    .filter((file) => file.endsWith(".json"))
    // What the suite says of its own files.
    .flatMap((file) => JSON.parse(readFileSync(`${from}/${file}`, "utf8")) as readonly Case[]);
  return { cases, isOwn };
}

interface Readable {
  readonly model: SchemaModel;
  readonly name: string;
  readonly instances: readonly { readonly data: JsonValue; readonly isValid: boolean }[];
}

/**
 * What of the suite is read in a dialect, with its instances, by the suite's word or by the
 * validator's.
 */
function readableOf(dialect: Dialect, own: string): readonly Readable[] {
  const { cases, isOwn } = casesOf(own);
  return cases.flatMap(({ description: name, schema, tests }): readonly Readable[] => {
    const document = isJsonObject(schema) ? { $schema: metaschemas[dialect], ...schema } : schema;
    const { lines, model } = read(document);
    if (model === undefined || lines.some((line) => line.startsWith("error"))) return [];
    const validate = validatorOf(model, "stated");
    const instances = tests.map(({ data, valid }) => ({
      data,
      // Formats are asserted here, and some of the suite's instances are of formats that it leaves
      // open.
      isValid: validate(data) && (valid || !isOwn),
    }));
    return [{ model, name, instances }];
  });
}

test("the JSON-Schema-Test-Suite is here", ({ skip }) => {
  const reason = "JSON_SCHEMA_TEST_SUITE names no checkout, and Debian's package is not installed";
  skip(folder === undefined, reason);
  expect(folder).toBeDefined();
});

describe.runIf(folder !== undefined)("the JSON-Schema-Test-Suite", () => {
  const runs = dialects.map(([dialect, own]) => [dialect, folderOf(own), own] as const);

  test.each(runs)(
    "contains, read as %s in %s, no valid instance that its type rejects",
    async (dialect, _, own) => {
      const readable = readableOf(dialect, own);
      const trials: Trial[] = [];
      for (const { instances, model } of readable) {
        const { declarations } = await emitTypes({ schema: model, name: "Root", form: "stated" });
        const values = instances.filter(({ isValid }) => isValid).map(({ data }) => data);
        trials.push({ declarations: printCode(declarations), values });
      }
      const refused = tryAssign(trials).flatMap(({ faults, refusals }, index) =>
        [...faults, ...refusals]
          .filter((each) => each !== undefined)
          .map((reason) => `${readable[index]?.name}: ${reason}`),
      );
      expect(refused).toEqual([]);
      expect(trials.flatMap(({ values }) => values).length).toBeGreaterThan(250);
    },
  );

  test.each(runs)(
    "gets the same result, read as %s in %s, from the comparison and the validators",
    (dialect, _, own) => {
      const wrong = readableOf(dialect, own).flatMap(({ instances, model, name }) => {
        const [accepts, validate] = [
          acceptor({ schema: model.schema, root: model.schema }),
          validatorOf(model, "stated"),
        ];
        return instances
          .filter(({ data }) => accepts(data) !== validate(data))
          .map(({ data }) => [name, data]);
      });
      expect(wrong).toEqual([]);
    },
  );
});
