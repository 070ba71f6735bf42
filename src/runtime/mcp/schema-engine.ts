import { Ajv, addFormats } from "@modelcontextprotocol/server/validators/ajv";
import { linearPattern } from "../validation/pattern.js";

/** Compiles JSON Schemas to checks. */
export type SchemaEngine = InstanceType<typeof Ajv>;

/** Makes an engine for schemas of results. */
export function schemaEngine(): SchemaEngine {
  const regExp = Object.assign(patternOrAny, { code: "" });
  const options = { strict: false, validateSchema: false, ownProperties: true, code: { regExp } };
  const ajv = new Ajv(options);
  addFormats(ajv);
  return ajv;
}

/** Matches in linear time, because a service writes the matched text. */
function patternOrAny(pattern: string) {
  try {
    return linearPattern(pattern);
  } catch {
    // The validator of the answer has checked such a pattern in another way.
    return { test: () => true };
  }
}
