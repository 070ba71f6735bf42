/**
 * Converts the schemas of an API to files, one for each target of a `$ref`. `convert-schema.ts`
 * converts the keywords.
 */
import { getOwn, isJsonObject, type JsonObject, type JsonSchema } from "../../../core/json.js";
import { shortHash } from "../../../core/hash.js";
import { isDeviceName, quote } from "../../../core/names.js";
import type { Note } from "../note.js";
import { type Part, type DocumentLocation, stepsOfPointer } from "../read/document.js";
import type { Documents } from "../read/documents.js";
import { entriesIn, itemsIn, textIn, under } from "../read/parts.js";
import { type ConvertContext, convertSchema, type Dialect } from "./convert-schema.js";
import { defaultInWords } from "./default-in-words.js";
import { createAlternatives } from "./overlapping-alternatives.js";
import { examplesOf } from "./rounded-keywords.js";
import { createWhyNoValue, type WhyNoValue } from "./why-no-value.js";

/** A converted schema and the components that it needs. */
export interface ConvertedSchema {
  readonly schema: JsonSchema;
  /** Names of the components that the schema itself refers to. */
  readonly uses: ReadonlySet<string>;
  /** Problem of an unusable schema, such as a reference without a target. */
  readonly broken?: Note;
}

export interface Component extends ConvertedSchema {
  /** Name of the file, without extension. */
  readonly name: string;
}

export interface Components {
  /**
   * Converts a schema of an operation, with its own `default`. References become
   * `<folder><component>.json`.
   *
   * @param folder relative to the schema's file, with a trailing slash
   */
  convert(part: Part, folder: string, note: (note: Note) => void): ConvertedSchema;
  /**
   * The keyword `examples` for an example of a schema; empty if JSON can't hold the example
   * exactly.
   */
  examplesOf(example: Part, schema: Part | undefined): JsonObject;
  /** Returns the schema, or the target of its reference. */
  resolve(part: Part): Part | undefined;
  /**
   * Returns the named components and all that they need, by name. Also returns the unusable ones.
   */
  closure(names: Iterable<string>): {
    readonly components: readonly Component[];
    readonly broken?: Note;
  };
  readonly whyNoValue: WhyNoValue;
  /** Notes from the conversion of the components, without repeats. */
  notes(): readonly Note[];
}

/** @param int64 form of 64-bit integers */
export function createComponents(documents: Documents, int64?: string): Components {
  const { target } = documents;
  const alternatives = createAlternatives((name) => componentOf(name)?.schema);
  const reading = {
    target,
    isBase: baseTest(documents),
    onAlternatives: alternatives.remember,
    ...(int64 !== undefined && { int64 }),
  };
  const notes: Note[] = [];
  const names = createNames(documents);
  const made = new Map<string, Component>();
  const settled = new Map<string, Component>();
  const targets = new Map<string, Part>();

  const refer = (part: Part): string => {
    const name = names(part.at);
    targets.set(name, part);
    return name;
  };
  const convertAlone = converter(documents, refer, reading);
  const componentOf = (name: string): Component | undefined => {
    const known = made.get(name);
    const target = targets.get(name);
    if (known !== undefined || target === undefined) return known;
    const converted = convertAlone(target, "./", (note) => void notes.push(note));
    const schema = defaultInWords(calledByKey(converted.schema, target.at));
    const component = { name, ...converted, schema };
    made.set(name, component);
    return component;
  };

  const settledComponent = (name: string): Component | undefined => {
    const component = componentOf(name);
    if (component === undefined || settled.has(name)) return settled.get(name);
    const { settle } = alternatives;
    const schema = settle(component.schema, "./", (note) => void notes.push(note));
    settled.set(name, { ...component, schema });
    return settled.get(name);
  };

  return {
    convert(part, folder, note) {
      const converted = convertAlone(part, folder, note);
      return { ...converted, schema: alternatives.settle(converted.schema, folder, note) };
    },
    examplesOf: (example, part = example) => examplesOf([example], { part, context: reading }),
    whyNoValue: createWhyNoValue((name) => componentOf(name)?.schema, int64),
    resolve: (part) => documents.follow(part),
    notes: () => notes,
    closure: (wanted) => closureOf(wanted, settledComponent, targets),
  };
}

/** @param refer returns the name of the component for a referenced part */
function converter(
  documents: Documents,
  refer: (part: Part) => string,
  reading: Omit<ConvertContext, "dialect" | "note" | "refer">,
): Components["convert"] {
  return (part, folder, note) => {
    const uses = new Set<string>();
    let broken: Note | undefined;
    const schema = convertSchema(part, {
      ...reading,
      dialect: dialectOf(part.at, documents.root),
      note,
      refer(reference, from) {
        const target = aliased(documents.target(reference, from), documents);
        if (target === undefined) {
          const message = `the reference ${quote(reference)} leads to nothing`;
          broken ??= { code: "import/operation-left-out", at: from, message };
          return undefined;
        }
        const name = refer(target);
        uses.add(name);
        return `${folder}${name}.json`;
      },
    });
    return { schema, uses, ...(broken && { broken }) };
  };
}

function closureOf(
  wanted: Iterable<string>,
  componentOf: (name: string) => Component | undefined,
  targets: ReadonlyMap<string, Part>,
): ReturnType<Components["closure"]> {
  const found = new Map<string, Component>();
  const queue = [...wanted];
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    const component = found.has(name) ? undefined : componentOf(name);
    if (component === undefined) continue;
    found.set(name, component);
    queue.push(...component.uses);
  }
  const components = [...found.values()];
  const broken = components.find((each) => each.broken)?.broken ?? circleIn(found, targets);
  return { components, ...(broken && { broken }) };
}

/**
 * Removes the title of a component's schema if it differs from the key. Types get their names from
 * titles, people know the key, and several schemas may share a title.
 */
function calledByKey(schema: JsonSchema, { pointer }: DocumentLocation): JsonSchema {
  const key = /^\/(?:components\/schemas|definitions)\/([^/]+)$/.exec(pointer)?.[1];
  if (key === undefined || typeof schema === "boolean") return schema;
  const { title, ...others } = schema;
  if (
    typeof title !== "string" ||
    lettersIn(title) === lettersIn(stepsOfPointer(pointer).at(-1) ?? "")
  )
    return schema;
  return { ...(others["description"] === undefined && { description: title }), ...others };
}

function lettersIn(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

/** Target of a schema that consists only of a reference. */
function aliased(part: Part | undefined, documents: Documents): Part | undefined {
  if (part === undefined || !isJsonObject(part.value)) return part;
  return Object.keys(part.value).join() === "$ref" ? documents.follow(part) : part;
}

/**
 * Dialect of a document's schemas. OpenAPI 3.0 and Swagger 2 have their own; later versions use
 * JSON Schema.
 */
function dialectOf({ document }: DocumentLocation, root: Part): Dialect {
  const own: Part = { value: document.value, at: { document, pointer: "" } };
  // A document with only schemas has the version of the document that refers to it.
  const isApi = textIn(own, "openapi") !== undefined || under(own, "swagger") !== undefined;
  const version = textIn(isApi ? own : root, "openapi") ?? "";
  return /^3\.[12]/.test(version) ? "2020-12" : "openapi-3.0";
}

/**
 * Finds a schema that leads back to itself through only `$ref`, `allOf`, `anyOf` or `oneOf`. It
 * describes no value, and reading it would never end.
 */
function circleIn(
  components: ReadonlyMap<string, Component>,
  targets: ReadonlyMap<string, Part>,
): Note | undefined {
  const done = new Set<string>();
  const open = new Set<string>();
  const circle = (name: string): string | undefined => {
    if (open.has(name)) return name;
    const component = components.get(name);
    if (done.has(name) || component === undefined) return undefined;
    open.add(name);
    const found = inPlaceOf(component.schema)
      .map(circle)
      .find((each) => each !== undefined);
    open.delete(name);
    done.add(name);
    return found;
  };
  for (const name of components.keys()) {
    const found = circle(name);
    const at = found === undefined ? undefined : targets.get(found)?.at;
    if (found === undefined || at === undefined) continue;
    const message = `the schema ${quote(found)} refers only to itself`;
    return { code: "import/operation-left-out", at, message };
  }
  return undefined;
}

/** Lists components that describe the same value as the schema. */
function inPlaceOf(schema: JsonSchema): readonly string[] {
  if (!isJsonObject(schema)) return [];
  const reference = getOwn(schema, "$ref");
  const own = typeof reference === "string" ? [reference.replace(/^\.\/|\.json$/g, "")] : [];
  const inner = ["allOf", "anyOf", "oneOf"].flatMap((key) => {
    const list = getOwn(schema, key);
    // The conversion puts only schemas there.
    return Array.isArray(list) ? (list as readonly JsonObject[]).flatMap(inPlaceOf) : [];
  });
  return [...own, ...inner];
}

/** Checks if other schemas extend the schema at a place by `allOf`; computed on first use. */
function baseTest(documents: Documents): (place: DocumentLocation) => boolean {
  let bases: ReadonlySet<string> | undefined;
  return (place) => (bases ??= basesIn(documents)).has(identityOf(place));
}

/** Places of the schemas that others extend by `allOf`. */
function basesIn(documents: Documents): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (part: Part): void => {
    for (const each of itemsIn(under(part, "allOf"))) {
      const base = textIn(each, "$ref") === undefined ? undefined : documents.follow(each);
      if (base !== undefined) found.add(identityOf(base.at));
    }
    for (const each of itemsIn(part)) visit(each);
    for (const [, each] of entriesIn(part)) visit(each);
  };
  for (const document of documents.all)
    visit({ value: document.value, at: { document, pointer: "" } });
  return found;
}

/** Gives each referenced place a unique name. */
function createNames(documents: Documents): (place: DocumentLocation) => string {
  const { root } = documents;
  const byPlace = new Map<string, string>();
  const taken = new Map<string, string>();
  const take = (place: string, name: string): string => {
    const free = taken.has(name.toLowerCase()) ? `${name}-${shortHash(place).slice(0, 6)}` : name;
    taken.set(free.toLowerCase(), place);
    byPlace.set(place, free);
    return free;
  };
  const own = [under(under(root, "components"), "schemas"), under(root, "definitions")];
  for (const [name, part] of own.flatMap(entriesIn)) {
    const identity = identityOf((aliased(part, documents) ?? part).at);
    if (!byPlace.has(identity)) take(identity, fileNameOf(name));
  }
  return (place) => {
    const identity = identityOf(place);
    return byPlace.get(identity) ?? take(identity, fileNameOf(nameOfPlace(place, root)));
  };
}

function identityOf({ document, pointer }: DocumentLocation): string {
  return `${document.uri}#${pointer}`;
}

function nameOfPlace({ document, pointer }: DocumentLocation, root: Part): string {
  const steps = stepsOfPointer(pointer);
  const known = /^\/(?:components\/schemas|definitions|\$defs)\//.test(pointer);
  const own = known ? steps.slice(pointer.startsWith("/components") ? 2 : 1) : steps;
  const file = (document.uri.split("/").at(-1) ?? "").replace(/\.(?:json|ya?ml)$/i, "");
  return [...(document === root.at.document ? [] : [file]), ...own].join("-");
}

/** Converts a name to letters, digits, dots, `_` and `-`, which any file system accepts. */
function fileNameOf(name: string): string {
  const plain = name
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .replace(/[^A-Za-z0-9_.-]+/g, "-")
    .replace(/\.{2,}/g, ".")
    .replace(/^[-.]+|[-.]+$/g, "");
  const mark = shortHash(name).slice(0, 6);
  if (plain === "" || isDeviceName(plain)) return `schema-${mark}`;
  return plain.length <= longestFile ? plain : `${plain.slice(0, longestFile - 7)}-${mark}`;
}

const longestFile = 100;
