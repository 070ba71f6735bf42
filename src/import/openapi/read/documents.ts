/**
 * Loads the documents that describe one API: the named one, and those that its references lead to.
 *
 * `@apidevtools/json-schema-ref-parser` is not used, because it returns values without places for
 * diagnostics, and brings a second YAML parser and HTTP client.
 */
import { getOwn, isJsonObject, type JsonValue } from "../../../core/json.js";
import { shown } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import type { SourceFile } from "../../../core/source-file.js";
import {
  type ApiDocument,
  type Part,
  type DocumentLocation,
  placeBelow,
  stepsOfPointer,
} from "./document.js";
import { maxDocumentBytes, parseDocumentText } from "./parse-document.js";
import type { Note } from "../note.js";
import { mayHoldSchemas, namedSchemas, type Resource, resourceAround } from "./named-schemas.js";

/** Result of fetching an address. */
export type Fetched =
  | { readonly kind: "file"; readonly file: SourceFile }
  /** Missing, or not allowed: a sentence without its full stop, and the help. */
  | { readonly kind: "refused"; readonly message: string; readonly help?: string };

/** Reads the document at an absolute URI without a fragment. */
export type FetchDocument = (uri: string) => Promise<Fetched>;

export interface Documents {
  readonly root: Part;
  readonly all: readonly ApiDocument[];
  /** References without a readable target. */
  readonly notes: readonly Note[];
  /** Target of a reference: `#/components/schemas/User`, `pets.yaml#/Pet`. */
  target(reference: string, from: DocumentLocation): Part | undefined;
  /** The part itself, or the target of its `$ref`; undefined if the target doesn't exist. */
  follow(part: Part): Part | undefined;
}

/** Maximum files of one API; split documents have hundreds. */
const maxDocuments = 2000;

/**
 * Reads a document and all that it refers to, each once.
 *
 * @returns undefined, with an error in `report`, when the first can't be read
 */
export async function loadDocuments(
  root: string,
  first: SourceFile,
  fetch: FetchDocument,
  report: Report,
): Promise<Documents | undefined> {
  const document = parseDocumentText(root, first, report);
  if (document === undefined) return undefined;
  const byUri = new Map<string, ApiDocument | undefined>([[root, document]]);
  const notes: Note[] = [];
  let bytes = first.text.length;
  const queue = [document];
  for (let from = queue.shift(); from !== undefined; from = queue.shift()) {
    for (const { reference, at } of referencesIn(from)) {
      const uri = addressOf(reference, from.uri);
      if (uri === undefined || byUri.has(uri) || isNamedIn(from, reference, at)) continue;
      const fetched: Fetched =
        byUri.size >= maxDocuments
          ? { kind: "refused", message: `the import reads at most ${maxDocuments} files` }
          : await fetch(uri);
      if (fetched.kind === "file") {
        bytes += fetched.file.text.length;
        if (bytes > maxDocumentBytes) {
          report.add({
            code: "import/too-large",
            span: { file: first.path, start: 0, end: 1 },
            message: `all documents together are larger than ${maxDocumentBytes / 1024 / 1024} MiB`,
          });
          return undefined;
        }
        const errors = report.errorCount();
        const next = parseDocumentText(uri, fetched.file, report);
        if (report.errorCount() > errors) return undefined;
        byUri.set(uri, next);
        if (next !== undefined) queue.push(next);
      } else {
        byUri.set(uri, undefined);
        notes.push({
          code: "import/unread-reference",
          at,
          message: `the import does not read \`${shown(reference)}\`: ${fetched.message}`,
          ...(fetched.help !== undefined && { help: fetched.help }),
        });
      }
    }
  }
  return connected(document, byUri, notes);
}

/** Checks if a reference leads to a schema with an `$id` in the same document. */
function isNamedIn(document: ApiDocument, reference: string, at: DocumentLocation): boolean {
  const { ids } = namedSchemas(document);
  const bases = [resourceAround(at)?.uri ?? document.uri, document.uri];
  return bases.some((base) => ids.has(addressOf(reference, base) ?? ""));
}

function connected(
  root: ApiDocument,
  byUri: ReadonlyMap<string, ApiDocument | undefined>,
  notes: readonly Note[],
): Documents {
  const find = (reference: string, { part, uri: base }: Resource): Part | undefined => {
    const uri = addressOf(reference, base) ?? base;
    const own = part.at.document;
    const resource = uri === base ? part : namedSchemas(own).ids.get(uri);
    const document = resource ? own : byUri.get(uri);
    const hash = reference.indexOf("#");
    const fragment = hash < 0 ? "" : decode(reference.slice(hash + 1));
    if (document === undefined || fragment === undefined) return undefined;
    return fragment === "" || fragment.startsWith("/")
      ? partAt(resource ?? rootOf(document), fragment)
      : namedSchemas(document).anchors.get(`${uri}#${fragment}`);
  };
  const target = (reference: string, from: DocumentLocation): Part | undefined => {
    const around = resourceAround(from);
    const { document } = from;
    // In some documents, references start from the document although an `$id` is around them.
    return (
      (around && find(reference, around)) ??
      find(reference, { uri: document.uri, part: rootOf(document) })
    );
  };
  return {
    root: rootOf(root),
    all: [...byUri.values()].flatMap((each) => each ?? []),
    notes,
    target,
    follow(part) {
      let at: Part | undefined = part;
      for (let steps = 0; at !== undefined && steps < longestChain; steps += 1) {
        const reference: JsonValue | undefined = isJsonObject(at.value)
          ? getOwn(at.value, "$ref")
          : undefined;
        if (typeof reference !== "string") return at;
        at = target(reference, at.at);
      }
      return undefined;
    },
  };
}

function rootOf(document: ApiDocument): Part {
  return { value: document.value, at: { document, pointer: "" } };
}

/** Maximum length of a chain of references. A longer chain is circular. */
const longestChain = 64;

function partAt(root: Part, pointer: string): Part | undefined {
  const found = stepsOfPointer(pointer).reduce<Part | undefined>((at, step) => {
    if (at === undefined || typeof at.value !== "object" || at.value === null) return undefined;
    // Only indices are parts of an array; properties such as its length are not.
    if (Array.isArray(at.value) && !/^\d+$/.test(step)) return undefined;
    const value = getOwn<JsonValue>(at.value as { readonly [key: string]: JsonValue }, step);
    return value === undefined ? undefined : { value, at: placeBelow(at.at, step) };
  }, root);
  return found;
}

/**
 * Returns the address of the document that a reference leads to; undefined for the same document.
 */
function addressOf(reference: string, base: string): string | undefined {
  const [address = ""] = reference.split("#", 1);
  if (address === "") return undefined;
  try {
    const url = new URL(address, base);
    url.hash = "";
    return url.href;
  } catch {
    return `invalid:${address}`;
  }
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

interface Reference {
  readonly reference: string;
  readonly at: DocumentLocation;
}

/** The referenced documents, each with the first reference to it. */
function referencesIn(document: ApiDocument): readonly Reference[] {
  const found = new Map<string, Reference>();
  const visit = (value: JsonValue, at: DocumentLocation): void => {
    if (Array.isArray(value)) {
      for (const [index, each] of (value as readonly JsonValue[]).entries())
        if (typeof each === "object") visit(each, placeBelow(at, String(index)));
      return;
    }
    if (!isJsonObject(value)) return;
    for (const [key, each] of Object.entries(value)) {
      if (key === "$ref" && typeof each === "string") {
        const [address = ""] = each.split("#", 1);
        if (address !== "" && !found.has(address))
          found.set(address, { reference: each, at: placeBelow(at, key) });
      } else if (typeof each === "object" && mayHoldSchemas(key, at))
        visit(each, placeBelow(at, key));
    }
  };
  visit(document.value, { document, pointer: "" });
  return [...found.values()];
}
