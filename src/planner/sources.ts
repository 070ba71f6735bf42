/** The values that a step may use: inputs of the plan, and outputs of the steps above it. */
import {
  getOwn,
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
} from "../core/json.js";
import type { PathStep } from "../core/value-path.js";
import { branchesOf, looseBranches, typeOf } from "../schema/compare/normal-form.js";
import { type Branch, inSteps, type Source, sourceOf } from "../schema/compare/source.js";
import { readPath } from "../kit/sources/source-path.js";
import { givenBy, isAttribute, needsOwner, normalName, singular } from "./names.js";
import { anyOf, type PlannerTool } from "./tools.js";

/** A value that a step may use. */
export interface PlanSource {
  /** Path of the value: `query`, `step_1.output.items[*].id`. */
  readonly path: string;
  readonly schema: JsonSchema;
  /** Document into which the schema's references lead. */
  readonly root: JsonSchema;
  /** Normalized names by which parameters may mean this value. */
  readonly names: readonly string[];
  /** Set if an answer may lack the value, or have null above it. */
  readonly mayBeAbsent: boolean;
}

/** Maximum depth of paths that are proposed. A model may name deeper ones. */
const deepest = 4;
/** Maximum number of sources of one value. */
const mostOfOne = 200;

/** A step whose output later steps may use. */
export interface SourceStep {
  readonly id: string;
  readonly tool: PlannerTool;
}

/** Returns the sources in the inputs of a plan. Their values are known, so each fits or does not. */
export function inputSources(inputs: JsonObject): readonly PlanSource[] {
  return Object.entries(inputs).flatMap(([name, value]) => {
    if (readRoot(name) === undefined) return [];
    const schema = constantOf(value);
    return placesIn(schema, schema, { path: name, owners: [], name });
  });
}

/** Sources in the output of each tool, with paths below the output. */
const sourcesOfTools = new WeakMap<PlannerTool, readonly PlanSource[]>();

/** Returns the sources in the output of a step. */
export function outputSources({ id, tool }: SourceStep): readonly PlanSource[] {
  if (tool.output === undefined) return [];
  const owners = givenBy(tool.id);
  const sources =
    sourcesOfTools.get(tool) ??
    placesIn(tool.output, tool.output, { path: "", owners, name: undefined });
  sourcesOfTools.set(tool, sources);
  return sources.map((source) => ({ ...source, path: `step_${id}.output${source.path}` }));
}

/** The schema of a known value. A value with many parts is described by its type alone. */
function constantOf(value: JsonValue): JsonSchema {
  if (isSmall(value, { left: mostParts })) return { const: value };
  return { type: Array.isArray(value) ? "array" : typeof value };
}

/** Maximum number of parts of an input that are compared with schemas. */
const mostParts = 2000;

function isSmall(value: JsonValue, parts: { left: number }): boolean {
  parts.left -= typeof value === "string" ? 1 + value.length / 1000 : 1;
  if (parts.left < 0) return false;
  const below = Array.isArray(value) ? value : isJsonObject(value) ? Object.values(value) : [];
  return below.every((each: JsonValue) => isSmall(each, parts));
}

/** A name that can begin a path. */
function readRoot(name: string): true | undefined {
  const path = readPath(name);
  return "code" in path || path.root.from !== "params" || path.steps.length !== 1
    ? undefined
    : true;
}

interface Start {
  readonly path: string;
  /** Names of the thing that the whole value is. */
  readonly owners: readonly string[];
  /** Name of the value itself; absent for an output, which has its owner's. */
  readonly name: string | undefined;
}

function placesIn(schema: JsonSchema, root: JsonSchema, start: Start): readonly PlanSource[] {
  const found: PlanSource[] = [];
  const names =
    start.name === undefined
      ? start.owners
      : needsOwner(start.name)
        ? []
        : [normalName(start.name)];
  const document = sourceOf(root);
  const owners = start.name === undefined ? start.owners : [normalName(start.name)];
  inSteps(() => {
    collect({ path: start.path, schema, root, names, mayBeAbsent: false }, owners, 0, {
      document,
      found,
    });
  }, undefined);
  return found;
}

interface Collecting {
  readonly document: Source;
  readonly found: PlanSource[];
}

/** Adds a value, and the values below it. */
function collect(
  source: PlanSource,
  owners: readonly string[],
  depth: number,
  collecting: Collecting,
): void {
  const { document, found } = collecting;
  if (found.length >= mostOfOne) return;
  found.push(source);
  if (depth >= deepest) return;
  const forms = formsOf(source.schema, document);
  if (forms === undefined) return;
  const isList = forms.parts.every((form) => typeOf(form) === "array");
  if (isList) return collectItems(source, forms, owners, collecting);
  const properties = propertiesOf(forms);
  for (const { name, ...property } of properties) {
    if (!/^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(name)) continue;
    collect(
      {
        path: `${source.path}.${name}`,
        schema: property.schema,
        root: source.root,
        names: namesOf(name, owners, properties.length === 1),
        mayBeAbsent: source.mayBeAbsent || property.mayBeAbsent,
      },
      [normalName(name)],
      depth + 1,
      collecting,
    );
  }
}

/** Adds the lists that `[*].name` makes of a list of objects. No parameter means them by name. */
function collectItems(
  source: PlanSource,
  { parts }: Forms,
  owners: readonly string[],
  { document, found }: Collecting,
): void {
  const items = anyOf(parts.map((form) => (form === true ? true : schemaOf(form["items"]))));
  const forms = formsOf(items, document);
  if (forms === undefined || forms.parts.some((form) => typeOf(form) !== "object")) return;
  for (const { name, schema } of propertiesOf(forms)) {
    if (found.length >= mostOfOne) return;
    const names = owners.map((owner) => `${singular(owner)}_${normalName(name)}s`);
    found.push({
      path: `${source.path}[*].${name}`,
      schema: { type: "array", items: schema },
      root: source.root,
      names,
      mayBeAbsent: source.mayBeAbsent,
    });
  }
}

/**
 * `id` of `customer` is `customer_id`; a name that says something counts alone too. The only
 * property of an object is no attribute of a thing: a tool that gives `{ city }` gives a city.
 */
function namesOf(name: string, owners: readonly string[], isOnly: boolean): readonly string[] {
  const own = normalName(name);
  const owned = owners.map((owner) => `${owner}_${own}`);
  return needsOwner(name) || (isAttribute(name) && !isOnly) ? owned : [own, ...owned];
}

interface Forms {
  /** The forms of the value, without null. */
  readonly parts: readonly Branch[];
  readonly mayBeNull: boolean;
}

/** The forms of a value; undefined if the schema doesn't say what is below it. */
function formsOf(schema: JsonSchema, document: Source): Forms | undefined {
  const constant = isJsonObject(schema) ? schema["const"] : undefined;
  if (constant !== undefined) return formsOfValue(constant);
  const all = branchesOf(schema, document);
  if (all === undefined) return undefined;
  const parts = all.filter((form) => typeOf(form) !== "null");
  return parts.length === 0 ? undefined : { parts, mayBeNull: parts.length < all.length };
}

/** The form of a known value, as a schema of known values. */
function formsOfValue(value: JsonValue): Forms | undefined {
  if (!isJsonObject(value)) return undefined;
  const entries = Object.entries(value);
  const properties = Object.fromEntries(entries.map(([name, each]) => [name, { const: each }]));
  const required = entries.map(([name]) => name);
  return { parts: [{ type: "object", properties, required }], mayBeNull: false };
}

/** The properties that every form declares. */
function propertiesOf({
  mayBeNull,
  parts,
}: Forms): readonly (Pick<PlanSource, "schema" | "mayBeAbsent"> & { readonly name: string })[] {
  const forms = parts.flatMap((form) =>
    form !== true && typeOf(form) === "object" && isJsonObject(form["properties"])
      ? [{ form, properties: form["properties"] }]
      : [],
  );
  const [first] = forms;
  if (first === undefined || forms.length < parts.length) return [];
  return Object.keys(first.properties).flatMap((name) => {
    const schemas = forms.map(({ properties }) => getOwn(properties, name));
    if (schemas.includes(undefined)) return [];
    const isRequired = forms.every(({ form }) => listOf(form["required"]).includes(name));
    const schema = anyOf(schemas.map(schemaOf));
    return [{ name, schema, mayBeAbsent: mayBeNull || !isRequired }];
  });
}

function schemaOf(value: JsonValue | undefined): JsonSchema {
  return isJsonObject(value) || typeof value === "boolean" ? value : true;
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

/**
 * Finds the value at any path of an output, also at paths that are not proposed. Undefined if the
 * schema declares no such value.
 */
export function sourceAt(
  root: JsonSchema,
  path: readonly PathStep[],
): Pick<PlanSource, "root" | "schema"> | undefined {
  let schema: JsonSchema | undefined = root;
  for (const step of path) {
    schema = stepInto(schema, root, step);
    if (schema === undefined) return undefined;
  }
  const isList = path.some((step) => typeof step === "object");
  return { root, schema: isList ? { type: "array", items: schema } : schema };
}

function stepInto(schema: JsonSchema, root: JsonSchema, step: PathStep): JsonSchema | undefined {
  const found = looseBranches(schema, root).flatMap((form) => {
    if (form === true) return [];
    if (typeof step !== "string") return typeOf(form) === "array" ? [schemaOf(form["items"])] : [];
    const { properties } = form;
    const property = isJsonObject(properties) ? getOwn(properties, step) : undefined;
    return property === undefined ? [] : [schemaOf(property)];
  });
  return found.length === 0 ? undefined : anyOf(found);
}

/** The schemas directly below a value: of the items of a list, or of properties. */
export interface PartsOfValue {
  readonly items?: JsonSchema;
  readonly properties: readonly { readonly name: string; readonly schema: JsonSchema }[];
}

/** Returns the schemas that a schema declares below a value, without null. */
export function partsOf(schema: JsonSchema, root: JsonSchema): PartsOfValue {
  const forms = looseBranches(schema, root).filter((form) => typeOf(form) !== "null");
  const lists = forms.flatMap((form) =>
    form !== true && typeOf(form) === "array" ? [schemaOf(form["items"])] : [],
  );
  if (lists.length > 0 && lists.length === forms.length)
    return { items: anyOf(lists), properties: [] };
  const declared = forms.flatMap((form) =>
    form !== true && isJsonObject(form["properties"]) ? Object.keys(form["properties"]) : [],
  );
  return {
    properties: [...new Set(declared)].map((name) => ({
      name,
      schema: stepInto(schema, root, name) ?? true,
    })),
  };
}

/** Reads the value at a path of known data; undefined if there is none. */
export function valueAt(value: unknown, path: readonly PathStep[]): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  if (typeof step === "object")
    return Array.isArray(value)
      ? value.map((item) => valueAt(item, rest)).filter((item) => item !== undefined)
      : undefined;
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return undefined;
  if (Array.isArray(value) !== (typeof step === "number")) return undefined;
  return valueAt((value as { readonly [name: string | number]: unknown })[step], rest);
}
