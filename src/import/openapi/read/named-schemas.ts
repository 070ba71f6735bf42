/** Finds the schemas of a document that have an `$id` or an `$anchor` of JSON Schema 2020-12. */
import { isJsonObject, type JsonValue } from "../../../core/json.js";
import { type ApiDocument, type DocumentLocation, type Part, placeBelow } from "./document.js";

/** A document, or a schema with an `$id`, and its address. */
export interface Resource {
  readonly uri: string;
  readonly part: Part;
}

export interface NamedSchemas {
  /** Schemas by their absolute `$id`, without a fragment. */
  readonly ids: ReadonlyMap<string, Part>;
  /** The same schemas by their pointer. */
  readonly byPointer: ReadonlyMap<string, Resource>;
  /** Schemas by the address of their resource and their anchor: `https://example.com/pet#name`. */
  readonly anchors: ReadonlyMap<string, Part>;
}

/** Keys with an author's data, in which a `$ref` or an `$id` has no meaning. */
const dataKeys = /^(?:example|examples|default|enum|const|value|x-.*)$/;

/** Checks if the entry of an object may contain schemas. */
export function mayHoldSchemas(key: string, { pointer }: DocumentLocation): boolean {
  return !dataKeys.test(key) || isNamed(pointer);
}

/** Checks if the keys below are names that an author chose, such as those of properties. */
function isNamed(pointer: string): boolean {
  return /\/(?:properties|patternProperties|components\/\w+|definitions|\$defs|parameters|responses)$/.test(
    pointer,
  );
}

const namedIn = new WeakMap<ApiDocument, NamedSchemas>();

export function namedSchemas(document: ApiDocument): NamedSchemas {
  const known = namedIn.get(document);
  if (known !== undefined) return known;
  const ids = new Map<string, Part>();
  const byPointer = new Map<string, Resource>();
  const anchors = new Map<string, Part>();
  const add = (names: Map<string, Part>, name: string, part: Part): void => {
    if (!names.has(name)) names.set(name, part);
  };
  const visit = (value: JsonValue, at: DocumentLocation, base: string): void => {
    if (typeof value !== "object" || value === null) return;
    let resource = base;
    if (isJsonObject(value) && !isNamed(at.pointer)) {
      const { $anchor, $dynamicAnchor, $id } = value;
      const id = typeof $id === "string" ? absolute($id, base) : undefined;
      if (id !== undefined) {
        resource = id;
        add(ids, id, { value, at });
        byPointer.set(at.pointer, { uri: id, part: { value, at } });
      }
      for (const anchor of [$anchor, $dynamicAnchor])
        if (typeof anchor === "string") add(anchors, `${resource}#${anchor}`, { value, at });
    }
    for (const [key, each] of Object.entries(value))
      if (Array.isArray(value) || mayHoldSchemas(key, at))
        visit(each, placeBelow(at, key), resource);
  };
  visit(document.value, { document, pointer: "" }, document.uri);
  const named = { ids, byPointer, anchors };
  namedIn.set(document, named);
  return named;
}

/**
 * The innermost schema with an `$id` around a place, and its address; undefined if there is none.
 */
export function resourceAround(place: DocumentLocation): Resource | undefined {
  const { byPointer } = namedSchemas(place.document);
  if (byPointer.size === 0) return undefined;
  for (let { pointer } = place; ; pointer = pointer.slice(0, pointer.lastIndexOf("/"))) {
    const found = byPointer.get(pointer);
    if (found !== undefined || pointer === "") return found;
  }
}

function absolute(id: string, base: string): string | undefined {
  if (!URL.canParse(id, base)) return undefined;
  const url = new URL(id, base);
  url.hash = "";
  return url.href;
}
