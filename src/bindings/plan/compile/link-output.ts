/** Links the output of a plan: one source, or an object with a source for each property. */
import { type JsonObject, type JsonSchema, setOwn } from "../../../core/json.js";
import { checkFit, checkLiteral, literalFits } from "../../../kit/sources/fit.js";
import { placeSchema, type SchemaPlace } from "../../../schema/certain-mismatches.js";
import { joinDefinitions, type JoinedDefinitions } from "../../../schema/joined-definitions.js";
import type { Linking } from "./linking.js";
import type {
  FieldModel,
  LinkedFields,
  LinkedPlan,
  LinkedValue,
  OutputFields,
  PathValue,
} from "./model.js";
import { type ReadValue, readValue } from "./read-value.js";
import { sourceOf, targetOf } from "./targets.js";

export interface LinkedOutput {
  readonly value: LinkedValue | LinkedFields;
  readonly needs: readonly string[];
  /** Place of the output in a step's output, and of each property; empty if it is none. */
  readonly from: LinkedPlan["outputFrom"];
  readonly fields: LinkedPlan["outputFields"];
  readonly schema?: SchemaPlace;
}

export function linkOutput(output: PathValue | OutputFields, linking: Linking): LinkedOutput {
  return output.kind === "fields" ? linkFields(output, linking) : linkWhole(output, linking);
}

function linkWhole(output: PathValue, linking: Linking): LinkedOutput {
  const { report, tool } = linking;
  const read = readValue(output, { linking });
  if (tool.returns !== undefined) {
    const target = targetOf({ model: tool.returns, at: [] }, "`returns`", "returns");
    checkFit(sourceOf(output), read, target, report);
    if (output.fallback) checkLiteral(output.fallback, target, report);
  }
  const [only, second] = read.places;
  const isDescribed =
    only !== undefined &&
    second === undefined &&
    read.facts?.holdsNull !== true &&
    literalFits(output.fallback, only);
  return {
    value: read.value,
    needs: read.needs,
    from: read.reads[0] ?? [],
    fields: {},
    ...(isDescribed && { schema: only }),
  };
}

/** A property of the output, and what follows from its source. */
interface ReadField extends FieldModel {
  /** Absent for a literal. */
  readonly read?: ReadValue;
}

function linkFields({ fields, span }: OutputFields, linking: Linking): LinkedOutput {
  const { report, tool } = linking;
  const found = fields.map((field): ReadField =>
    field.value.kind === "literal"
      ? field
      : { ...field, read: readValue(field.value, { linking }) },
  );
  const schema = schemaOf(found, span);
  if (tool.returns !== undefined) {
    const target = targetOf({ model: tool.returns, at: [] }, "`returns`", "returns");
    checkFit({ text: "output", span }, { places: [schema] }, target, report);
  }
  const from: Record<string, readonly (string | number)[]> = {};
  for (const { name, read } of found) {
    const place = read?.reads[0];
    if (place !== undefined) setOwn(from, name, place);
  }
  return {
    value: {
      kind: "fields",
      fields: found.map(({ name, read, span: at, value }) => ({
        name,
        span: at,
        // A source that is no literal has been read.
        value: read?.value ?? (value as Extract<typeof value, { readonly kind: "literal" }>),
      })),
    },
    needs: [...new Set(found.flatMap(({ read }) => read?.needs ?? []))],
    from: [],
    fields: from,
    schema,
  };
}

/** The schema of the object. Its definitions are copies of those that the sources refer to. */
function schemaOf(fields: readonly ReadField[], span: OutputFields["span"]): SchemaPlace {
  const joined = joinDefinitions();
  const properties: Record<string, JsonSchema> = {};
  for (const field of fields) setOwn(properties, field.name, fieldSchema(field, joined));
  const $defs = joined.definitions();
  const schema: JsonObject = {
    type: "object",
    additionalProperties: false,
    required: fields.filter((each) => !mayBeOmitted(each)).map(({ name }) => name),
    properties,
    ...($defs && { $defs }),
  };
  return { model: { kind: "schema", schema, span, places: {} }, at: [] };
}

function mayBeOmitted({ value }: ReadField): boolean {
  return value.kind === "path" && value.whenAbsent === "omit";
}

function fieldSchema({ read, value }: ReadField, joined: JoinedDefinitions): JsonSchema {
  if (value.kind === "literal") return { const: value.value };
  // Nothing says what is in a list with null in place of failed calls.
  if (read === undefined || read.places.length === 0 || read.facts?.holdsNull === true) return true;
  const parts = read.places.map((place) => joined.take(placeSchema(place), place.model.schema));
  const { fallback } = value;
  const isOther = fallback && !read.places.some((place) => literalFits(fallback, place));
  const [only = true, ...others] = isOther ? [...parts, { const: fallback.value }] : parts;
  return others.length === 0 ? only : { anyOf: [only, ...others] };
}
