/**
 * Asks a validator that the compiler generated with Ajv, and turns its errors into problems with a
 * place and a sentence (`problem-message.ts`). The other files are what validators call: `ajv.ts`
 * (Ajv's own helpers), `formats.ts`, `multiple-of.ts`, `pattern.ts`.
 */
import type { SchemaProblem } from "../errors.js";
import { pointerStep, stepsOf } from "../json/pointer.js";
import { messageOf } from "./problem-message.js";

/**
 * Ajv's standalone form: true when the value fits; what doesn't fit is left in `errors`. Never
 * changes the value.
 */
export interface Validator<Value = unknown> {
  (value: unknown): value is Value;
  errors?: readonly AjvError[] | null;
}

/** A hostile value can break a rule a million times; this many are told. */
const maxProblems = 100;

const none: readonly [] = [];

/** What is wrong with the value; empty when it fits. */
export function problemsOf(validator: Validator, value: unknown): readonly SchemaProblem[] {
  const errors = errorsOf(validator, value);
  if (errors === "too deep") return [tooDeep];
  if (errors === none) return none;
  return errors.slice(0, maxProblems).map((each) => asProblem(each, value));
}

/** The one problem to tell; undefined when the value fits. */
export function foremostProblem(validator: Validator, value: unknown): SchemaProblem | undefined {
  const errors = errorsOf(validator, value);
  if (errors === "too deep") return tooDeep;
  if (errors === none) return undefined;
  const error = foremostError(errors.slice(0, maxProblems));
  return error && asProblem(error, value);
}

function errorsOf(validator: Validator, value: unknown): readonly AjvError[] | "too deep" {
  try {
    return validator(value) ? none : (validator.errors ?? none);
  } catch (error) {
    if (error instanceof RangeError) return "too deep";
    throw error;
  }
}

/**
 * The pointers of properties that the value's schema doesn't know, all of them; undefined when the
 * validator can't look at the value.
 */
export function unknownProperties(
  validator: Validator,
  value: unknown,
): ReadonlySet<string> | undefined {
  const errors = errorsOf(validator, value);
  if (errors === "too deep") return undefined;
  return new Set(
    errors.flatMap(({ instancePath, params }) => {
      const name = params?.["additionalProperty"] ?? params?.["unevaluatedProperty"];
      return typeof name === "string" ? [instancePath + pointerStep(name)] : [];
    }),
  );
}

/** Problems that a message tells; all of them are in the error's own list. */
const maxInMessage = 5;
/**
 * Characters of a place that a message tells: names of unknown properties are the caller's, of any
 * length.
 */
const longestPlace = 200;

/**
 * The problems as part of a message: `/lines/0/sku is missing; /note must be a string, not null`.
 */
export function tellProblems(problems: readonly SchemaProblem[]): string {
  const sentences = problems
    .slice(0, maxInMessage)
    .map(
      ({ message, pointer }) => `${pointer === "" ? "the value" : shownPlace(pointer)} ${message}`,
    );
  const more = problems.length - sentences.length;
  return more > 0 ? `${sentences.join("; ")}; and ${more} more` : sentences.join("; ");
}

/** A pointer as part of a message. */
export function shownPlace(pointer: string): string {
  return pointer.length > longestPlace ? `${pointer.slice(0, longestPlace)}…` : pointer;
}

/**
 * Validators follow recursive schemas by recursion: a value of a hundred thousand levels runs out
 * of stack.
 */
const tooDeep: SchemaProblem = {
  pointer: "",
  keyword: "depth",
  message: "is nested too deeply",
};

/** A missing or unknown property is reported at its own pointer, not at its parent's. */
function asProblem(error: AjvError, root: unknown): SchemaProblem {
  const { instancePath, keyword, params, propertyName } = error;
  const name =
    params?.["missingProperty"] ??
    params?.["additionalProperty"] ??
    params?.["unevaluatedProperty"];
  const message = error.message ?? messageOf(error, propertyName ?? valueAt(root, instancePath));
  return {
    pointer: typeof name === "string" ? instancePath + pointerStep(name) : instancePath,
    keyword,
    message: propertyName === undefined ? message : `has a property whose name ${message}`,
  };
}

function valueAt(root: unknown, pointer: string): unknown {
  return stepsOf(pointer).reduce<unknown>((at, name) => {
    // Whatever has properties can be read by name; everything else has none of its own.
    return Object.hasOwn(Object(at) as object, name)
      ? (at as Record<string, unknown>)[name]
      : undefined;
  }, root);
}

/**
 * The error to tell when only one is told. Of a union that a value fits no form of, Ajv reports
 * every form, one after another: what counts is what keeps the value from a form of its own type,
 * and only without such a form that there is none.
 */
function foremostError(errors: readonly AjvError[]): AjvError | undefined {
  const [first] = errors;
  const unionIndex = errors.findLastIndex(
    (each, index) => isUnion(each) && errors.slice(0, index).every((other) => isAt(each, other)),
  );
  const union = errors[unionIndex];
  if (union === undefined || unionIndex === 0) return first;
  const ofForms = errors.slice(0, unionIndex);
  const relevant = ofForms.filter((each) => !isOfOtherForm(each, union));
  return relevant.length > 0 ? foremostError(relevant) : (otherType(ofForms) ?? union);
}

/** Whether a value fits none, or too many, of the forms that are allowed. */
export function isUnion({ keyword }: AjvError): boolean {
  return keyword === "anyOf" || keyword === "oneOf";
}

/** Whether an error is at the place of another, or below. */
function isAt({ instancePath: place }: AjvError, { instancePath }: AjvError): boolean {
  return instancePath === place || instancePath.startsWith(`${place}/`);
}

/**
 * Of a form that the value was not meant to have: another type, or one that was ruled out at once.
 */
function isOfOtherForm({ instancePath, keyword }: AjvError, union: AjvError): boolean {
  const rulesOut = ["type", "const", "if", "false schema"].includes(keyword);
  return rulesOut && instancePath === union.instancePath;
}

/** That a value is of none of the forms' types. */
function otherType(errors: readonly AjvError[]): AjvError | undefined {
  const [first] = errors;
  if (first === undefined || errors.some(({ keyword }) => keyword !== "type")) return undefined;
  const types = errors.flatMap(({ params }) => params?.["type"] ?? []);
  return { ...first, params: { type: [...new Set(types)] } };
}

/** The part of Ajv's error object that the runtime reads. */
export interface AjvError {
  readonly instancePath: string;
  readonly keyword: string;
  /** Generated validators leave it out: the runtime words what `keyword` and `params` say. */
  readonly message?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  /** Set when the error is that of a property's name: then the path is the object's. */
  readonly propertyName?: string;
}
