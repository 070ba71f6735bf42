/** Compares the results of tools with the schemas that clients of an MCP server get. */
import { Ajv2020 } from "ajv/dist/2020.js";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { JsonObject, JsonValue } from "../../src/core/json.js";
import type { LoweredTool } from "../../src/core/lowered-skill.js";
import { oblige } from "../../src/runtime/governance/oblige.js";
import type { AnyResult } from "../../src/runtime/result.js";
import { publishedSchema } from "../../src/schema/as-published.js";
import { choices, derive } from "../schema/derive-values.js";
import { compileFiles } from "./compile.js";
import { runs } from "./runs.js";
import { exampleOf } from "./schema-example.js";

export const repository = fileURLToPath(new URL("../..", import.meta.url));
const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false });

/**
 * Texts of the files in folders, and of single files, by path.
 *
 * @param project path of the project's folder in the repository
 */
export function filesOf(project: string, names: readonly string[]): Record<string, string> {
  const folder = join(repository, project);
  const paths = names.flatMap((name) => {
    if (statSync(join(folder, name), { throwIfNoEntry: false })?.isDirectory() !== true)
      return [name];
    const inside = readdirSync(join(folder, name), { recursive: true, withFileTypes: true });
    return inside
      .filter((each) => each.isFile())
      .map((each) => join(each.parentPath, each.name).slice(join(folder, "/").length));
  });
  const there = paths.filter((path) => statSync(join(folder, path), { throwIfNoEntry: false }));
  return Object.fromEntries(there.map((path) => [path, readFileSync(join(folder, path), "utf8")]));
}

/** Values of a success's data by the author's own schema, which knows no obligations. */
function dataOf({ tool }: LoweredTool, seed: number): readonly JsonValue[] {
  if (tool.returns === undefined) return [];
  const { $id: _, ...document } = publishedSchema(tool.returns, { id: "", form: "stated" });
  const fits = ajv.compile(document);
  const pick = choices(seed);
  const derived = Array.from({ length: runs(60) }, () => derive(document, document, pick));
  return [exampleOf(document), ...derived].filter((value) => fits(value));
}

/** The answers that different callers get, after the obligations of the runtime. */
function answersOf({ obligations }: LoweredTool, data: JsonValue): readonly AnyResult[] {
  const answer: AnyResult & { readonly data: JsonValue } = { status: "success", data };
  const key = new Uint8Array(32);
  const obliged = obligations.reduce<AnyResult>(
    (result, { action }) => oblige(result, action, { key }),
    answer,
  );
  const isForSome = obligations.every(({ unless }) => unless.length > 0);
  return isForSome ? [answer, obliged] : [obliged];
}

/** The answer in the form of `collected`, if its data is one item of a stream. */
function collected(answer: AnyResult, schema: JsonObject): AnyResult {
  const text = JSON.stringify(schema);
  if (!text.includes('"truncated":{"const":true}') || !("data" in answer)) return answer;
  const { data } = answer;
  const isEvent = text.includes('"required":["event","data"]');
  const items = [isEvent ? { event: "message", data, id: null } : data];
  const given: AnyResult & { readonly data: unknown } = { ...answer, data: items };
  return Object.assign(given, { truncated: true });
}

/**
 * Compiles a project, and returns the answers of its tools that don't fit the published schemas,
 * also after the project's obligations.
 */
export async function misfits(
  files: Readonly<Record<string, string>>,
): Promise<readonly unknown[]> {
  const { lowered, published } = await compileFiles(files, { linked: new Map() });
  const tools = lowered.flatMap((skill) => skill.tools);
  // Some cases are about errors.
  if (published === undefined) return [];
  return tools.flatMap((each, index) => {
    const schema = published.data.tools[each.id]?.output_schema ?? {};
    const fits = ajv.compile(schema);
    return dataOf(each, index)
      .flatMap((data) => answersOf(each, data))
      .map((answer): unknown => JSON.parse(JSON.stringify(collected(answer, schema))))
      .flatMap((shown) => (fits(shown) ? [] : [{ id: each.id, shown, errors: fits.errors }]));
  });
}
