/**
 * Excludes names from maps. A map in a query, a cookie or a form writes one entry per name, beside
 * those of other parameters and the authentication. If two entries have the same name, servers
 * disagree on which one counts.
 */
import { isJsonObject, type JsonObject, type JsonSchema } from "../../../core/json.js";
import { quote } from "../../../core/names.js";
import type { Operation } from "../model.js";
import type { Part, DocumentLocation } from "../read/document.js";
import { under } from "../read/parts.js";
import { allOfParts } from "./all-of.js";
import type { AuthDraft } from "./draft-auth.js";
import type { DraftContext } from "./draft-context.js";
import type { PlacedParameter } from "./draft-parameters.js";
import { namesInQuery } from "./sendable.js";
import { declaredNames, typesWithoutNull } from "./wire-shape.js";

/** The parameters, with maps that reject names used elsewhere in the request. */
export function withoutFixedNames(
  placed: readonly PlacedParameter[],
  operation: Operation,
  auth: AuthDraft,
  context: DraftContext,
): readonly PlacedParameter[] {
  const keys = auth.flatMap((scheme) =>
    scheme.kind === "api_key" ? [`${scheme.in} ${scheme.name}`] : [],
  );
  const given = [...keys, ...namesInQuery(operation)];
  return placed.flatMap((parameter) => {
    const { isRequired, source, wire } = parameter;
    const path = mapPath(parameter, context);
    if (path === undefined) return [parameter];
    const here = `${source.in} `;
    const others = placed
      .filter((each) => each !== parameter && each.source.in === source.in)
      .flatMap((each) => namesOf(each, context));
    const names = [
      ...others,
      ...given.flatMap((each) => (each.startsWith(here) ? [each.slice(here.length)] : [])),
    ];
    const map = { ...parameter, path, part: source.schema, at: source.at };
    const schema = withoutNames(map, names, context);
    const why = isRequired ? undefined : context.components.whyNoValue(schema, context.folder);
    if (why === undefined) return [{ ...parameter, schema }];
    const message = `the import leaves out the parameter ${quote(wire)}: ${why}`;
    context.note({ code: "import/part-left-out", at: source.at, message });
    return [];
  });
}

/** Prefix of a map's names; undefined if the parameter writes no names of its own. */
function mapPath(
  { shape, source, wire }: PlacedParameter,
  { components }: DraftContext,
): string | undefined {
  // A text or a list may also have the shape of an object.
  const mayBeMap = typesWithoutNull(source.schema, components).includes("object");
  if (shape !== "object" || !mayBeMap) return undefined;
  if (source.style === "deepObject") return wire;
  const isExploded = source.explode && (source.style === "form" || source.style === "matrix");
  return isExploded ? "" : undefined;
}

/** Lists the known names of a parameter's entries. */
function namesOf(parameter: PlacedParameter, context: DraftContext): readonly string[] {
  const path = mapPath(parameter, context);
  const { schema } = parameter.source;
  const inside = path === undefined ? [] : declaredNames(schema, context.components);
  return path === "" ? inside : [parameter.wire, ...inside.map((name) => `${path}[${name}]`)];
}

/** A parameter, or a field of a form, that may be a map. */
export interface MapValue {
  readonly wire: string;
  readonly schema: JsonSchema;
  /** Prefix of the map's names: empty, or its own name before brackets. */
  readonly path: string;
  readonly part: Part | undefined;
  readonly at: DocumentLocation;
}

/** Schema of a map that rejects these names. */
export function withoutNames(
  { at, part, path, schema, wire }: MapValue,
  names: readonly string[],
  { components, note }: DraftContext,
): JsonSchema {
  const taken = [...new Set(names.flatMap((name) => keyOf(name, path)))];
  const declared = declaredNames(part, components).filter((name) =>
    taken.includes(withoutList(name)),
  );
  const isClosed = allOfParts(part, components).some(
    (each) => under(each, "additionalProperties")?.value === false,
  );
  if ((isClosed ? declared : taken).length === 0 || schema === false) return schema;
  const code = declared.length > 0 ? "import/part-left-out" : "import/taken-otherwise";
  const which = (declared.length > 0 ? declared : taken).map(quote).join(", ");
  note({
    code,
    at,
    message: `${quote(wire)} accepts no property ${which}, because the request already has an entry with that name`,
  });
  const own = schema === true ? {} : schema;
  const narrowed: JsonObject = {
    propertyNames: noneOf(taken),
    ...(declared.length > 0 && {
      properties: Object.fromEntries(declared.map((name) => [name, false])),
    }),
  };
  if (declared.length === 0 && own["propertyNames"] === undefined) return { ...own, ...narrowed };
  const all = Array.isArray(own["allOf"]) ? own["allOf"] : [];
  return { ...own, allOf: [...all, narrowed] };
}

/**
 * Makes the schema of a form reject names such as `role[]` if `role` is a field. A server would
 * read the value as `role`, but the schema of `role` has not checked it.
 */
export function withoutBrackets(schema: JsonSchema, names: readonly string[]): JsonSchema {
  const bases = names.filter((name) => !names.some((other) => other.startsWith(`${name}[`)));
  if (bases.length === 0 || schema === false) return schema;
  const own = schema === true ? {} : schema;
  const known = isJsonObject(own["patternProperties"]) ? own["patternProperties"] : {};
  const pattern = `^(?:${bases.map(escaped).join("|")})\\[`;
  return { ...own, patternProperties: { ...known, [pattern]: false } };
}

/** Makes the schema of further parts reject the names of the declared parts. */
export function withoutParts(schema: JsonObject, names: readonly string[]): JsonObject {
  if (names.length === 0) return schema;
  return { ...schema, propertyNames: noneOf([...new Set(names.map(withoutList))]) };
}

/** Schema of names that are none of these, and do not lie inside them. */
function noneOf(names: readonly string[]): JsonObject {
  return { not: { pattern: `^(?:${names.map(escaped).join("|")})(?:\\[|$)` } };
}

/** Returns the key that a map would write under a name; empty if there is none. */
function keyOf(name: string, path: string): readonly string[] {
  if (path === "") return [withoutList(name)];
  if (!name.startsWith(`${path}[`)) return [];
  const key = name.slice(path.length + 1).replace(/\].*$/, "");
  return key === "" ? [] : [key];
}

/** Removes brackets of a list: `a[]` becomes `a`, because a list repeats its name in both forms. */
function withoutList(name: string): string {
  return name.replace(/\[\]$/, "");
}

function escaped(text: string): string {
  return text.replace(/[$()*+./?[\\\]^{|}]/g, "\\$&");
}
