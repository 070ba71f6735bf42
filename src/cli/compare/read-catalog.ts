import { maxLevels } from "../../compiler/parse/compose-yaml.js";
import { parseJson } from "../../compiler/parse/parse-json.js";
import type {
  ComparedCatalog,
  ComparedSkill,
  ComparedTool,
} from "../../compiler/compare-tools/compare-catalogs.js";
import { schemaKeys, withWholeSchemas } from "../../compiler/compare-tools/whole-schemas.js";
import { ignored } from "../../compiler/config/parse-config.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../core/json.js";
import { createReport } from "../../core/report.js";
import { nodeAt } from "../../core/syntax-node.js";
import { below } from "../../schema/pointer.js";
import { readSchema } from "../../schema/read-schema.js";
import { findJsonProblem } from "@skillc/runtime/internal";
import { allDiagnosticEntries } from "../diagnostics/all-diagnostic-entries.js";
import { linesOf } from "../diagnostics/positions.js";
import { CommandFailure } from "../exit.js";
import type { ValueProblem } from "../../schema/check-value.js";
import { catalogProblems } from "./catalog-shape.js";

/**
 * Parses the JSON of `skillc catalog --json`. The file may come from anywhere. So this checks its
 * shape, and reads its schemas like a skill's.
 *
 * @param written the user's name for the file
 * @throws CommandFailure
 */
export function readCatalog(text: string, written: string): ComparedCatalog {
  const value = parse(text, written);
  return checkedCatalog(value, { written, text });
}

/**
 * Checks a parsed catalog.
 *
 * @param from the user's name for the catalog, and its JSON text if there is one
 * @throws CommandFailure
 */
export function checkedCatalog(
  value: JsonValue,
  from: { readonly written: string; readonly text?: string },
): ComparedCatalog {
  const fail = failure(from.written);
  if (isTooDeep(value)) throw fail(`it nests deeper than ${deepest} levels`);
  const skills = isJsonObject(value) ? value["skills"] : undefined;
  if (!Array.isArray(skills)) throw fail("it has no list `skills`");
  const read = skills.map((each: JsonValue, index) => readSkill(each, `/skills/${index}`, fail));
  refuseTwice(
    read.map(({ name }) => name),
    "skills",
    fail,
  );
  refuseTwice(
    read.flatMap(({ tools }) => tools.map(({ id }) => id)),
    "tools",
    fail,
  );
  refuseWrongShape(value, from.text, fail);
  return { skills: read };
}

type Fail = (problem: string) => CommandFailure;

function failure(written: string): Fail {
  return (problem) =>
    CommandFailure.input(
      `\`${written}\` is not a catalog of skillc: ${problem}`,
      "name JSON that `skillc catalog --json` printed, a folder or a git revision",
    );
}

function parse(text: string, written: string): JsonValue {
  const start = text.startsWith("\ufeff") ? 1 : 0;
  const problem = findJsonProblem(text, start);
  if (problem === undefined) {
    return JSON.parse(text.slice(start)) as JsonValue;
  }
  const { column, line } = linesOf(text).position(problem.start);
  throw failure(written)(`line ${line}, column ${column}: this is not JSON`);
}

/** Maximum depth of a skill's schemas with the values around them. */
const deepest = 2 * maxLevels;

/** Checks if a value is nested deeper than any skill may be. */
function isTooDeep(value: JsonValue): boolean {
  let level: readonly JsonValue[] = [value];
  for (let count = 0; count <= deepest; count += 1) {
    level = level.flatMap((each) =>
      typeof each === "object" && each !== null ? (Object.values(each) as JsonValue[]) : [],
    );
    if (level.length === 0) return false;
  }
  return true;
}

/** Rejects wrong shapes. A missing key or a wrong type would be compared as absent. */
function refuseWrongShape(value: JsonValue, text: string | undefined, fail: Fail): void {
  const [first, ...others] = catalogProblems(value);
  if (first === undefined) return;
  const { message, path } = first;
  const place = text === undefined ? "" : placeIn(text, path);
  const more = others.length === 0 ? "" : `, and ${others.length} more such places`;
  throw fail(`${place}\`${below("", ...path)}\` ${message}${more}`);
}

function placeIn(text: string, path: ValueProblem["path"]): string {
  // A very large catalog has no tree. The message then names the pointer.
  const node = nodeAt(parseJson({ path: "catalog.json", text }, ignored), path);
  if (node === undefined) return "";
  const { column, line } = linesOf(text).position(node.span.start);
  return `line ${line}, column ${column}: `;
}

function readSkill(value: JsonValue, at: string, fail: Fail): ComparedSkill {
  if (!isJsonObject(value)) throw fail(`\`${at}\` is not an object`);
  const { $defs, name, tools, ...others } = value;
  if ($defs !== undefined && !isJsonObject($defs)) throw fail(`\`${at}/$defs\` is not an object`);
  if (typeof name !== "string") throw fail(`\`${at}\` has no \`name\``);
  if (!Array.isArray(tools)) throw fail(`\`${at}\` has no list \`tools\``);
  const read = tools.map((each: JsonValue, index) =>
    readTool(each, $defs, `${at}/tools/${index}`, fail),
  );
  return { ...(others satisfies JsonObject), name, tools: read };
}

function readTool(
  value: JsonValue,
  $defs: JsonObject | undefined,
  at: string,
  fail: Fail,
): ComparedTool {
  if (!isJsonObject(value)) throw fail(`\`${at}\` is not an object`);
  const { id, ...others } = withWholeSchemas(value, $defs);
  if (typeof id !== "string") throw fail(`\`${at}\` has no \`id\``);
  const schemas = schemaKeys.flatMap((name) => {
    const schema = others[name];
    const isThere = schema !== undefined && schema !== null;
    return isThere ? [[name, normalized(schema, `${at}/${name}`, fail)] as const] : [];
  });
  return { ...(others satisfies JsonObject), ...Object.fromEntries(schemas), id };
}

/** Gives each reference its own definition, as the comparison of schemas requires. */
function normalized(schema: JsonValue, at: string, fail: Fail): JsonValue {
  const report = createReport(allDiagnosticEntries());
  const node = parseJson({ path: at, text: JSON.stringify(schema) }, report);
  const model = node && readSchema(node, { readFile: () => undefined, report });
  if (model !== undefined) return model.schema;
  const first = report.diagnostics().find(({ severity }) => severity === "error");
  throw fail(`\`${at}\` is not a JSON Schema${first === undefined ? "" : `: ${first.message}`}`);
}

function refuseTwice(names: readonly string[], what: string, fail: Fail): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw fail(`two of its ${what} are \`${twice}\``);
}
