import type { JsonObject } from "../../../core/json.js";
import { withWords } from "../../../schema/form-words.js";
import {
  bytesForm,
  clockPattern,
  dayPattern,
  exactText,
  floatForm,
  fractionPattern,
  int32Form,
  int64Form,
  offsetPattern,
  safeForm,
  signedDigits,
  unsignedDigits,
  upTo,
} from "../exact-forms.js";
import { type ScalarName, type WellKnownName, wrappedBy } from "./proto-type.js";

const uint32Form: JsonObject = { type: "integer", minimum: 0, maximum: 2 ** 32 - 1 };
const uint64Form: JsonObject = {
  ...safeForm,
  minimum: 0,
  ...exactText(unsignedDigits(64), {
    says: "an integer from 0, of 64 bits, or its digits",
    pattern: "^(0|[1-9][0-9]{0,18})$",
  }),
  type: ["integer", "string"],
};

const scalarForms: { readonly [name in ScalarName]: JsonObject } = {
  double: { type: "number" },
  float: floatForm,
  int32: int32Form,
  sint32: int32Form,
  sfixed32: int32Form,
  uint32: uint32Form,
  fixed32: uint32Form,
  int64: int64Form,
  sint64: int64Form,
  sfixed64: int64Form,
  uint64: uint64Form,
  fixed64: uint64Form,
  bool: { type: "boolean" },
  string: { type: "string" },
  bytes: bytesForm,
};

/** Values of a scalar as JSON has them: numbers where they are exact, text else. */
export function scalarForm(name: ScalarName): JsonObject {
  return scalarForms[name];
}

/** Keys of a map, which JSON has as text. */
export function keyForm(name: ScalarName): JsonObject | undefined {
  if (name === "string") return undefined;
  if (name === "bool") return { enum: ["true", "false"] };
  const bits = name.endsWith("32") ? 32 : 64;
  const digits = isSigned(name) ? signedDigits(bits) : unsignedDigits(bits);
  const [from, sign] = isSigned(name) ? ["", "-?"] : [" from 0", ""];
  const says = `the digits of an integer${from}, of ${bits} bits`;
  const pattern = `^(0|${sign}[1-9][0-9]{0,${bits === 32 ? 8 : 17}})$`;
  return { pattern: `^(?:${digits})$`, ...withWords(says, { pattern }) };
}

function isSigned(name: ScalarName): boolean {
  return !name.startsWith("u") && !name.startsWith("fixed");
}

const fraction = fractionPattern(9);
/** The first and the last day of what a `Timestamp` can hold are whole in UTC only. */
const timestamp =
  `(?!0000)${dayPattern}T${clockPattern}${fraction}Z|` +
  `(?!0000|0001-01-01|9999-12-31)${dayPattern}T${clockPattern}${fraction}${offsetPattern}`;
/** About 10,000 years. */
const mostSeconds = "315576000000";
const duration = `-?(?:0|${upTo(mostSeconds)})${fraction}s`;
const fieldPath = "[A-Za-z][A-Za-z0-9]*(?:\\.[A-Za-z][A-Za-z0-9]*)*";

/** Messages that are no objects in JSON, by the JSON mapping of Protobuf. */
export function wellKnownForm(name: WellKnownName): JsonObject {
  const wrapped = wrappedBy(name);
  return wrapped === undefined ? (otherForms[name] ?? {}) : scalarForm(wrapped);
}

const otherForms: { readonly [name in WellKnownName]?: JsonObject } = {
  Timestamp: exactText(
    timestamp,
    {
      says: "a date-time with its offset and at most 9 digits of fraction, such as `2026-01-02T03:04:05Z`",
    },
    { format: "date-time" },
  ),
  Duration: exactText(duration, {
    says: "a number of seconds, such as `3.5s`",
    pattern: "^(0|[1-9][0-9]{0,10})(\\.[0-9]{1,9})?s$",
  }),
  FieldMask: exactText(`(?:${fieldPath}(?:,${fieldPath})*)?`, {
    says: "names of fields in camel case, such as `total,customer.firstName`",
    pattern: "^[a-z][A-Za-z0-9]*(,[a-z][A-Za-z0-9]*)*$",
  }),
  Struct: { type: "object", additionalProperties: true },
  ListValue: { type: "array" },
  NullValue: { type: "null" },
  Empty: { type: "object", additionalProperties: false },
};
