/**
 * Checks a value against a schema by walking the schema, with the same result as a generated
 * validator, but without Ajv and in counted steps. Also lists the values of a schema that has few,
 * and builds the schema of one value.
 */
import {
  getOwn,
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
  setOwn,
} from "../../core/json.js";
import { equalItems, sharedText } from "@skillc/runtime/internal/equal";
import { isMultipleOf } from "@skillc/runtime/v1/validation";
import { hasFormat } from "../formats.js";
import { annotations, isExtension } from "../keywords.js";
import { patternTest } from "../pattern/matcher.js";
import {
  asSchema,
  schemaMapUnder,
  schemasUnder,
  schemaUnder,
  targetOf,
  textsUnder,
} from "../schema-tree.js";
import { branchesOf, listedIn } from "./normal-form.js";
import { type Branch, inSteps, type SchemaIn, type Source, sourceOf, spend } from "./source.js";

/** Reason why a schema rejects a value. */
export interface Rejection {
  /** The keyword that fails: the last one about the whole value, or else one about a part. */
  readonly keyword: string;
  /** True if the value fits several forms of a `oneOf`. */
  readonly fitsSeveral: boolean;
}

/** Checks if the schema accepts the value. */
export function accepts(schema: JsonSchema, value: JsonValue, source: Source): boolean {
  return refusalOf(schema, value, source) === undefined;
}

/**
 * Returns a check for values of one schema, with a step limit of its own for each value. Accepts a
 * value if the steps run out.
 */
export function acceptor({ schema, root }: SchemaIn): (value: JsonValue) => boolean {
  return (value) => inSteps(() => accepts(schema, value, sourceOf(root)), true);
}

/** Reason why the schema rejects the value; undefined if it accepts the value. */
export function refusalOf(
  schema: JsonSchema,
  value: JsonValue,
  source: Source,
): Rejection | undefined {
  const { part, whole } = evaluate(schema, value, { source, isTracked: false, depth: 0 });
  return whole ?? part;
}

interface EvaluationResult {
  /** Reason why the value itself is rejected. `part` is the reason for a part of the value. */
  readonly whole?: Rejection | undefined;
  readonly part?: Rejection | undefined;
  /** Evaluated parts of an object or list. Filled only if an `unevaluated…` keyword needs them. */
  readonly evaluated: Evaluated;
}

interface Evaluated {
  /** Names of properties, or indices of items. */
  readonly parts: ReadonlySet<string | number>;
}

interface Walk {
  readonly source: Source;
  readonly isTracked: boolean;
  readonly depth: number;
}

const nothing: Evaluated = { parts: new Set() };

/** Maximum depth of nested values and of schemas for the same value. */
const deepest = 500;

function evaluate(schema: JsonSchema, value: JsonValue, before: Walk): EvaluationResult {
  spend(before.source, before.depth > deepest ? Infinity : 1);
  if (typeof schema === "boolean") {
    const whole = schema ? undefined : { keyword: "false schema", fitsSeveral: false };
    return { whole, evaluated: nothing };
  }
  const asks = schema["unevaluatedProperties"] ?? schema["unevaluatedItems"];
  const walk: Walk = {
    source: before.source,
    isTracked: before.isTracked || asks !== undefined,
    depth: before.depth + 1,
  };
  return new Evaluation(schema, value, walk).run();
}

function isRefused({ part, whole }: Omit<EvaluationResult, "evaluated">): boolean {
  return whole !== undefined || part !== undefined;
}

/** Checks one value against one schema, in the order in which validators report keywords. */
class Evaluation {
  readonly #schema: JsonObject;
  readonly #value: JsonValue;
  readonly #walk: Walk;
  readonly #parts = new Set<string | number>();
  #whole: Rejection | undefined;
  #part: Rejection | undefined;

  constructor(schema: JsonObject, value: JsonValue, walk: Walk) {
    this.#schema = schema;
    this.#value = value;
    this.#walk = walk;
  }

  run(): EvaluationResult {
    this.#type();
    if (typeof this.#value === "number") this.#number(this.#value);
    if (typeof this.#value === "string") this.#text(this.#value);
    this.#format();
    this.#reference();
    this.#listed();
    this.#combined();
    if (Array.isArray(this.#value)) this.#list(this.#value);
    else if (isJsonObject(this.#value)) this.#object(this.#value);
    const found = { whole: this.#whole, part: this.#part };
    // Evaluated parts count only if the schema accepts the value.
    return { ...found, evaluated: isRefused(found) ? nothing : { parts: this.#parts } };
  }

  #fail(keyword: string, fitsSeveral = false): void {
    this.#whole = { keyword, fitsSeveral };
  }

  #unless(isKept: boolean, keyword: string): void {
    if (!isKept) this.#fail(keyword);
  }

  /** Checks the number under a keyword, if there is one. */
  #limit(keyword: string, isKept: (limit: number) => boolean): void {
    const limit = this.#schema[keyword];
    if (typeof limit === "number") this.#unless(isKept(limit), keyword);
  }

  /** Applies another schema to the same value, and adopts its rejection. */
  #here(schema: JsonSchema): EvaluationResult {
    return evaluate(schema, this.#value, this.#walk);
  }

  #mustBe(found: EvaluationResult): void {
    this.#whole = found.whole ?? this.#whole;
    this.#part = found.part ?? this.#part;
    this.#look(found);
  }

  #look({ evaluated }: EvaluationResult): void {
    if (this.#walk.isTracked) for (const part of evaluated.parts) this.#parts.add(part);
  }

  /** Checks a part of the value against its schema. */
  #inside(schema: JsonSchema, value: JsonValue, step: string | number): void {
    if (this.#walk.isTracked) this.#parts.add(step);
    const { part, whole } = evaluate(schema, value, { ...this.#walk, isTracked: false });
    this.#part = whole ?? part ?? this.#part;
  }

  #fits(schema: JsonSchema, value: JsonValue): boolean {
    return !isRefused(evaluate(schema, value, { ...this.#walk, isTracked: false }));
  }

  #type(): void {
    const { type } = this.#schema;
    if (type === undefined) return;
    const types = typeof type === "string" ? [type] : textsUnder(this.#schema, "type");
    this.#unless(
      types.some((each) => isOfType(this.#value, each)),
      "type",
    );
  }

  #number(value: number): void {
    this.#limit("maximum", (limit) => value <= limit);
    this.#limit("minimum", (limit) => value >= limit);
    this.#limit("exclusiveMaximum", (limit) => value < limit);
    this.#limit("exclusiveMinimum", (limit) => value > limit);
    this.#limit("multipleOf", (step) => isMultipleOf(value, step));
  }

  #text(value: string): void {
    const { pattern } = this.#schema;
    if (this.#schema["minLength"] !== undefined || this.#schema["maxLength"] !== undefined) {
      const { length } = [...value];
      this.#limit("maxLength", (limit) => length <= limit);
      this.#limit("minLength", (limit) => length >= limit);
    }
    if (typeof pattern !== "string") return;
    spend(this.#walk.source, value.length);
    this.#unless(patternTest(pattern)(value), "pattern");
  }

  #format(): void {
    const { format } = this.#schema;
    if (typeof format !== "string") return;
    if (typeof this.#value === "string") spend(this.#walk.source, this.#value.length);
    this.#unless(hasFormat(this.#value, format), "format");
  }

  #reference(): void {
    const { $ref } = this.#schema;
    if (typeof $ref !== "string") return;
    this.#mustBe(this.#here(targetOf(this.#walk.source.root, $ref).schema));
  }

  #listed(): void {
    const { const: only, enum: values } = this.#schema;
    if (only !== undefined) this.#unless(sharedText(only) === sharedText(this.#value), "const");
    if (Array.isArray(values))
      this.#unless(textsOf(values, this.#walk.source).has(sharedText(this.#value)), "enum");
  }

  #combined(): void {
    const not = schemaUnder(this.#schema, "not");
    if (not !== undefined) this.#unless(isRefused(this.#here(not)), "not");
    this.#union("anyOf", () => true);
    this.#union("oneOf", (fitting) => fitting === 1);
    for (const each of schemasUnder(this.#schema, "allOf")) this.#mustBe(this.#here(each));
    this.#condition();
  }

  #union(keyword: "anyOf" | "oneOf", isRight: (fitting: number) => boolean): void {
    if (this.#schema[keyword] === undefined) return;
    const fitting = schemasUnder(this.#schema, keyword)
      .map((each) => this.#here(each))
      .filter((each) => !isRefused(each));
    for (const each of fitting) this.#look(each);
    if (fitting.length === 0 || !isRight(fitting.length)) this.#fail(keyword, fitting.length > 1);
  }

  #condition(): void {
    const condition = schemaUnder(this.#schema, "if");
    if (condition === undefined) return;
    const found = this.#here(condition);
    this.#look(found);
    const follows = schemaUnder(this.#schema, isRefused(found) ? "else" : "then");
    const after = this.#here(follows ?? true);
    this.#mustBe(after);
    if (isRefused(after)) this.#fail("if");
  }

  #list(items: readonly JsonValue[]): void {
    this.#limit("maxItems", (limit) => items.length <= limit);
    this.#limit("minItems", (limit) => items.length >= limit);
    if (this.#schema["uniqueItems"] === true) {
      spend(this.#walk.source, items.length);
      this.#unless(equalItems(items) === undefined, "uniqueItems");
    }
    const prefix = schemasUnder(this.#schema, "prefixItems");
    const rest = schemaUnder(this.#schema, "items");
    for (const [index, item] of items.entries()) {
      const schema = prefix[index] ?? rest;
      if (schema === false && index >= prefix.length) this.#fail("items");
      else if (schema !== undefined) this.#inside(schema, item, index);
    }
    this.#contains(items);
    const left = schemaUnder(this.#schema, "unevaluatedItems");
    if (left === undefined) return;
    for (const [index, item] of items.entries()) {
      if (this.#parts.has(index)) continue;
      if (left === false) this.#fail("unevaluatedItems");
      else this.#inside(left, item, index);
    }
  }

  #contains(items: readonly JsonValue[]): void {
    const schema = schemaUnder(this.#schema, "contains");
    if (schema === undefined) return;
    const { maxContains = Infinity, minContains = 1 } = this.#schema;
    const found = items.flatMap((item, index) => (this.#fits(schema, item) ? [index] : []));
    if (this.#walk.isTracked) for (const index of found) this.#parts.add(index);
    const isRight = found.length >= Number(minContains) && found.length <= Number(maxContains);
    this.#unless(isRight, "contains");
  }

  #object(object: JsonObject): void {
    const names = Object.keys(object);
    this.#limit("maxProperties", (limit) => names.length <= limit);
    this.#limit("minProperties", (limit) => names.length >= limit);
    const has = (name: string) => Object.hasOwn(object, name);
    this.#unless(textsUnder(this.#schema, "required").every(has), "required");
    this.#dependent(has);
    const nameSchema = schemaUnder(this.#schema, "propertyNames");
    if (nameSchema !== undefined)
      this.#unless(
        names.every((name) => this.#fits(nameSchema, name)),
        "propertyNames",
      );
    const left = schemaUnder(this.#schema, "unevaluatedProperties");
    for (const name of names) this.#property(name, getOwn(object, name) ?? null);
    if (left === undefined) return;
    for (const name of names) {
      if (this.#parts.has(name)) continue;
      if (left === false) this.#fail("unevaluatedProperties");
      else this.#inside(left, getOwn(object, name) ?? null, name);
    }
  }

  #property(name: string, value: JsonValue): void {
    const { properties } = this.#schema;
    const own = isJsonObject(properties) ? getOwn(properties, name) : undefined;
    const alike = schemaMapUnder(this.#schema, "patternProperties").filter(([pattern]) =>
      patternTest(pattern)(name),
    );
    if (own !== undefined) this.#inside(asSchema(own), value, name);
    for (const [, schema] of alike) this.#inside(schema, value, name);
    const rest = schemaUnder(this.#schema, "additionalProperties");
    if (own !== undefined || alike.length > 0 || rest === undefined) return;
    if (rest === false) this.#fail("additionalProperties");
    else this.#inside(rest, value, name);
  }

  #dependent(has: (name: string) => boolean): void {
    const { dependentRequired } = this.#schema;
    for (const name of isJsonObject(dependentRequired) ? Object.keys(dependentRequired) : []) {
      // The metaschema allows only lists of names here.
      const others = textsUnder(dependentRequired as JsonObject, name);
      if (has(name)) this.#unless(others.every(has), "dependentRequired");
    }
    for (const [name, schema] of schemaMapUnder(this.#schema, "dependentSchemas"))
      if (has(name)) this.#mustBe(this.#here(schema));
  }
}

function isOfType(value: JsonValue, type: string): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return isJsonObject(value);
    case "integer":
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

/** The values of an `enum`, each as the text that equal values share. */
function textsOf(values: readonly JsonValue[], source: Source): ReadonlySet<string> {
  const known = source.texts.get(values);
  if (known !== undefined) return known;
  spend(source, values.length);
  const texts = new Set(values.map(sharedText));
  source.texts.set(values, texts);
  return texts;
}

/**
 * Maximum number of values that several parts may multiply to. Values that a schema lists itself
 * have no limit.
 */
const maxValues = 64;

/** Maximum number of parts, and their maximum depth: a recursive schema never ends. */
const maxParts = 5000;
const deepestPart = 100;

type Values = readonly JsonValue[];

/**
 * Lists all values of a schema that states them, whole or part by part. Undefined if there are
 * many, or if they are unknown.
 */
export function fewValues(schema: JsonSchema, source: Source): Values | undefined {
  let left = maxParts;
  const at =
    (depth: number) =>
    (each: JsonSchema): Values | undefined => {
      left -= 1;
      if (left < 0 || depth > deepestPart) return undefined;
      const branches = branchesOf(each, source) ?? [true];
      return joined(branches.map((branch) => valuesOfBranch(branch, at(depth + 1))));
    };
  return at(0)(schema);
}

type Go = (schema: JsonSchema) => Values | undefined;

function joined(parts: readonly (Values | undefined)[]): Values | undefined {
  const known = parts.filter((each) => each !== undefined);
  const all = known.flat();
  return known.length === parts.length ? all : undefined;
}

function valuesOfBranch(form: Branch, go: Go): Values | undefined {
  const listed = listedIn(form);
  if (listed !== undefined || form === true) return listed;
  if (form["type"] === "array") return valuesOfList(form, go);
  return form["type"] === "object" ? valuesOfObject(form, go) : undefined;
}

/** Keywords that leave only a known list of values. */
const countedOn = new Set(
  "type prefixItems items minItems maxItems properties required additionalProperties".split(" "),
);

/** Checks that the form has no other keywords, whose effect on the values is unknown. */
function isCountedOn(form: JsonObject): boolean {
  return Object.keys(form).every(
    (name) => countedOn.has(name) || annotations.has(name) || isExtension(name),
  );
}

function valuesOfList(form: JsonObject, go: Go): Values | undefined {
  const items = schemasUnder(form, "prefixItems");
  if (form["items"] !== false || form["minItems"] !== items.length || !isCountedOn(form))
    return undefined;
  let lists: readonly Values[] = [[]];
  for (const item of items) {
    const values = go(item);
    if (values === undefined || lists.length * values.length > maxValues) return undefined;
    lists = lists.flatMap((list) => values.map((value) => [...list, value]));
  }
  return lists;
}

function valuesOfObject(form: JsonObject, go: Go): Values | undefined {
  if (form["additionalProperties"] !== false || !isCountedOn(form)) return undefined;
  const required = new Set(textsUnder(form, "required"));
  let objects: readonly JsonObject[] = [{}];
  for (const [name, schema] of schemaMapUnder(form, "properties")) {
    const values = go(schema);
    if (values === undefined) return undefined;
    const more = objects.flatMap((each) => values.map((value) => having(each, name, value)));
    objects = required.has(name) ? more : [...objects, ...more];
    if (objects.length > maxValues) return undefined;
  }
  return objects;
}

function having(object: JsonObject, name: string, value: JsonValue): JsonObject {
  const more = { ...object };
  setOwn<JsonValue>(more, name, value);
  return more;
}

/** The schema of exactly one value. `leaf` makes the schemas of scalars. */
export function exactSchema(
  value: JsonValue,
  leaf: (scalar: JsonValue) => JsonObject = (scalar) => ({ const: scalar }),
): JsonObject {
  const go = (each: JsonValue) => exactSchema(each, leaf);
  if (Array.isArray(value)) return exactList(value.map(go));
  if (!isJsonObject(value)) return leaf(value);
  const entries = Object.entries(value).map(([name, each]) => [name, go(each)] as const);
  return exactObject(entries, Object.keys(value));
}

/** Schema of a list with exactly these items. */
export function exactList(items: readonly JsonSchema[]): JsonObject {
  const { length } = items;
  return {
    type: "array",
    ...(length > 0 && { prefixItems: items }),
    items: false,
    minItems: length,
    maxItems: length,
  };
}

/** Schema of an object without additional properties. */
export function exactObject(
  entries: readonly (readonly [name: string, schema: JsonSchema])[],
  required: readonly string[],
): JsonObject {
  const properties: Record<string, JsonValue> = {};
  for (const [name, schema] of entries) setOwn(properties, name, schema);
  return { type: "object", properties, required, additionalProperties: false };
}
