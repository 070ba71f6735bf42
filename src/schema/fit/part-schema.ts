import type { JsonSchema } from "../../core/json.js";
import { type Branch, typeOf } from "./branch.js";
import { branchesOf } from "./branches.js";
import { propertySchema } from "./property-schema.js";

/** What each form of an object says of the value at a path of property names in it. References lead into `root`. */
export function partSchemas(root: JsonSchema, path: readonly string[]): readonly JsonSchema[] {
  return path.reduce<readonly JsonSchema[]>(
    (schemas, name) => {
      const forms = schemas.flatMap((schema) => branchesOf(schema, root));
      return [...new Set(forms.flatMap((form) => partsOf(form, name)))];
    },
    [root],
  );
}

function partsOf(form: Branch, name: string): readonly JsonSchema[] {
  if (form === true) return [true];
  if ((typeOf(form) ?? "object") !== "object") return [];
  return [propertySchema(form, name)];
}
