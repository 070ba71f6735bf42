/** Compares the results of tools with the schemas that clients of an MCP server get. */
import { Ajv2020 } from "ajv/dist/2020.js";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createRegistry } from "../../src/bindings/registry.js";
import { getOwn, isJsonObject, type JsonValue } from "../../src/core/json.js";
import type { LoweredTool } from "../../src/core/lowered-skill.js";
import { oblige } from "../../src/runtime/governance/oblige.js";
import type { AnyResult } from "../../src/runtime/result.js";
import { publishedSchema } from "../../src/schema/as-published.js";
import type { SchemaPlace } from "../../src/schema/certain-mismatches.js";
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

/** Answers with data, by the schemas of their places, which know no obligations. */
function answersOf(lowered: LoweredTool, seed: number): readonly DataAnswer[] {
  const { tool } = lowered;
  const kind = kinds.find(tool.binding.type);
  const all = kind?.answers?.(tool, tool.binding.config) ?? [];
  return all.flatMap(({ data, status }) =>
    typeof data === "object" ? valuesAt(data, seed).map((value) => ({ status, data: value })) : [],
  );
}

interface DataAnswer extends AnyResult {
  readonly data?: JsonValue;
}

const kinds = createRegistry();

/** Values at a place of documents that fit the author's schema. */
function valuesAt({ at, isList, model }: SchemaPlace, seed: number): readonly JsonValue[] {
  const { $id: _, ...document } = publishedSchema(model, { id: "", form: "stated" });
  const fits = ajv.compile(document);
  const pick = choices(seed);
  const derived = Array.from({ length: runs(60) }, () => derive(document, document, pick));
  const documents = [exampleOf(document), ...derived].filter((value) => fits(value));
  const found = documents.map((value) => stepsInto([value], at));
  return isList === true ? found : found.flat();
}

/** Follows a path; 0 stands for each item of a list. */
function stepsInto(values: readonly JsonValue[], at: SchemaPlace["at"]): readonly JsonValue[] {
  return at.reduce<readonly JsonValue[]>(
    (found, step) =>
      found.flatMap((value): readonly JsonValue[] => {
        if (typeof step === "number") return Array.isArray(value) ? value : [];
        const inside = isJsonObject(value) ? getOwn(value, step) : undefined;
        return inside === undefined ? [] : [inside];
      }),
    values,
  );
}

/** The answers that different callers get, after the obligations of the runtime. */
function afterObligations({ obligations }: LoweredTool, answer: DataAnswer): readonly AnyResult[] {
  const key = new Uint8Array(32);
  const obliged = obligations.reduce<AnyResult>(
    (result, { action }) => oblige(result, action, { key }),
    answer,
  );
  const isForSome = obligations.every(({ unless }) => unless.length > 0);
  return isForSome ? [answer, obliged] : [obliged];
}

/** The answer in the form of `collected`, if its data is one item of a stream. */
function collected({ tool: { binding } }: LoweredTool, answer: AnyResult): AnyResult {
  const streams = kinds.find(binding.type)?.streams?.(binding.config);
  if (streams === undefined || !("data" in answer) || answer.status !== "success") return answer;
  const { data } = answer;
  const items = [streams === "events" ? { event: "message", data, id: null } : data];
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
    return answersOf(each, index)
      .flatMap((answer) => afterObligations(each, answer))
      .map((answer): unknown => JSON.parse(JSON.stringify(collected(each, answer))))
      .flatMap((shown) => (fits(shown) ? [] : [{ id: each.id, shown, errors: fits.errors }]));
  });
}
