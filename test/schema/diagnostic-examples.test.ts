import { expect, test } from "vitest";
import { parse } from "yaml";
import type { ProjectFiles } from "../../src/core/diagnostic-entry.js";
import type { JsonValue } from "../../src/core/json.js";
import { schemaDiagnosticEntries } from "../../src/schema/diagnostics.js";
import { read } from "./read.js";

/** The diagnostics of the one tool's parameters in an example project. */
function linesOf(files: ProjectFiles): readonly string[] {
  const skill = parse(files["skills/demo/metadata.yaml"] ?? "") as {
    tools_schema: { "place-order": { parameters: JsonValue } };
  };
  const others = Object.entries(files).filter(([path]) => path.endsWith(".json"));
  const beside = others.map(([path, text]) => [
    path.replace("skills/demo/", "./"),
    JSON.parse(text) as JsonValue,
  ]);
  return read(skill.tools_schema["place-order"].parameters, Object.fromEntries(beside)).lines;
}

/** This test reads examples as values, which have lost its digits; whole/diagnostic-examples.test.ts keeps them. */
const ofDigits = "schema/rounded-integer";

test.each(Object.entries(schemaDiagnosticEntries).filter(([code]) => code !== ofDigits))(
  "%s arises in its example and not in the fixed one",
  (code, entry) => {
    const example = linesOf(entry.example);
    expect(example).toHaveLength(1);
    expect(example[0]).toMatch(new RegExp(`^${entry.severity} ${code} at `));
    expect(linesOf(entry.fixed)).toEqual([]);
  },
);
