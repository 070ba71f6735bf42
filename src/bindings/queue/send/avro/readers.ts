/** Kinds of JSON values. */
export type JsonKind = "null" | "boolean" | "number" | "string" | "array" | "object";

/** Converts a JSON value to the value that the library encodes. */
export interface Reader {
  /** Kinds of JSON values that the reader may accept. */
  readonly kinds: readonly JsonKind[];
  /** Returns undefined if the value can't be encoded; `problem` then has the reason. */
  read(value: unknown, problem: ReadProblem): unknown;
}

/**
 * The reason why a value can't be encoded. Readers of nested values add their steps on the way out,
 * so a valid value costs nothing.
 */
export interface ReadProblem {
  keyword: string;
  message: string;
  /** Field names, keys and indices, from the value outwards. */
  readonly steps: (string | number)[];
}

/** Stores the problem of a value. Returns undefined, as readers do then. */
function refuse(problem: ReadProblem, keyword: string, message: string): undefined {
  problem.keyword = keyword;
  problem.message = message;
  problem.steps.length = 0;
  return undefined;
}

function kindOf(value: unknown): JsonKind | undefined {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  const type = typeof value;
  if (type === "object" || type === "string" || type === "number" || type === "boolean")
    return type;
  return undefined;
}

/** An object of which only own properties count. */
export type PlainObject = { readonly [name: string]: unknown };

export function isPlainObject(value: unknown): value is PlainObject {
  return kindOf(value) === "object";
}

export interface FieldReader {
  readonly name: string;
  readonly reader: Reader;
  /** True if the field may be absent; the library then writes its default. */
  readonly isOptional: boolean;
}

export interface RecordReader extends Reader {
  readonly fields: readonly FieldReader[];
}

/** @param fields filled in later if a record contains itself */
export function recordReader(fields: readonly FieldReader[]): RecordReader {
  return {
    kinds: ["object"],
    fields,
    read(value, problem) {
      if (!isPlainObject(value)) return refuse(problem, "type", "must be object");
      const record: Record<string, unknown> = {};
      let known = 0;
      for (const { name, reader, isOptional } of fields) {
        const given = ownValue(value, name);
        if (given === undefined) {
          if (!isOptional)
            return refuse(problem, "required", `must have required property '${name}'`);
          record[name] = undefined;
          continue;
        }
        const read = reader.read(given, problem);
        if (read === undefined) return within(name, problem);
        record[name] = read;
        known += 1;
      }
      return countGiven(value) === known ? record : refuseOthers(value, fields, problem);
    },
  };
}

/** Reports the first property that is not a field. */
function refuseOthers(
  value: PlainObject,
  fields: readonly FieldReader[],
  problem: ReadProblem,
): undefined {
  const isField = (name: string) => fields.some((each) => each.name === name);
  const other = Object.keys(value).find((name) => value[name] !== undefined && !isField(name));
  return refuse(problem, "additionalProperties", `must not have the property '${other}'`);
}

function ownValue(object: PlainObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Adds a step to the path of the problem. */
function within(step: string | number, problem: ReadProblem): undefined {
  problem.steps.push(step);
  return undefined;
}

/**
 * Returns whether an object may be a value of the record, judged by its property names and its
 * scalar values. Looking deeper could take exponential time for a deeply nested message.
 */
function looksLike(value: PlainObject, { fields }: RecordReader, problem: ReadProblem): boolean {
  let known = 0;
  for (const { name, reader, isOptional } of fields) {
    const given = ownValue(value, name);
    if (given !== undefined ? !mayBe(given, reader, problem) : !isOptional) return false;
    if (given !== undefined) known += 1;
  }
  return countGiven(value) === known;
}

function countGiven(value: PlainObject): number {
  let count = 0;
  for (const name of Object.keys(value)) if (value[name] !== undefined) count += 1;
  return count;
}

/**
 * Returns whether a value may fit: an object or array by its kind alone, any other value exactly.
 */
function mayBe(value: unknown, reader: Reader, problem: ReadProblem): boolean {
  const kind = kindOf(value);
  if (kind === "object" || kind === "array") return reader.kinds.includes(kind);
  return reader.read(value, problem) !== undefined;
}

export interface BranchReader {
  readonly reader: Reader | RecordReader | MapReader;
  /** Marks a value with its branch, for the library. */
  readonly wrap: (value: unknown) => unknown;
}

/** Uses the first branch that the value fits. */
export function unionReader(branches: readonly BranchReader[]): Reader {
  const byKind = new Map<JsonKind, readonly BranchReader[]>();
  for (const branch of branches) {
    for (const kind of branch.reader.kinds) byKind.set(kind, [...(byKind.get(kind) ?? []), branch]);
  }
  // Beside a text branch, a `long` must be a number, because quoted digits count as text.
  const texts = byKind.get("string")?.filter(({ reader }) => !reader.kinds.includes("number"));
  if (texts !== undefined && texts.length > 0) byKind.set("string", texts);
  const kinds = [...byKind.keys()];
  return {
    kinds,
    read(value, problem) {
      const kind = kindOf(value);
      const candidates = kind === undefined ? undefined : byKind.get(kind);
      if (candidates === undefined) return refuse(problem, "type", `must be ${kinds.join(" or ")}`);
      return candidates.length === 1 || !isPlainObject(value)
        ? firstOf(candidates, value, problem)
        : firstOf(
            candidates.filter((each) => mayTake(each, value, problem)),
            value,
            problem,
          );
    },
  };
}

function firstOf(
  candidates: readonly BranchReader[],
  value: unknown,
  problem: ReadProblem,
): unknown {
  if (candidates.length === 0) return refuse(problem, "anyOf", "must match a schema in anyOf");
  for (const { reader, wrap } of candidates) {
    const read = reader.read(value, problem);
    if (read !== undefined) return read === null ? null : wrap(read);
  }
  return undefined;
}

function mayTake({ reader }: BranchReader, value: PlainObject, problem: ReadProblem): boolean {
  if ("fields" in reader) return looksLike(value, reader, problem);
  return (
    !("values" in reader) ||
    Object.values(value).every((each) => mayBe(each, reader.values, problem))
  );
}

/**
 * Reads null, or an object whose only property is named like the value's branch, as in Avro's own
 * JSON.
 */
export function namedUnionReader(branches: ReadonlyMap<string, BranchReader>): Reader {
  const mayBeNull = branches.has("null");
  const names = [...branches.keys()].filter((name) => name !== "null");
  const message = `must be an object that names one of ${names.join(", ")}`;
  return {
    kinds: mayBeNull ? ["null", "object"] : ["object"],
    read(value, problem) {
      if (value === null && mayBeNull) return null;
      if (!isPlainObject(value)) return refuse(problem, "type", message);
      const [given, ...others] = Object.entries(value).filter(([, each]) => each !== undefined);
      const [name, inner] = given ?? [""];
      const branch = name === "null" ? undefined : branches.get(name);
      if (branch === undefined || others.length > 0) return refuse(problem, "anyOf", message);
      const read = branch.reader.read(inner, problem);
      return read === undefined ? within(name, problem) : branch.wrap(read);
    },
  };
}

export function arrayReader(items: Reader): Reader {
  return {
    kinds: ["array"],
    read(value, problem) {
      if (!Array.isArray(value)) return refuse(problem, "type", "must be array");
      const list: unknown[] = [];
      for (let index = 0; index < value.length; index += 1) {
        const read = items.read(value[index], problem);
        if (read === undefined) return within(index, problem);
        list.push(read);
      }
      return list;
    },
  };
}

export interface MapReader extends Reader {
  readonly values: Reader;
}

export function mapReader(values: Reader): MapReader {
  return {
    kinds: ["object"],
    values,
    read(value, problem) {
      if (!isPlainObject(value)) return refuse(problem, "type", "must be object");
      // Without a prototype, `__proto__` is a key like any other.
      const map = Object.create(null) as Record<string, unknown>;
      for (const [key, each] of Object.entries(value)) {
        if (each === undefined) continue;
        if (!key.isWellFormed())
          return refuse(problem, "text", "must have keys of well-formed Unicode");
        const read = values.read(each, problem);
        if (read === undefined) return within(key, problem);
        map[key] = read;
      }
      return map;
    },
  };
}

/** Returns the reader for a type whose values the library takes unchanged. */
export function plainReader(name: string): Reader | undefined {
  return Object.hasOwn(readers, name) ? readers[name] : undefined;
}

const largestFloat = 3.4028234663852886e38;

const readers: { readonly [name: string]: Reader } = {
  null: {
    kinds: ["null"],
    read: (value, problem) => (value === null ? null : refuse(problem, "type", "must be null")),
  },
  boolean: {
    kinds: ["boolean"],
    read: (value, problem) =>
      typeof value === "boolean" ? value : refuse(problem, "type", "must be boolean"),
  },
  int: numberReader(
    (value) => (value | 0) === value,
    "must be a whole number from -2147483648 to 2147483647",
  ),
  float: numberReader(
    (value) => Math.abs(value) <= largestFloat,
    "must be a number that 32 bits can hold",
  ),
  double: numberReader(Number.isFinite, "must be a finite number"),
  long: { kinds: ["number", "string"], read: readLong },
  string: { kinds: ["string"], read: readText },
  bytes: textReader(readBase64, "must be base64"),
};

function numberReader(isFit: (value: number) => boolean, message: string): Reader {
  return {
    kinds: ["number"],
    read: (value, problem) =>
      typeof value === "number" && isFit(value) ? value : refuse(problem, "type", message),
  };
}

/**
 * Makes a reader for values that JSON writes as text.
 *
 * @param parse returns undefined for an invalid text
 */
export function textReader(parse: (text: string) => unknown, message: string): Reader {
  return {
    kinds: ["string"],
    read(value, problem) {
      const parsed = typeof value === "string" ? parse(value) : undefined;
      return parsed === undefined ? refuse(problem, "format", message) : parsed;
    },
  };
}

const smallestLong = -(2n ** 63n);
const largestLong = 2n ** 63n - 1n;
/** Longer texts are out of range, and slow to parse. */
const longText = /^(?:0|-?[1-9]\d{0,18})$/;

function readLong(value: unknown, problem: ReadProblem): number | bigint | undefined {
  if (typeof value === "number" && Number.isSafeInteger(value)) return value;
  const long = typeof value === "string" && longText.test(value) ? BigInt(value) : undefined;
  if (long !== undefined && long >= smallestLong && long <= largestLong) return long;
  return refuse(
    problem,
    "type",
    "must be a whole number that is exact in JSON, or the digits of a 64-bit number",
  );
}

function readText(value: unknown, problem: ReadProblem): string | undefined {
  if (typeof value === "string" && value.isWellFormed()) return value;
  return refuse(problem, "text", "must be text of well-formed Unicode");
}

/** Returns undefined unless the text is the canonical base64 of its bytes. */
export function readBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, "base64");
  return bytes.toString("base64") === text ? bytes : undefined;
}
