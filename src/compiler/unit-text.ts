import { sha256 } from "../core/hash.js";
import type { JsonSchema } from "../core/json.js";
import { setLazily } from "../core/lazy-member.js";
import { fileWithHash, hashOfOutput, type OutputFile } from "../core/output.js";
import { ownSchema, wholeSchema } from "../core/schema-text.js";
import type { SchemaModel, SharedSchema } from "../core/skill-model.js";
import type { CacheEntry } from "./compile-cache.js";
import type { Unit } from "./unit.js";

/**
 * A serialized unit: the part that every run reads, and the larger texts of its files. The texts
 * are usually still in the output folder, where their hashes identify them.
 */
export interface UnitTexts {
  readonly unit: string;
  readonly files: string;
  /** The shared schemas that the unit refers to. Other units may refer to the same schemas. */
  readonly schemas: readonly CacheEntry[];
}

/** A unit without the texts of its files. */
export interface UnitWithoutTexts extends Omit<Unit, "files" | "shared"> {
  readonly files: readonly FileHash[];
  readonly shared: readonly FileHash[];
}

interface FileHash {
  readonly path: string;
  readonly hash: string;
}

/**
 * Serializes a unit to lines of JSON. Linking mostly needs only the last line. The line with
 * schemas is parsed on demand. Each shared schema has one entry in the cache for all units that
 * refer to it. Tools are in `lowered`, and not in its skill.
 */
export function unitTexts({ lowered, files, shared, ...unit }: Unit): UnitTexts {
  const apart: Apart = { shared: new Map(), documents: [] };
  const rest = {
    ...unit,
    files: files.map(hashed),
    shared: shared.map(hashed),
    ...(lowered && {
      lowered: setApart({ ...lowered, skill: { ...lowered.skill, tools: [] } }, apart),
    }),
  };
  const schemas = [...apart.shared.keys()].map(schemaEntry);
  const lines = [schemas.map(({ key }) => key), apart.documents, rest];
  return {
    unit: lines.map((each) => JSON.stringify(each)).join("\n"),
    files: JSON.stringify([...files, ...shared].map(({ text }) => text)),
    schemas,
  };
}

const entries = new WeakMap<SharedSchema, CacheEntry>();

/** The cache entry of a shared schema. Equal schemas have equal entries. */
function schemaEntry(schema: SharedSchema): CacheEntry {
  const known = entries.get(schema);
  if (known !== undefined) return known;
  const value = JSON.stringify(schema);
  const entry = { key: sha256(`schema ${value}`), value };
  entries.set(schema, entry);
  return entry;
}

function hashed(file: OutputFile): FileHash {
  return { path: file.path, hash: hashOfOutput(file) };
}

/** Parts of a lowered skill with their own lines. */
interface Apart {
  /** Shared schemas with their numbers. */
  readonly shared: Map<SharedSchema, number>;
  readonly documents: unknown[];
}

/** Replaces the documents of a model with numbers. */
function setApart(model: unknown, apart: Apart): unknown {
  if (typeof model !== "object" || model === null) return model;
  if (Array.isArray(model)) return model.map((each: unknown) => setApart(each, apart));
  if (isDocument(model)) {
    const number = apart.documents.length;
    apart.documents.push(withNumbers(model, apart.shared));
    return { kind: "schema", number };
  }
  return Object.fromEntries(
    Object.entries(model).map(([key, each]) => [key, setApart(each, apart)]),
  );
}

/** Replaces the shared schemas that a document refers to with numbers. */
function withNumbers(model: object, numbers: Map<SharedSchema, number>): object {
  if (!refersToShared(model)) return model;
  const shared = model.shared.map((each) => {
    const known = numbers.get(each) ?? numbers.size;
    numbers.set(each, known);
    return known;
  });
  return { ...model, schema: ownSchema(model), shared };
}

type Referring = SchemaModel & { readonly shared: readonly SharedSchema[] };

function refersToShared(value: object): value is Referring {
  return "shared" in value && Array.isArray(value.shared) && typeof value.shared[0] === "object";
}

function isDocument(value: object): boolean {
  return "kind" in value && value.kind === "schema";
}

/**
 * Keys of the shared schemas of a unit.
 *
 * @param text text of `UnitTexts.unit`
 */
export function schemaKeysOf(text: string): readonly string[] {
  // `unitTexts` made this text.
  return JSON.parse(text.slice(0, text.indexOf("\n"))) as readonly string[];
}

/**
 * @param text text of `UnitTexts.unit`
 * @param schemaAt returns a shared schema by its key
 */
export function unitOf(
  text: string,
  schemaAt: (key: string) => SharedSchema | undefined,
): UnitWithoutTexts {
  const [, documents = "", rest = ""] = text.split("\n");
  // `unitTexts` made this text, and nothing else refers to the parsed objects.
  const unit = JSON.parse(rest) as UnitWithoutTexts;
  if (unit.lowered === undefined) return unit;
  const sharedSchemas = once(() => schemaKeysOf(text).map(schemaAt));
  const all = once(() => JSON.parse(documents) as readonly StoredDocument[]);
  putBack(unit.lowered, (number) => withShared(all()[number], sharedSchemas));
  const tools = unit.lowered.tools.map(({ tool }) => tool);
  return { ...unit, lowered: { ...unit.lowered, skill: { ...unit.lowered.skill, tools } } };
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** Restores the documents of a model, at any depth. */
function putBack(model: object, documentAt: (number: number) => unknown): void {
  for (const [key, each] of Object.entries(model)) {
    if (typeof each !== "object" || each === null) continue;
    if (!isDocument(each)) putBack(each, documentAt);
    else if ("number" in each && typeof each.number === "number") {
      const { number } = each;
      setLazily(model, key, () => documentAt(number));
    }
  }
}

type StoredDocument = { schema: JsonSchema; shared?: readonly (SharedSchema | number)[] };

function withShared(
  document: StoredDocument | undefined,
  known: () => readonly (SharedSchema | undefined)[],
): unknown {
  if (document?.shared === undefined || !Array.isArray(document.shared)) return document;
  if (typeof document.shared[0] !== "number") return document;
  const shared = document.shared.flatMap((each) =>
    typeof each === "number" ? (known()[each] ?? []) : [each],
  );
  return { ...document, schema: wholeSchema(document.schema, shared), shared };
}

/**
 * The files of a unit, from the output folder or from the cache. Undefined if neither has them.
 *
 * @param kept returns `UnitTexts.files`
 */
export function withTexts(
  unit: UnitWithoutTexts,
  previous: ReadonlyMap<string, string>,
  kept: () => string | undefined,
): Unit | undefined {
  const wanted = [...unit.files, ...unit.shared];
  const texts =
    textsIn(wanted, (path) => previous.get(path)) ??
    textsIn(wanted, textsFromCache(wanted, kept()));
  if (texts === undefined) return undefined;
  const { length } = unit.files;
  return { ...unit, files: texts.slice(0, length), shared: texts.slice(length) };
}

/** Returns the texts; undefined if one doesn't have its hash. */
function textsIn(
  wanted: readonly FileHash[],
  textAt: (path: string) => string | undefined,
): readonly OutputFile[] | undefined {
  const found: OutputFile[] = [];
  for (const { hash, path } of wanted) {
    const text = textAt(path);
    if (text === undefined || sha256(text) !== hash) return undefined;
    found.push(fileWithHash({ path, text }, hash));
  }
  return found;
}

function textsFromCache(wanted: readonly FileHash[], text: string | undefined) {
  // `unitTexts` made the cached text.
  const texts = text === undefined ? [] : (JSON.parse(text) as readonly string[]);
  const byPath = new Map(wanted.map(({ path }, index) => [path, texts[index]]));
  return (path: string): string | undefined => byPath.get(path);
}
