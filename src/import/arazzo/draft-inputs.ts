/** Makes the parameters of a plan from the inputs of a workflow. */
import { isJsonObject, type JsonSchema, type JsonValue, setOwn } from "../../core/json.js";
import { quote } from "../../core/names.js";
import type { Part } from "../openapi/read/document.js";
import { stepsOfPointer } from "../openapi/read/document.js";
import { entriesIn, itemsIn, under } from "../openapi/read/parts.js";
import type { Told } from "./plan-parts.js";

/** The inputs that a workflow declares. */
export interface Inputs {
  /** Schemas by the names of the inputs. */
  readonly schemas: ReadonlyMap<string, Part>;
  readonly required: ReadonlySet<string>;
}

/** Maximum number of values in the schema of one input, with its references resolved. */
const maxValues = 5000;

/** Reads the properties of an object, and those in its `allOf`. */
export function inputsIn(schema: Part | undefined): Inputs {
  const schemas = new Map<string, Part>();
  const required = new Set<string>();
  const open = schema === undefined ? [] : [schema];
  // A schema may contain itself.
  for (let count = 0; count < 100; count += 1) {
    const next = open.shift();
    const part = next && followed(next);
    if (part === undefined) break;
    for (const [name, each] of entriesIn(under(part, "properties")))
      if (!schemas.has(name)) schemas.set(name, each);
    for (const { value } of itemsIn(under(part, "required")))
      if (typeof value === "string") required.add(value);
    open.push(...itemsIn(under(part, "allOf")));
  }
  return { schemas, required };
}

/** Names of parameters with another meaning in paths of plans. */
const reserved = /^(?:item|state|caller|step_.*|__proto__)$/;

/** Returns the names of the plan's parameters, by the names of the inputs. */
export function inputNames({ schemas }: Inputs): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  for (const input of schemas.keys()) {
    const plain = input.replace(/[^A-Za-z0-9_-]+/g, "_").slice(0, 60) || "input";
    const stem = reserved.test(plain) || /^[^A-Za-z_]/.test(plain) ? `input_${plain}` : plain;
    let name = stem;
    for (let count = 2; taken.has(name); count += 1) name = `${stem}_${count}`;
    taken.add(name);
    names.set(input, name);
  }
  return names;
}

/** Returns the schema of an input, with its references resolved. */
export function inputSchema(part: Part, told: Told): JsonSchema {
  const counter = { left: maxValues };
  const schema = inlined(part, [], counter);
  if (counter.left > 0 && schema !== undefined && !hasCycle(schema)) return schema;
  told(
    "import/part-left-out",
    part.at,
    "the plan takes any value for this input: its schema refers to itself, leads to nothing, or is too large",
  );
  return {};
}

/** Stands for a reference that can't be resolved. */
const unresolved = "x-unresolved";

function hasCycle(schema: JsonSchema): boolean {
  return JSON.stringify(schema).includes(`"${unresolved}":true`);
}

function inlined(part: Part, around: readonly string[], counter: { left: number }): JsonSchema {
  const value = inlinedValue(part, around, counter);
  return isJsonObject(value) || typeof value === "boolean" ? value : {};
}

function inlinedValue(part: Part, around: readonly string[], counter: { left: number }): JsonValue {
  counter.left -= 1;
  if (counter.left <= 0) return {};
  const { value } = part;
  if (Array.isArray(value)) return itemsIn(part).map((each) => inlinedValue(each, around, counter));
  if (!isJsonObject(value)) return value;
  const reference = under(part, "$ref")?.value;
  const result: Record<string, JsonValue> = {};
  if (typeof reference === "string") {
    const target = around.includes(reference) ? undefined : targetOf(reference, part);
    if (target === undefined) return { [unresolved]: true };
    const inner = inlinedValue(target, [...around, reference], counter);
    if (isJsonObject(inner))
      for (const [key, each] of Object.entries(inner)) setOwn(result, key, each);
  }
  for (const [key, each] of entriesIn(part))
    if (key !== "$ref") setOwn(result, key, inlinedValue(each, around, counter));
  return result;
}

/** Follows references within the document. */
function followed(part: Part): Part | undefined {
  let at: Part | undefined = part;
  for (let count = 0; count < 50 && at !== undefined; count += 1) {
    const reference: JsonValue | undefined = under(at, "$ref")?.value;
    if (typeof reference !== "string") return at;
    at = targetOf(reference, at);
  }
  return undefined;
}

function targetOf(reference: string, { at }: Part): Part | undefined {
  if (!reference.startsWith("#/")) return undefined;
  const { document } = at;
  let part: Part | undefined = { value: document.value, at: { document, pointer: "" } };
  for (const step of stepsOfPointer(reference.slice(1))) {
    const found: Part | undefined = part && under(part, step);
    part = found ?? (part && /^\d+$/.test(step) ? itemsIn(part)[Number(step)] : undefined);
  }
  return part;
}

/** Reports the inputs whose parameters have other names. */
export function tellNames(names: ReadonlyMap<string, string>, at: Part["at"], told: Told): void {
  for (const [input, name] of names)
    if (input !== name)
      told(
        "import/taken-otherwise",
        at,
        `the input ${quote(input)} is the parameter ${quote(name)}`,
      );
}
