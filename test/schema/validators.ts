import { ident, printCode } from "../../src/core/code.js";
import type { SchemaModel } from "../../src/core/skill-model.js";
import * as runtime from "../../src/runtime/validation/ajv.js";
import * as pattern from "../../src/runtime/validation/pattern.js";
import type { Validator } from "../../src/runtime/validation/validation.js";
import { emitValidators } from "../../src/schema/emit-validators.js";
import type { SchemaForm } from "../../src/schema/form.js";

/**
 * Loads the generated module of one validator without its types. The module imports the real
 * runtime.
 */
export function validatorOf(schema: SchemaModel, form: SchemaForm = "input"): Validator {
  const text = printCode(
    emitValidators([{ exportName: "validate", schema, form, type: ident("unknown") }]),
  );
  // `exportName` names this export.
  return load(text, "validate") as Validator;
}

/**
 * Runs the text of a generated module, in which types occur in two places only, and returns one
 * export.
 */
export function load(text: string, exportName: string): unknown {
  const script = text
    .replace(
      /^import \{ (.*) \} from "@skillc\/runtime\/v1\/(?:pattern|validation)";$/gm,
      (_, names: string) => {
        const values = names.split(", ").filter((name) => !name.startsWith("type "));
        return `const { ${values.join(", ")} } = runtime;`;
      },
    )
    .replace(/^export const (\w+): Validator<\w+> = /gm, "const $1 = ");
  return new Function("runtime", `${script}\nreturn ${exportName};`)({
    ...runtime,
    ...pattern,
  });
}
