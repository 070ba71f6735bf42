/**
 * Checks that generated validators share, so that Ajv's code isn't repeated for each property. Each
 * check takes the errors so far (null for none), and returns them with its own. Checks of a
 * property take its value and name. Inherited and undefined properties count as absent; this is
 * checked only if the value is wrong.
 */
import { pointerStep } from "../json/pointer.js";
import type { Format } from "./formats.js";
import type { AjvError, Validator } from "./validation.js";

type Errors = AjvError[] | null;

/** A validator that is called by another one. It gets the place of the value for its errors. */
type CalledValidator = Validator & ((value: unknown, path: string) => boolean);

const hasOwn = Object.prototype.hasOwnProperty;

/** Returns whether an object has an own property. */
export function own(object: object, name: string): boolean {
  return hasOwn.call(object, name);
}

/** Returns whether a value is an object: not null and not a list. */
export function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Adds one error. */
export function fail(
  errors: Errors,
  instancePath: string,
  keyword: string,
  params: NonNullable<AjvError["params"]>,
  propertyName?: string,
): Errors {
  const error =
    propertyName === undefined
      ? { instancePath, keyword, params }
      : { instancePath, keyword, params, propertyName };
  if (errors === null) return [error];
  errors.push(error);
  return errors;
}

/** Adds the error of a value with a wrong type. */
export function wrongType(errors: Errors, path: string, type: string | readonly string[]): Errors {
  return fail(errors, path, "type", { type });
}

/** Adds the errors of a called validator. */
export function more(errors: Errors, found: Validator["errors"]): Errors {
  // The next call of the validator makes a new list.
  if (errors === null) return (found ?? null) as Errors;
  for (const each of found ?? []) errors.push(each);
  return errors;
}

/** Checks a value with a validator. */
export function call(
  errors: Errors,
  validator: CalledValidator,
  value: unknown,
  path: string,
): Errors {
  return validator(value, path) ? errors : more(errors, validator.errors);
}

/** Checks every item of a list with a validator. */
export function callEach(
  errors: Errors,
  validator: CalledValidator,
  values: readonly unknown[],
  path: string,
): Errors {
  let all = errors;
  const { length } = values;
  for (let index = 0; index < length; index += 1)
    if (!validator(values[index], `${path}/${index}`)) all = more(all, validator.errors);
  return all;
}

/** Checks that all items of a list are text. */
export function strings(errors: Errors, values: readonly unknown[], path: string): Errors {
  let all = errors;
  const { length } = values;
  for (let index = 0; index < length; index += 1)
    if (typeof values[index] !== "string") all = wrongType(all, `${path}/${index}`, "string");
  return all;
}

/**
 * Adds an error for every name whose property is absent.
 *
 * @param values values of the names, because reading them here would be slower
 */
export function required(
  errors: Errors,
  object: object,
  path: string,
  names: readonly string[],
  values: readonly unknown[],
): Errors {
  let all = errors;
  for (let index = 0; index < names.length; index += 1) {
    const missingProperty = names[index] ?? "";
    if (isAbsent(object, missingProperty, values[index]))
      all = fail(all, path, "required", { missingProperty });
  }
  return all;
}

/** Maximum number of names in a message. */
const maxListed = 100;

/** Adds an error for every property that is not among the known names. */
export function unknown(
  errors: Errors,
  object: object,
  path: string,
  names: readonly string[],
): Errors {
  let all = errors;
  const known = names.length > fewNames ? setOf(names) : undefined;
  for (const name of Object.keys(object)) {
    if (known === undefined ? isAmong(names, name) : known.has(name)) continue;
    const params = { additionalProperty: name, known: firstOf(names) };
    all = fail(all, path, "additionalProperties", params);
  }
  return all;
}

/**
 * Copies names, because whoever gets an error may change it. Copying a whole list is faster than
 * slicing.
 */
function firstOf(names: readonly string[]): readonly string[] {
  return names.length > maxListed ? names.slice(0, maxListed) : [...names];
}

/** Does what `includes` does, but comparing names one by one is faster. */
function isAmong(names: readonly string[], name: string): boolean {
  for (const each of names) if (each === name) return true;
  return false;
}

/** Maximum number of names for which a linear search is faster than a set. */
const fewNames = 16;

const sets = new WeakMap<readonly string[], ReadonlySet<string>>();

function setOf(names: readonly string[]): ReadonlySet<string> {
  const set = sets.get(names) ?? new Set(names);
  sets.set(names, set);
  return set;
}

function isAbsent(object: object, name: string, value: unknown): boolean {
  return value === undefined || !hasOwn.call(object, name);
}

/** Returns the pointer of a property. Few names contain characters that a pointer escapes. */
function below(path: string, name: string): string {
  return escaped.test(name) ? path + pointerStep(name) : `${path}/${name}`;
}

const escaped = /[~/]/;

function wrong(
  errors: Errors,
  object: object,
  name: string,
  value: unknown,
  path: string,
  type: string | readonly string[],
): Errors {
  return isAbsent(object, name, value) ? errors : wrongType(errors, below(path, name), type);
}

/** Checks text. */
export function string(e: Errors, object: object, name: string, value: unknown, path: string) {
  return typeof value === "string" ? e : wrong(e, object, name, value, path, "string");
}

/** Checks true or false. */
export function boolean(e: Errors, object: object, name: string, value: unknown, path: string) {
  return typeof value === "boolean" ? e : wrong(e, object, name, value, path, "boolean");
}

/** Checks an integer. */
export function integer(e: Errors, object: object, name: string, value: unknown, path: string) {
  return Number.isInteger(value) ? e : wrong(e, object, name, value, path, "integer");
}

/** Checks a finite number. */
export function number(e: Errors, object: object, name: string, value: unknown, path: string) {
  return Number.isFinite(value) ? e : wrong(e, object, name, value, path, "number");
}

/** Checks text or null. */
export function stringOrNull(
  e: Errors,
  object: object,
  name: string,
  value: unknown,
  path: string,
) {
  return typeof value === "string" || value === null
    ? e
    : wrong(e, object, name, value, path, ["string", "null"]);
}

/** Checks true, false or null. */
export function booleanOrNull(
  e: Errors,
  object: object,
  name: string,
  value: unknown,
  path: string,
) {
  return typeof value === "boolean" || value === null
    ? e
    : wrong(e, object, name, value, path, ["boolean", "null"]);
}

/** Checks an integer or null. */
export function integerOrNull(
  e: Errors,
  object: object,
  name: string,
  value: unknown,
  path: string,
) {
  return Number.isInteger(value) || value === null
    ? e
    : wrong(e, object, name, value, path, ["integer", "null"]);
}

/** Checks a finite number or null. */
export function numberOrNull(
  e: Errors,
  object: object,
  name: string,
  value: unknown,
  path: string,
) {
  return Number.isFinite(value) || value === null
    ? e
    : wrong(e, object, name, value, path, ["number", "null"]);
}

/** Checks text with a format. */
export function format(
  errors: Errors,
  object: object,
  name: string,
  value: unknown,
  path: string,
  of: Format,
): Errors {
  if (typeof value !== "string") return wrong(errors, object, name, value, path, "string");
  if (isOf(value, of) || isAbsent(object, name, value)) return errors;
  return fail(errors, below(path, name), "format", { format: of.name });
}

/** Checks text with a format, or null. */
export function formatOrNull(
  errors: Errors,
  object: object,
  name: string,
  value: unknown,
  path: string,
  of: Format,
): Errors {
  if (value === null) return errors;
  if (typeof value !== "string")
    return wrong(errors, object, name, value, path, ["string", "null"]);
  return format(errors, object, name, value, path, of);
}

function isOf(text: string, { validate }: Format): boolean {
  // Only formats of text are used here.
  return typeof validate === "function" ? validate(text as never) : validate.test(text);
}

/** Checks that the value is one of the listed texts. */
export function listed(
  errors: Errors,
  object: object,
  name: string,
  value: unknown,
  path: string,
  texts: readonly string[],
): Errors {
  if ((texts as readonly unknown[]).includes(value) || isAbsent(object, name, value)) return errors;
  const all = typeof value === "string" ? errors : wrongType(errors, below(path, name), "string");
  return fail(all, below(path, name), "enum", { allowedValues: firstOf(texts) });
}

/** Checks a property with a validator, unless it is absent. */
export function property(
  errors: Errors,
  object: object,
  name: string,
  value: unknown,
  path: string,
  validator: CalledValidator,
): Errors {
  return isAbsent(object, name, value) ? errors : call(errors, validator, value, below(path, name));
}

/** Checks a list with a validator for its items. */
export function list(
  errors: Errors,
  object: object,
  name: string,
  value: unknown,
  path: string,
  validator: CalledValidator,
): Errors {
  if (isAbsent(object, name, value)) return errors;
  return Array.isArray(value)
    ? callEach(errors, validator, value, below(path, name))
    : wrongType(errors, below(path, name), "array");
}

/** The check of one property: 0 for text, a validator, or a list with the validator of its items. */
type Check = 0 | CalledValidator | readonly [CalledValidator];

/** Returns the checks of properties. A function, because modules of validators import in circles. */
type Checks = () => readonly Check[];

const checksOf = new WeakMap<Checks, readonly Check[]>();

/**
 * Checks many properties. This is slower than a call for each of them, but the generated code names
 * each property once.
 *
 * @param names names of the properties, in the order of their checks
 */
export function members(
  errors: Errors,
  object: Readonly<Record<string, unknown>>,
  path: string,
  names: readonly string[],
  checks: Checks,
): Errors {
  let known = checksOf.get(checks);
  if (known === undefined) checksOf.set(checks, (known = checks()));
  let all = errors;
  for (let index = 0; index < names.length; index += 1) {
    const name = names[index] ?? "";
    const check = known[index] ?? 0;
    const value = object[name];
    if (check === 0) all = string(all, object, name, value, path);
    else if (typeof check === "function") all = property(all, object, name, value, path, check);
    else all = list(all, object, name, value, path, check[0]);
  }
  return all;
}
