import { type JsonObject, setOwn } from "../../../core/json.js";
import type { Span } from "../../../core/span.js";
import { below } from "../../../schema/pointer.js";
import { safeForm } from "../exact-forms.js";
import {
  type AvroField,
  type AvroType,
  branchNameOf,
  nameOfType,
  partsOf,
  type UnionType,
} from "./avro-type.js";
import { guarded, sharesDeepFields } from "./branch-form.js";
import { longsAreNumbers } from "./named-unions.js";
import type { NamedUnions } from "./overlap.js";

/** What the schema of a union is made with. */
export interface UnionWriter {
  readonly named: NamedUnions;
  readonly schemaOf: (type: AvroType, span: Span, pointer: string) => JsonObject;
  /** Of a field that is looked at without being part of the document. */
  readonly leafForm: (field: AvroField) => JsonObject;
}

/** The value as it is, where that tells its branch. */
export function plainUnion(union: UnionType, pointer: string, writer: UnionWriter): JsonObject {
  const { leafForm, named, schemaOf } = writer;
  const types = partsOf(union);
  const numbersOnly = longsAreNumbers(types);
  const objects = types.filter((type) => type.kind === "record" || type.kind === "map");
  const isDeep = sharesDeepFields(types, named);
  const anyOf = union.branches.map(({ type, span }, index) => {
    const schema = schemaOf(type, span, below(pointer, "anyOf", index));
    if (numbersOnly && nameOfType(type) === "long") return safeForm;
    const isOneOfSeveral = type.kind === "record" && objects.length > 1;
    return isOneOfSeveral && isDeep ? guarded(schema, type, named, leafForm) : schema;
  });
  return { anyOf };
}

/** Avro's own JSON: null, or an object whose one property is named like the branch. */
export function namedUnion(
  union: UnionType,
  pointer: string,
  { schemaOf }: UnionWriter,
): JsonObject {
  const anyOf = union.branches.map(({ type, span }, index): JsonObject => {
    const at = below(pointer, "anyOf", index);
    const name = branchNameOf(type);
    if (name === "null") return schemaOf(type, span, at);
    const properties = {};
    setOwn(properties, name, schemaOf(type, span, below(at, "properties", name)));
    return { type: "object", properties, required: [name], additionalProperties: false };
  });
  return { anyOf };
}
