import { isJsonObject, type JsonObject, type JsonSchema, type JsonValue } from "../../core/json.js";
import { compiling, createAjv } from "../ajv-instance.js";
import { usesUnevaluated } from "../evaluated-keywords.js";
import type { SchemaIn } from "./misfit.js";
import { mapSubschemas } from "../schema-tree.js";
import { validatorSchema } from "../validator-schema.js";

/** The keyword that a value fails at, of those that speak of it as a whole, or else of a part. */
export interface Refusal {
  readonly keyword: string;
  /** Whether it fits, but several forms of which it may fit one. */
  readonly fitsSeveral: boolean;
}

type Judge = (value: JsonValue) => Refusal | undefined;

/** Whether values are the schema's, as its validator would say. */
export function acceptor(wanted: SchemaIn): (value: JsonValue) => boolean {
  const judge = judgeOf(wanted);
  return (value) => judge(value) === undefined;
}

const known = new WeakMap<object, WeakMap<object, Judge>>();

/** Why values are not the schema's; undefined for those that are. */
export function judgeOf({ schema, root }: SchemaIn): Judge {
  if (!isJsonObject(schema))
    return () => (schema ? undefined : { keyword: "false schema", fitsSeveral: false });
  const whole = isJsonObject(root) ? root : {};
  const ofRoot = known.get(whole) ?? new WeakMap<object, Judge>();
  known.set(whole, ofRoot);
  const judge = ofRoot.get(schema) ?? compiled(schema, whole);
  ofRoot.set(schema, judge);
  return judge;
}

function compiled(schema: JsonObject, root: JsonObject): Judge {
  const document = schema === root ? root : asDocument(schema, root);
  const marks = usesUnevaluated(document);
  const ajv = createAjv(marks);
  ajv.addSchema(asObject(validatorSchema(document, "stated", marks)), "document");
  const validate = compiling(() => ajv.getSchema("document"));
  return (value) => {
    if (validate?.(value) === true) return undefined;
    const errors = validate?.errors ?? [];
    const told = errors.findLast(({ instancePath }) => instancePath === "") ?? errors.at(-1);
    const { keyword = "false schema", params = {} } = told ?? {};
    return { keyword, fitsSeveral: keyword === "oneOf" && Array.isArray(params["passingSchemas"]) };
  };
}

function asObject(schema: JsonSchema): JsonObject {
  return isJsonObject(schema) ? schema : {};
}

/** The schema as a document of its own; the one that it is from stands among its definitions. */
function asDocument(schema: JsonObject, root: JsonObject): JsonObject {
  const { $defs, ...others } = root;
  const definitions = isJsonObject($defs) ? $defs : {};
  let name = "root";
  while (Object.hasOwn(definitions, name)) name += "_";
  const rebased = (each: JsonSchema): JsonSchema => {
    if (!isJsonObject(each)) return each;
    const entries = Object.entries(each).map(([keyword, value]) => [
      keyword,
      keyword === "$ref" && value === "#"
        ? `#/$defs/${name}`
        : mapSubschemas(keyword, value, "", rebased),
    ]);
    return Object.fromEntries(entries) as JsonObject;
  };
  const { $defs: _, ...own } = schema;
  return rebased({ ...own, $defs: { ...definitions, [name]: others } }) as JsonObject;
}
