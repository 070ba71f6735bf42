import type { MapReader } from "./collection-readers.js";
import {
  type Fault,
  isPlainObject,
  type JsonKind,
  kindOf,
  type PlainObject,
  type Reader,
  refuse,
} from "./reader.js";
import { looksLike, mayBe, type RecordReader } from "./record-reader.js";

export interface BranchReader {
  readonly reader: Reader | RecordReader | MapReader;
  /** Tells the library which branch a value is of. */
  readonly wrap: (value: unknown) => unknown;
}

/** The first branch that a value fits takes it. */
export function unionReader(branches: readonly BranchReader[]): Reader {
  const byKind = new Map<JsonKind, readonly BranchReader[]>();
  for (const branch of branches) {
    for (const kind of branch.reader.kinds) byKind.set(kind, [...(byKind.get(kind) ?? []), branch]);
  }
  // Beside text a `long` is a number: digits in quotes are that text.
  const texts = byKind.get("string")?.filter(({ reader }) => !reader.kinds.includes("number"));
  if (texts !== undefined && texts.length > 0) byKind.set("string", texts);
  const kinds = [...byKind.keys()];
  return {
    kinds,
    read(value, fault) {
      const kind = kindOf(value);
      const candidates = kind === undefined ? undefined : byKind.get(kind);
      if (candidates === undefined) return refuse(fault, "type", `must be ${kinds.join(" or ")}`);
      return candidates.length === 1 || !isPlainObject(value)
        ? firstOf(candidates, value, fault)
        : firstOf(
            candidates.filter((each) => mayTake(each, value, fault)),
            value,
            fault,
          );
    },
  };
}

function firstOf(candidates: readonly BranchReader[], value: unknown, fault: Fault): unknown {
  if (candidates.length === 0) return refuse(fault, "anyOf", "must match a schema in anyOf");
  for (const { reader, wrap } of candidates) {
    const read = reader.read(value, fault);
    if (read !== undefined) return read === null ? null : wrap(read);
  }
  return undefined;
}

function mayTake({ reader }: BranchReader, value: PlainObject, fault: Fault): boolean {
  if ("fields" in reader) return looksLike(value, reader, fault);
  return (
    !("values" in reader) || Object.values(value).every((each) => mayBe(each, reader.values, fault))
  );
}
