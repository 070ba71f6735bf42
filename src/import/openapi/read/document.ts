import type { JsonValue } from "../../../core/json.js";
import type { SourceFile } from "../../../core/source-file.js";
import type { SyntaxNode } from "../../../core/syntax-node.js";

/** One file of an API's description, as it was read. */
export interface ApiDocument {
  /**
   * Absolute address without a fragment: `file:///…/api.yaml`,
   * `https://api.example.com/openapi.json`.
   */
  readonly uri: string;
  /** Text with a name for people. The name of a URL contains no user or password. */
  readonly file: SourceFile;
  readonly value: JsonValue;
  /** The value with the digits of each rounded integer as text. Absent if none was rounded. */
  readonly exact?: JsonValue;
  /**
   * For YAML, the tree with the spans of its parts. For JSON, spans are looked up in the text on
   * demand.
   */
  readonly tree?: SyntaxNode;
}

/** A place in a description. */
export interface DocumentLocation {
  readonly document: ApiDocument;
  /** JSON Pointer without `#`; empty for the whole document. */
  readonly pointer: string;
}

/** A part of a description, with its place. */
export interface Part {
  readonly value: JsonValue;
  readonly at: DocumentLocation;
  /** Parts of a combined object that come from several places, by key. */
  readonly parts?: ReadonlyMap<string, Part>;
}

/** Escapes one step of a JSON Pointer. */
function pointerStep(step: string): string {
  return `/${step.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** Returns the steps of a JSON Pointer without `#`. */
export function stepsOfPointer(pointer: string): readonly string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

export function placeBelow(
  { document, pointer }: DocumentLocation,
  ...steps: readonly string[]
): DocumentLocation {
  return { document, pointer: `${pointer}${steps.map(pointerStep).join("")}` };
}
