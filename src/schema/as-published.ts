import {
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
  setOwn,
} from "../core/json.js";
import type { SchemaModel, SharedSchema } from "../core/skill-model.js";
import { metaschemas } from "./dialect.js";
import { isReadOnly, isSent, requiredNames, type SchemaForm } from "./form.js";
import { isExtension, keywordIn } from "./keywords.js";
import { below } from "./pointer.js";
import { asSchema } from "./schema-tree.js";
import { sharedByName } from "./place-at.js";
import { aloneOf, sharedUses } from "./shared-uses.js";

export interface PublishOptions {
  /** The document's own URI. */
  readonly id: string;
  /** `input` for values that a model produces; `stated` for values that it receives. */
  readonly form?: SchemaForm;
  /** Collects shared schemas and names them. If absent, the document gets copies of them. */
  readonly definitions?: PublishedDefinitions;
}

/** Shared schemas that are published beside the documents that refer to them. */
export interface PublishedDefinitions {
  nameOf(shared: SharedSchema, form: SchemaForm): string;
}

/**
 * The schema as a model sees it: 2020-12, without the author's `x-` keys, self-contained except for
 * references into `definitions`.
 */
export function publishedSchema(model: SchemaModel, options: PublishOptions): JsonObject {
  const { definitions, form = "input", id } = options;
  const $schema = metaschemas["2020-12"];
  const published = publish(model.schema, "", publishing(model, form, definitions));
  if (isJsonObject(published)) return { $schema, $id: id, ...published };
  return { $schema, $id: id, ...(published ? {} : { not: {} }) };
}

/** A shared schema as documents refer to it that are published with the same definitions. */
export function publishedShared(
  shared: SharedSchema,
  all: readonly SharedSchema[],
  form: SchemaForm,
  definitions: PublishedDefinitions,
): JsonSchema {
  const model = aloneOf(shared, all);
  return publish(model.schema, "", publishing(model, form, definitions, shared));
}

interface Publishing {
  readonly root: JsonSchema;
  readonly form: SchemaForm;
  /** Published references, for those that change. */
  readonly references: ReadonlyMap<string, string>;
  /** Names of definitions that are left out. */
  readonly elsewhere: ReadonlySet<string>;
}

function publishing(
  model: SchemaModel,
  form: SchemaForm,
  definitions: PublishedDefinitions | undefined,
  itself?: SharedSchema,
): Publishing {
  const { schema: root, shared = [] } = model;
  if (definitions === undefined || shared.length === 0)
    return { root, form, references: new Map(), elsewhere: new Set() };
  const known = sharedByName(shared);
  const { copies, imports } = sharedUses(model, form, false);
  const taken = itself === undefined ? imports : new Map([...imports, [itself.name, form]]);
  const references = [...taken].flatMap(([name, each]): [string, string][] => {
    const of = known.get(name);
    return of === undefined ? [] : [[`#/$defs/${name}`, `#/$defs/${definitions.nameOf(of, each)}`]];
  });
  const elsewhere = [...known.keys()].filter((name) => !copies.has(name));
  return { root, form, references: new Map(references), elsewhere: new Set(elsewhere) };
}

function publish(schema: JsonSchema, pointer: string, to: Publishing): JsonSchema {
  if (typeof schema === "boolean") return schema;
  const { form, root } = to;
  const result: Record<string, JsonValue> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (isExtension(keyword)) continue;
    const content = publishedValue(keyword, value, pointer, to);
    if (content !== undefined)
      setOwn(result, keyword, publishValue(keyword, content, below(pointer, keyword), to));
  }
  const required = requiredNames(root, schema, pointer, form);
  if (required.length > 0) result["required"] = required;
  else delete result["required"];
  return result;
}

/** Published value of a keyword; undefined if the keyword isn't published. */
function publishedValue(
  keyword: string,
  value: JsonValue,
  pointer: string,
  { elsewhere, form, references, root }: Publishing,
): JsonValue | undefined {
  if (keyword === "$ref") return references.get(String(value)) ?? value;
  if (!isJsonObject(value)) return value;
  if (keyword === "$defs" && pointer === "" && elsewhere.size > 0) {
    const own = Object.entries(value).filter(([name]) => !elsewhere.has(name));
    return own.length === 0 ? undefined : Object.fromEntries(own);
  }
  if (keyword !== "properties" || !isSent(form)) return value;
  const sent = Object.entries(value).filter(([, each]) => !isReadOnly(asSchema(each), root));
  return sent.length === Object.keys(value).length ? value : Object.fromEntries(sent);
}

function publishValue(
  keyword: string,
  value: JsonValue,
  pointer: string,
  to: Publishing,
): JsonValue {
  const shape = keywordIn("2020-12", keyword)?.shape;
  if (shape === "schema" || shape === "items") return publish(asSchema(value), pointer, to);
  if (shape === "schema-list" && Array.isArray(value)) {
    return value.map((each: JsonValue, index) =>
      publish(asSchema(each), below(pointer, index), to),
    );
  }
  if (shape !== "schema-map" || !isJsonObject(value)) return value;
  const map: Record<string, JsonValue> = {};
  for (const [key, each] of Object.entries(value))
    setOwn(map, key, publish(asSchema(each), below(pointer, key), to));
  return map;
}
