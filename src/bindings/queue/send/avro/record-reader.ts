import {
  type Fault,
  isPlainObject,
  kindOf,
  type PlainObject,
  type Reader,
  refuse,
} from "./reader.js";

export interface FieldReader {
  readonly name: string;
  readonly reader: Reader;
  /** Whether the field may be absent: then the library writes its default. */
  readonly isOptional: boolean;
}

export interface RecordReader extends Reader {
  readonly fields: readonly FieldReader[];
}

/** @param fields filled later where a record is within itself */
export function recordReader(fields: readonly FieldReader[]): RecordReader {
  return {
    kinds: ["object"],
    fields,
    read(value, fault) {
      if (!isPlainObject(value)) return refuse(fault, "type", "must be object");
      const record: Record<string, unknown> = {};
      let known = 0;
      for (const { name, reader, isOptional } of fields) {
        const given = ownValue(value, name);
        if (given === undefined) {
          if (!isOptional)
            return refuse(fault, "required", `must have required property '${name}'`);
          record[name] = undefined;
          continue;
        }
        const read = reader.read(given, fault);
        if (read === undefined) return within(name, fault);
        record[name] = read;
        known += 1;
      }
      return countGiven(value) === known ? record : refuseOthers(value, fields, fault);
    },
  };
}

/** Names the first that is no field. */
function refuseOthers(value: PlainObject, fields: readonly FieldReader[], fault: Fault): undefined {
  const isField = (name: string) => fields.some((each) => each.name === name);
  const other = Object.keys(value).find((name) => value[name] !== undefined && !isField(name));
  return refuse(fault, "additionalProperties", `must not have the property '${other}'`);
}

function ownValue(object: PlainObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Adds a step to where the fault is. */
export function within(step: string | number, fault: Fault): undefined {
  fault.steps.push(step);
  return undefined;
}

/**
 * Whether an object may be of the record, by what is seen at once: its names, and the values that hold no others. Looking deeper would take time without end in
 * a deep message.
 */
export function looksLike(value: PlainObject, { fields }: RecordReader, fault: Fault): boolean {
  let known = 0;
  for (const { name, reader, isOptional } of fields) {
    const given = ownValue(value, name);
    if (given !== undefined ? !mayBe(given, reader, fault) : !isOptional) return false;
    if (given !== undefined) known += 1;
  }
  return countGiven(value) === known;
}

function countGiven(value: PlainObject): number {
  let count = 0;
  for (const name of Object.keys(value)) if (value[name] !== undefined) count += 1;
  return count;
}

/** Whether a value is of the kinds that a reader takes and, when it is no object and no array, fits. */
export function mayBe(value: unknown, reader: Reader, fault: Fault): boolean {
  const kind = kindOf(value);
  if (kind === "object" || kind === "array") return reader.kinds.includes(kind);
  return reader.read(value, fault) !== undefined;
}
