import type { SchemaProblem } from "./errors.js";

/** Ajv's standalone form: true when the value fits; what doesn't fit is left in `errors`. Never changes the value. */
export interface Validator<Value = unknown> {
  (value: unknown): value is Value;
  errors?: readonly AjvError[] | null;
}

/** The part of Ajv's error object that the runtime reads. */
export interface AjvError {
  readonly instancePath: string;
  readonly keyword: string;
  readonly message?: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** A hostile value can break a rule a million times; this many are told. */
const mostProblems = 100;

/** What is wrong with the value; empty when it fits. */
export function problemsOf(validator: Validator, value: unknown): readonly SchemaProblem[] {
  if (validator(value)) return [];
  return (validator.errors ?? []).slice(0, mostProblems).map(asProblem);
}

/** A missing or unknown property is reported at its own pointer, not at its parent's. */
function asProblem(error: AjvError): SchemaProblem {
  const name = error.params?.["missingProperty"] ?? error.params?.["additionalProperty"];
  return {
    pointer:
      typeof name === "string"
        ? `${error.instancePath}/${escapePointer(name)}`
        : error.instancePath,
    keyword: error.keyword,
    message: error.message ?? `fails \`${error.keyword}\``,
  };
}

function escapePointer(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}
