import { RefusedValue } from "../../../runtime/executor.js";
import type { Scalar } from "../../../runtime/values/text.js";
import { isDotSegment, type PathSegment } from "../contract.js";
import { percentEncoded } from "./percent-encoding.js";
import { StyledValue, styledText } from "./styles.js";

/**
 * One path segment that is a parameter. A styled value that keeps reserved characters may be
 * several, each one of its own.
 *
 * @param pointer where the parameter is, for the error
 * @throws RefusedValue for a value that would be no segment of its own: empty, `.`, `..`
 */
export function segment(pointer: string, value: Scalar | StyledValue): PathSegment {
  return asSegment(encodeSegment(pointer, value), pointer);
}

/**
 * One path segment with literal text around its parameters.
 *
 * @param fixed literal text as it stands in a URL: before, between and after the values, so one
 * more than there are values
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
  return asSegment(encoded, last);
}

function asSegment(encoded: string, pointer: string): PathSegment {
  if (encoded === "" || encoded.split("/").some(isDotSegment)) {
    throw new RefusedValue(pointer, "path-segment", "must not be empty, `.` or `..` in a path");
  }
  return { kind: "segment", encoded };
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
    throw new RefusedValue(pointer, "path-segment", "must be well-formed Unicode");
  }
}
