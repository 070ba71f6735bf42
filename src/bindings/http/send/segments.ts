import { RefusedValue } from "../../../runtime/executor.js";
import type { Scalar } from "../../../runtime/values/text.js";
import type { PathSegment } from "../contract.js";
import {
  hasDotSegment,
  hasEmptySegment,
  isDotSegment,
} from "../../../runtime/http/dot-segments.js";
import { requireOwnNames } from "./map-names.js";
import { percentEncoded } from "./percent-encoding.js";
import { StyledValue, styledText } from "./styles.js";

/**
 * Makes a path segment of a parameter. A styled value with reserved characters may contain several
 * segments; each is checked.
 *
 * @param pointer JSON pointer of the parameter, for errors
 * @throws RefusedValue for an empty value, or one that may lead to another path
 */
export function segment(pointer: string, value: Scalar | StyledValue): PathSegment {
  const encoded = encodeSegment(pointer, value);
  if (typeof value === "object") return checkedSegment(pointer, encoded, [value]);
  if (encoded === "") throw refused(pointer, empty);
  // Numbers and booleans never look like dot segments.
  if (typeof value === "string") requireNoDots(pointer, encoded);
  return { kind: "segment", encoded };
}

/**
 * Makes a path segment with literal text around its parameters.
 *
 * @param fixed literal text of the URL before, between and after the values: one more than there
 * are values
 * @throws RefusedValue as `segment` does, for the whole
 */
export function segmentOf(
  fixed: readonly string[],
  ...values: readonly (readonly [pointer: string, value: Scalar | StyledValue])[]
): PathSegment {
  let encoded = fixed[0] ?? "";
  let last = "";
  for (const [index, [pointer, value]] of values.entries()) {
    encoded += encodeSegment(pointer, value) + (fixed[index + 1] ?? "");
    last = pointer;
  }
  const given = values.map(([, value]) => value);
  if (given.some(isMatrix)) requireOwnParameters(fixed, given);
  // If one value may have dots, each of the others is checked by itself.
  if (given.some(allowsDots))
    for (const [pointer, value] of values)
      if (!allowsDots(value))
        requireInPlace(pointer, encodeSegment(pointer, value), isReserved(value));
  return checkedSegment(last, encoded, given);
}

/** Checks the names of matrix parameters against each other and against those that the author wrote out. */
function requireOwnParameters(
  fixed: readonly string[],
  values: readonly (Scalar | StyledValue)[],
): void {
  const entries = values.filter(isMatrix).map((value) => [value.name, value] as const);
  requireOwnNames(entries, () =>
    [...fixed.join("/").matchAll(/;([^;=/]+)/g)].map(([, name = ""]) => name),
  );
}

const allowsDots = (value: Scalar | StyledValue) => value instanceof StyledValue && value.dots;
const isMatrix = (value: Scalar | StyledValue): value is StyledValue =>
  value instanceof StyledValue && value.style === "matrix";
const isReserved = (value: Scalar | StyledValue) => value instanceof StyledValue && value.reserved;

function checkedSegment(
  pointer: string,
  encoded: string,
  values: readonly (Scalar | StyledValue)[],
): PathSegment {
  if (encoded === "") throw refused(pointer, empty);
  if (!values.some(allowsDots)) {
    const reserved = values.some(isReserved);
    requireInPlace(pointer, encoded, reserved);
    // Building the URL shows whether a slash follows.
    return reserved && encoded.endsWith("/")
      ? { kind: "segment", encoded, pointer }
      : { kind: "segment", encoded };
  }
  // Every client resolves such a segment before it sends it.
  if (isDotSegment(encoded)) throw refused(pointer, "must not be `.` or `..` in a path");
  return { kind: "segment", encoded };
}

const empty = "must not be empty in a path";

/** @param reserved true if slashes were kept; a part between two of them must not be empty */
function requireInPlace(pointer: string, encoded: string, reserved: boolean): void {
  requireNoDots(pointer, encoded);
  if (reserved && hasEmptySegment(encoded)) throw refused(pointer, emptyPart);
}

function requireNoDots(pointer: string, encoded: string): void {
  if (!hasDotSegment(encoded)) return;
  throw refused(
    pointer,
    "must have no part between slashes that is `.` or `..`, or that a server may read as one",
  );
}

/** Message for a value that would put two slashes side by side. */
export const emptyPart = "must have no empty part between slashes in a path";

function refused(pointer: string, message: string): RefusedValue {
  return new RefusedValue(pointer, "path-segment", message);
}

function encodeSegment(pointer: string, value: Scalar | StyledValue): string {
  if (!(value instanceof StyledValue)) return encodeScalar(pointer, value);
  const reserved = value.reserved ? "path" : undefined;
  return styledText(value, (each, isName) =>
    encodeScalar(pointer, each, isName ? undefined : reserved),
  );
}

function encodeScalar(pointer: string, value: Scalar, reserved?: "path"): string {
  try {
    return percentEncoded(value, reserved);
  } catch {
    throw refused(pointer, "must be well-formed Unicode");
  }
}
