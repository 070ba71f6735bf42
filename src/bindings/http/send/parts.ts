import { RefusedValue } from "../../../runtime/sink.js";
import type { CredentialReference, CredentialText, PathSegment, Scalar } from "../contract.js";

/**
 * Credentials are told apart from parameters by class, never by shape: a caller whose parameter looks like `{ kind: "credential" }` has sent
 * an object, and an object is what goes out.
 */
class Reference implements CredentialReference {
  readonly kind = "credential";
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

class TextWithCredentials implements CredentialText {
  readonly kind = "text";
  readonly parts: readonly (string | CredentialReference)[];

  constructor(parts: readonly (string | CredentialReference)[]) {
    this.parts = parts;
  }
}

/** `${NAME}`: a credential or setting, opened only when the request is sent. */
export function credential(name: string): CredentialReference {
  return new Reference(name);
}

/**
 * Literal text, parameters and credentials made one: a header, a query value, a string of the body. Undefined, so that what it would fill is
 * left out, when a parameter is absent or null.
 */
export function text(
  ...parts: readonly (Scalar | CredentialReference | null | undefined)[]
): CredentialText | string | undefined {
  const texts: (string | CredentialReference)[] = [];
  for (const part of parts) {
    if (part === null || part === undefined) return undefined;
    texts.push(part instanceof Reference ? part : String(part));
  }
  return texts.every((each) => typeof each === "string")
    ? texts.join("")
    : new TextWithCredentials(texts);
}

export function isCredential(value: unknown): value is CredentialReference {
  return value instanceof Reference;
}

export function isCredentialText(value: unknown): value is CredentialText {
  return value instanceof TextWithCredentials;
}

/**
 * One path segment that is a parameter.
 *
 * @param pointer where the parameter is, for the error
 * @throws RefusedValue for a value that would be no segment of its own: empty, `.`, `..`
 */
export function segment(pointer: string, value: Scalar): PathSegment {
  return asSegment(encodeSegment(pointer, value), pointer);
}

/**
 * One path segment with literal text around its parameters.
 *
 * @param fixed literal text as it stands in a URL: before, between and after the values, so one more than there are values
 * @throws RefusedValue as `segment` does, for the whole
 */
export function segmentOf(
  fixed: readonly string[],
  ...values: readonly (readonly [pointer: string, value: Scalar])[]
): PathSegment {
  let encoded = fixed[0] ?? "";
  let last = "";
  for (const [index, [pointer, value]] of values.entries()) {
    encoded += encodeSegment(pointer, value) + (fixed[index + 1] ?? "");
    last = pointer;
  }
  return asSegment(encoded, last);
}

/** What URL parsers read as "this folder" and "the folder above", `%2e` included (WHATWG URL, 4.4). */
const dots = /^(?:\.|%2e){1,2}$/i;

function asSegment(encoded: string, pointer: string): PathSegment {
  if (encoded === "" || dots.test(encoded)) {
    throw new RefusedValue(pointer, "path-segment", "must not be empty, `.` or `..` in a path");
  }
  return { kind: "segment", encoded };
}

function encodeSegment(pointer: string, value: Scalar): string {
  try {
    return encodeURIComponent(value);
  } catch {
    throw new RefusedValue(pointer, "path-segment", "must be well-formed Unicode");
  }
}
