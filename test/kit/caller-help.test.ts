/** What to write instead, where a tool goes wrong about its caller: the golden case `caller-faults` has the mistakes. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { compileFiles } from "../support/compile.js";

const folder = fileURLToPath(new URL("../cases/caller-faults", import.meta.url));
const files = Object.fromEntries(
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => /\.(?:md|yaml|json|sql)$/.test(path))
    .map((path) => [path.replaceAll("\\", "/"), readFileSync(`${folder}/${path}`, "utf8")]),
);

const { diagnostics } = await compileFiles(files);

test.each([
  ["misspelt", "http/unknown-root-field", "did you mean `tenant`?"],
  ["misspelt-root", "http/unknown-parameter", "did you mean `{caller.tenant}`?"],
  ["misspelt-root-in-message", "queue/unknown-parameter", "did you mean `{caller.subject}`?"],
  ["misspelt-root-in-mapping", "sql/bad-mapping", "did you mean `{caller.tenant}`?"],
  ["without-root", "http/unknown-parameter", "write `{caller.tenant}`, or declare the parameter"],
  [
    "unnameable",
    "http/unused-parameter",
    "no placeholder can name it: rename it, or list it under `unused` beside `binding`",
  ],
  ["unquoted", "http/unquoted-placeholder", 'write `"{caller.subject}"`'],
  [
    "unfit-columns",
    "sql/parameter-may-not-fit",
    "compare as text, `…::text = :tenant`, or, if every caller has such a name, cast it: `(:tenant::text)::uuid`",
  ],
  ["too-long", "sql/parameter-may-not-fit", "widen the column, or write `left(:who, 40)`"],
  [
    "declared-too",
    "sql/unused-parameter",
    "remove the parameter: a model neither sees nor sets fields of the caller",
  ],
  [
    "around",
    "sql/bad-mapping",
    "write one field without other text: `\"{caller.tenant}\"`; join text in the statement: `'shop-' || :name`",
  ],
  [
    "without-mapping",
    "sql/unknown-parameter",
    "to declare it, write `tenant:` among the tool's parameters: without a type it gets PostgreSQL's; for the field of the caller, write `parameter_mapping: { tenant: \"{caller.tenant}\" }`",
  ],
  [
    "unfit-message",
    "queue/field-may-not-fit",
    "send a parameter there, or let the schema allow every name of a caller",
  ],
])("%s: %s", (tool, code, help) => {
  const found = diagnostics.find((each) => each.tool === tool && each.code === code);
  expect(found?.help).toBe(help);
});
