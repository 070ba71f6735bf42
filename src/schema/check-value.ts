import type { JsonValue } from "../core/json.js";
import type { SchemaModel } from "../core/skill-model.js";
import { compiling, createAjv } from "./ajv-instance.js";
import { usesUnevaluated } from "./evaluated-keywords.js";
import type { SchemaForm } from "./form.js";
import { stepsOf } from "./pointer.js";
import { validatorSchema } from "./validator-schema.js";

/** A problem at one place in a value. */
export interface ValueProblem {
  /** Path of the value: property names and indices, outermost first. */
  readonly path: readonly string[];
  /** End of a sentence about the place: `must be integer`. */
  readonly message: string;
}

/**
 * Returns a check for values that people write, with the same rules as the generated validator.
 *
 * @param form side of the values; by default arguments of a call
 */
export function valueChecker(
  model: SchemaModel,
  form: SchemaForm = "input",
): (value: JsonValue) => readonly ValueProblem[] {
  const keepsBook = usesUnevaluated(model.schema);
  const document = validatorSchema(model.schema, form, keepsBook);
  const validate = compiling(() => createAjv(keepsBook).compile(document), model.span);
  return (value) => {
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, keyword, message }) => ({
      path: stepsOf(instancePath) ?? [],
      message: message ?? `fails \`${keyword}\``,
    }));
  };
}
