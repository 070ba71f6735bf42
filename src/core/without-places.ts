import type { Span } from "./span.js";

/**
 * A model as text that is the same wherever its parts stand in their files: moving a tool down a line changes nothing that a call does. What is left out is a place by its
 * form, or the spelling of a text; what an author calls `span` or `places` inside a schema is kept.
 */
export function withoutPlaces(model: unknown): string {
  return JSON.stringify(model, leaveOutPlaces);
}

function leaveOutPlaces(this: unknown, key: string, value: unknown): unknown {
  if (isSpan(value)) return undefined;
  if (key === "origin" && isText(this)) return undefined;
  // An author's own data, which may look like anything.
  return isSchemaModel(value) ? JSON.stringify(value.schema) : value;
}

/** Whether a value has the form of a place in a file. */
export function isSpan(value: unknown): value is Span {
  if (typeof value !== "object" || value === null || Object.keys(value).length !== 3) return false;
  const { file, start, end } = value as Partial<Span>; // each is checked here
  return typeof file === "string" && typeof start === "number" && typeof end === "number";
}

/** A text of a file, with its place. */
function isText(value: unknown): boolean {
  return typeof value === "object" && value !== null && "span" in value && isSpan(value.span);
}

function isSchemaModel(value: unknown): value is { readonly schema: unknown } {
  return (
    typeof value === "object" &&
    value !== null &&
    "kind" in value &&
    value.kind === "schema" &&
    "places" in value
  );
}
