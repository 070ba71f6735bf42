/**
 * Runs validators that the compiler generated with Ajv, and turns their errors into problems with a
 * pointer and a message (`problem-message.ts`). The other files are helpers of validators: `ajv.ts`
 * (Ajv's own helpers), `formats.ts`, `multiple-of.ts`, `pattern.ts`.
 */
import type { SchemaProblem } from "../errors.js";
import { pointerStep, stepsOf } from "../json/pointer.js";
import { messageOf } from "./problem-message.js";

/**
 * A validator in Ajv's standalone form. It returns whether a value matches, and leaves the errors
 * in `errors`. It never changes the value.
 */
export interface Validator<Value = unknown> {
  (value: unknown): value is Value;
  /** Errors of the last call; null if the value matched. */
  errors?: readonly AjvError[] | null;
}

/** Maximum number of reported problems. A hostile value could have a million. */
const maxProblems = 100;

const none: readonly [] = [];

/** Returns the problems of a value; empty if it matches. */
export function problemsOf(validator: Validator, value: unknown): readonly SchemaProblem[] {
  const errors = errorsOf(validator, value);
  if (errors === "too deep") return [tooDeep];
  if (errors === none) return none;
  return errors.slice(0, maxProblems).map((each) => asProblem(each, value));
}

/** Returns the most useful problem; undefined if the value matches. */
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
 * Returns the pointers of all undeclared properties; undefined if the value is too deep to
 * validate.
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

/** Maximum number of problems in a message. The error's own list has all of them. */
const maxInMessage = 5;
/**
 * Maximum length of a pointer in a message. Names of unknown properties come from the caller and
 * may have any length.
 */
const longestPlace = 200;

/** Describes problems in a message: `/lines/0/sku is missing; /note must be a string, not null`. */
export function tellProblems(problems: readonly SchemaProblem[]): string {
  const sentences = problems
    .slice(0, maxInMessage)
    .map(
      ({ message, pointer }) => `${pointer === "" ? "the value" : shownPlace(pointer)} ${message}`,
    );
  const more = problems.length - sentences.length;
  return more > 0 ? `${sentences.join("; ")}; and ${more} more` : sentences.join("; ");
}

/** Shortens a pointer for a message. */
export function shownPlace(pointer: string): string {
  return pointer.length > longestPlace ? `${pointer.slice(0, longestPlace)}…` : pointer;
}

/**
 * Validators of recursive schemas are recursive, so a value of a hundred thousand levels exhausts
 * the stack.
 */
const tooDeep: SchemaProblem = {
  pointer: "",
  keyword: "depth",
  message: "is nested too deeply",
};

/**
 * Converts an error. A missing or unknown property is reported at its own pointer, not at its
 * parent's.
 */
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
    // Any value with properties can be read by name. Other values have no own properties.
    return Object.hasOwn(Object(at) as object, name)
      ? (at as Record<string, unknown>)[name]
      : undefined;
  }, root);
}

/**
 * Returns the most useful error. If a value matches no form of a union, Ajv reports the errors of
 * all forms. This function prefers the errors of a form with the value's own type, and only if
 * there is none, the error of the union.
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

/** Returns whether a value matches none, or too many, of the allowed forms. */
export function isUnion({ keyword }: AjvError): boolean {
  return keyword === "anyOf" || keyword === "oneOf";
}

/** Returns whether an error is at the place of another one, or below. */
function isAt({ instancePath: place }: AjvError, { instancePath }: AjvError): boolean {
  return instancePath === place || instancePath.startsWith(`${place}/`);
}

/**
 * Returns whether an error belongs to a form that is clearly not meant: another type, or one that
 * was ruled out at once.
 */
function isOfOtherForm({ instancePath, keyword }: AjvError, union: AjvError): boolean {
  const rulesOut = ["type", "const", "if", "false schema"].includes(keyword);
  return rulesOut && instancePath === union.instancePath;
}

/** Merges the errors if the value has none of the forms' types; otherwise undefined. */
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
  /** Generated validators omit it; the runtime makes the message from `keyword` and `params`. */
  readonly message?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  /** Set if the error is about a property's name. The path is then that of the object. */
  readonly propertyName?: string;
}
