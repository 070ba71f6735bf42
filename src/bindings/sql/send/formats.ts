import type { JsonValue } from "../../../runtime/json.js";
import type { Format, ScalarFormat } from "../contract.js";
import { parseArray, printArray } from "./array-text.js";
import { type ScalarTraits, scalarTraits } from "./scalar-formats.js";

/** A format, taken apart. */
export interface Travel {
  readonly read: (text: string) => JsonValue;
  /** A value of JSON as a parameter; null is null. */
  readonly print: (value: unknown) => string | null;
  /** OID of the built-in type; undefined: any type. */
  readonly oid: number | undefined;
}

const domain = "domain ";

const known = new Map<Format, Travel>();

export function travelOf(format: Format): Travel {
  const found = known.get(format) ?? makeTravel(format);
  known.set(format, found);
  return found;
}

function makeTravel(format: Format): Travel {
  if (format.startsWith(domain)) {
    // What follows the word is a format by itself.
    const { print, read } = makeTravel(format.slice(domain.length) as Format);
    return { print, read, oid: undefined };
  }
  const bracket = format.indexOf("[");
  // A format is the name of a scalar format and pairs of brackets.
  const name = (bracket < 0 ? format : format.slice(0, bracket)) as ScalarFormat;
  const traits = scalarTraits[name];
  return bracket < 0 ? scalar(traits) : array(traits, name, (format.length - bracket) / 2);
}

function scalar({ read, print, oids }: ScalarTraits): Travel {
  return { read, print: (value) => (isNothing(value) ? null : print(value)), oid: oids?.[0] };
}

function array(traits: ScalarTraits, name: ScalarFormat, dimensions: number): Travel {
  const { read, print, delimiter, oids } = traits;
  const isJson = name === "json" || name === "jsonb";
  return {
    read: (text) => parseArray(text, delimiter, dimensions, read),
    print(value) {
      if (isNothing(value)) return null;
      return Array.isArray(value) ? printArray(value, delimiter, isJson, print) : print(value);
    },
    oid: oids?.[1],
  };
}

/** Absent optional parameters are null to a statement. */
function isNothing(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}
