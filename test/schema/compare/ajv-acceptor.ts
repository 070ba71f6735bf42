import {
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
} from "../../../src/core/json.js";
import { createAjv } from "../../../src/schema/ajv-instance.js";
import { usesUnevaluated } from "../../../src/schema/evaluated-keywords.js";
import { validatorSchema } from "../../../src/schema/validator-schema.js";

/**
 * Returns a function that asks Ajv, with the settings of generated validators, if it accepts a
 * value. Tests compare the schema comparison with these answers.
 */
export function ajvAcceptor(document: JsonSchema): (value: JsonValue) => boolean {
  const marks = usesUnevaluated(document);
  const ajv = createAjv(marks);
  const schema = validatorSchema(document, "stated", marks);
  const compiled: JsonObject = isJsonObject(schema) ? schema : schema ? {} : { not: {} };
  ajv.addSchema(compiled, "document");
  const validate = ajv.getSchema("document");
  return (value) => validate?.(value) === true;
}
