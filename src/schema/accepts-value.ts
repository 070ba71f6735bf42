import { isJsonObject, type JsonValue } from "../core/json.js";
import { createAjv } from "./ajv-instance.js";
import { usesUnevaluated } from "./evaluated-keywords.js";
import type { SchemaIn } from "./misfit.js";
import { below } from "./pointer.js";
import { timedRegExp } from "./timed-reg-exp.js";

/** Whether values are the schema's, as its validator would say. */
export function acceptor({ schema, root }: SchemaIn): (value: JsonValue) => boolean {
  if (!isJsonObject(schema)) return () => schema;
  const whole = isJsonObject(root) ? root : {};
  const definitions = isJsonObject(whole["$defs"]) ? whole["$defs"] : {};
  let name = "value";
  while (Object.hasOwn(definitions, name)) name += "_";
  // Beside the others, so that its references lead where they did, `#` included.
  const document = { ...whole, $defs: { ...definitions, [name]: schema } };
  const ajv = createAjv(usesUnevaluated(document), timedRegExp);
  ajv.addSchema(document, "document");
  const validate = ajv.getSchema(`document#${below("", "$defs", name)}`);
  return (value) => validate?.(value) === true;
}
