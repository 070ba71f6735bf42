import { isDeepStrictEqual } from "node:util";
import { isJsonObject, type JsonObject, type JsonSchema } from "../../core/json.js";
import { schemasUnder, schemaUnder, textsUnder } from "../schema-tree.js";

/** Properties of which an object has one at most. */
export interface ExclusiveNames {
  /** What the group is called; empty when nothing says it. */
  readonly title: string;
  readonly names: readonly string[];
}

/** As keywords, to stand among others. What they say is denied twice, and so is no part of what types are made from. */
export function oneOfEach(groups: readonly ExclusiveNames[]): JsonObject {
  const denied = groups.map(({ names, title }) => ({ title, not: oneAtMost(names) }));
  const [first, ...others] = denied;
  if (first === undefined) return {};
  return { not: others.length === 0 ? first : { anyOf: denied } };
}

function oneAtMost(names: readonly string[]): JsonObject {
  const each = names.map((name) => ({ required: [name] }));
  return { oneOf: [...each, { not: { anyOf: each } }] };
}

/** The groups of a schema, if all that it denies is said in that way. */
export function exclusiveNames(schema: JsonObject): readonly ExclusiveNames[] {
  const refused = schemaUnder(schema, "not");
  if (!isJsonObject(refused)) return [];
  const denied = refused["anyOf"] === undefined ? [refused] : schemasUnder(refused, "anyOf");
  const groups = denied.flatMap((each) => groupIn(each) ?? []);
  return groups.length === denied.length ? groups : [];
}

function groupIn(denied: JsonSchema): ExclusiveNames | undefined {
  const allowed = isJsonObject(denied) ? schemaUnder(denied, "not") : undefined;
  if (!isJsonObject(denied) || !isJsonObject(allowed)) return undefined;
  const names = schemasUnder(allowed, "oneOf").flatMap((each) =>
    isJsonObject(each) ? textsUnder(each, "required") : [],
  );
  const { title } = denied;
  return names.length > 0 && isDeepStrictEqual(allowed, oneAtMost(names))
    ? { title: typeof title === "string" ? title : "", names }
    : undefined;
}
