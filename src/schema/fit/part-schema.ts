import { getOwn, isJsonObject, type JsonSchema } from "../../core/json.js";
import { type Branch, branchesOf, typeOf } from "./branches.js";
import { asSchema, schemaMapUnder, schemaUnder } from "../schema-tree.js";
import { timedRegExp } from "../timed-reg-exp.js";

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
  const { properties } = form;
  const own = isJsonObject(properties) ? getOwn(properties, name) : undefined;
  const alike = schemaMapUnder(form, "patternProperties")
    .filter(([pattern]) => timedRegExp(pattern, "u").test(name))
    .map(([, schema]) => schema);
  const [first, ...others] = own === undefined ? alike : [asSchema(own), ...alike];
  if (first !== undefined) return [others.length === 0 ? first : { allOf: [first, ...others] }];
  const rest = schemaUnder(form, "additionalProperties");
  return [rest ?? schemaUnder(form, "unevaluatedProperties") ?? true];
}
