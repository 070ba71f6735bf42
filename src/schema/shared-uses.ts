/**
 * Finds the shared schemas that a document imports, and in which form. Also finds those to copy
 * because they mean something else in the document.
 */
import { isJsonObject, type JsonSchema } from "../core/json.js";
import type { SchemaModel, SharedSchema } from "../core/skill-model.js";
import { appliedDefaults } from "./defaults.js";
import { looksAtEvaluated, usesUnevaluated } from "./evaluated-keywords.js";
import { differsWhenSent, fillsDefaults, type SchemaForm } from "./form.js";
import { sharedByName } from "./place-at.js";
import { below } from "./pointer.js";
import { childrenOf, schemaMapUnder, type Subschema, targetOf } from "./schema-tree.js";

export interface SharedUses {
  /** The form to import, by name in `$defs`. */
  readonly imports: ReadonlyMap<string, SchemaForm>;
  /** Names of the shared schemas that the document copies. */
  readonly copies: ReadonlySet<string>;
}

const none: SharedUses = { imports: new Map(), copies: new Set() };

/**
 * @param isForValidator true for validators, in which the schemas that `unevaluated…` keywords
 * depend on must be in one document
 */
export function sharedUses(
  model: SchemaModel,
  form: SchemaForm,
  isForValidator: boolean,
): SharedUses {
  const { schema: root, shared = [] } = model;
  if (shared.length === 0) return none;
  const known = sharedByName(shared);
  const imports = new Map<string, SchemaForm>();
  const copies = isForValidator ? lookedAtOutside(model) : new Set<string>();
  const seen = new Set<string>();
  const waiting = [...ownReferences(root, known), ...copies];
  for (const name of waiting) {
    const each = known.get(name);
    if (each === undefined || seen.has(name)) continue;
    seen.add(name);
    const meant = copies.has(name) ? "copy" : formOf(each, model, form);
    if (meant === "copy") {
      copies.add(name);
      waiting.push(...referencesIn(each.schema, each.schema, known));
    } else imports.set(name, meant);
  }
  return { imports, copies };
}

/** A shared schema with all schemas that it refers to, as a document. */
function documentOf(
  { name, places, schema, span }: SharedSchema,
  all: ReadonlyMap<string, SharedSchema>,
): SchemaModel {
  const closure = new Map<string, SharedSchema>();
  const waiting = [name];
  for (const each of waiting) {
    const found = all.get(each);
    if (found === undefined || closure.has(each)) continue;
    closure.set(each, found);
    waiting.push(...referencesIn(found.schema, found.schema, all));
  }
  const definitions = Object.fromEntries([...closure].map(([key, each]) => [key, each.schema]));
  const root = isJsonObject(schema) ? { ...schema, $defs: definitions } : schema;
  return { kind: "schema", schema: root, span, places, shared: [...closure.values()] };
}

const referred = new WeakMap<object, readonly string[]>();

/** Names of the shared schemas that a body refers to. */
function referencesIn(
  body: JsonSchema,
  key: JsonSchema,
  known: ReadonlyMap<string, SharedSchema>,
): readonly string[] {
  if (!isJsonObject(key)) return [];
  const before = referred.get(key) ?? findReferences(body);
  referred.set(key, before);
  return before.filter((name) => known.has(name));
}

/** Names of the shared schemas that the document itself and its own definitions refer to. */
function ownReferences(
  root: JsonSchema,
  known: ReadonlyMap<string, SharedSchema>,
): readonly string[] {
  if (!isJsonObject(root)) return [];
  const { $defs: _, ...own } = root;
  const local = schemaMapUnder(root, "$defs").filter(([name]) => !known.has(name));
  return [
    ...referencesIn(own, root, known),
    ...local.flatMap(([, body]) => referencesIn(body, body, known)),
  ];
}

function findReferences(body: JsonSchema): readonly string[] {
  const names = new Set<string>();
  const visit = (at: Subschema): void => {
    const { schema } = at;
    if (!isJsonObject(schema)) return;
    const reference = schema["$ref"];
    if (typeof reference === "string" && reference !== "#")
      names.add(reference.slice("#/$defs/".length));
    const { $ref: _, ...others } = schema;
    for (const child of childrenOf({ ...at, schema: others }, others)) visit(child);
  };
  visit({ schema: body, pointer: "" });
  return [...names];
}

/** Form of a shared schema with the same meaning as the schema in a document of the given form. */
function formOf(shared: SharedSchema, model: SchemaModel, form: SchemaForm): SchemaForm | "copy" {
  const { shared: all = [] } = model;
  if (form === "stated") return "stated";
  const alone = aloneOf(shared, all);
  const plain = differsWhenSent(alone.schema) ? "request" : "stated";
  if (!fillsDefaults(form)) return plain;
  const filled = [...appliedDefaults(alone.schema).byObject.keys()];
  if (filled.length === 0) return plain;
  // The schema may apply only sometimes beside other schemas. No default is then filled in.
  const here = appliedDefaults(model.schema).byObject;
  const own = below("", "$defs", shared.name);
  const count = filled.filter((pointer) =>
    here.has(pointer.startsWith("/$defs/") ? pointer : `${own}${pointer}`),
  ).length;
  if (count === 0) return plain;
  return count === filled.length ? form : "copy";
}

const documents = new WeakMap<SharedSchema, SchemaModel>();

/** A shared schema as its own document; cached. */
export function aloneOf(shared: SharedSchema, all: readonly SharedSchema[]): SchemaModel {
  const known = documents.get(shared) ?? documentOf(shared, sharedByName(all));
  documents.set(shared, known);
  return known;
}

/**
 * Names of the shared schemas that `unevaluated…` keywords of other schemas depend on: keywords of
 * the document and of its copies.
 */
function lookedAtOutside({ schema: root, shared = [] }: SchemaModel): Set<string> {
  const copies = new Set<string>();
  if (!usesUnevaluated(root) || !isJsonObject(root)) return copies;
  const known = sharedByName(shared);
  const local = schemaMapUnder(root, "$defs").filter(([name]) => !known.has(name));
  const bodies: Subschema[] = [
    { schema: root, pointer: "" },
    ...local.map(([name, schema]) => ({ schema, pointer: below("", "$defs", name) })),
  ];
  for (const body of bodies) {
    for (const at of schemasIn(body, root).filter(({ schema }) => looksAtEvaluated(schema))) {
      for (const name of sharedInPlace(at, root, known)) {
        if (copies.has(name)) continue;
        copies.add(name);
        bodies.push(targetOf(root, `#/$defs/${name}`));
      }
    }
  }
  return copies;
}

/** A schema and its subschemas, without following references. */
function schemasIn(body: Subschema, root: JsonSchema): readonly Subschema[] {
  const found: Subschema[] = [body];
  for (const each of found)
    found.push(...childrenOf(each, root).filter(({ keyword }) => keyword !== "$ref"));
  return found;
}

/** The shared schemas that apply to the same value. */
function sharedInPlace(
  at: Subschema,
  root: JsonSchema,
  known: ReadonlyMap<string, SharedSchema>,
): readonly string[] {
  const names = new Set<string>();
  const seen = new Set([at.pointer]);
  const waiting: Subschema[] = [at];
  for (const each of waiting) {
    for (const child of childrenOf(each, root)) {
      if (!child.inPlace || seen.has(child.pointer)) continue;
      seen.add(child.pointer);
      waiting.push(child);
      const name = child.pointer.slice("/$defs/".length);
      if (child.keyword === "$ref" && known.has(name)) names.add(name);
    }
  }
  return [...names];
}
