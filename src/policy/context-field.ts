/**
 * Maps a tool's arguments to Cedar types, from its schema. The schema of policies is printed from
 * this mapping, and the runtime fills contexts by it. For every value that the tool's schema
 * accepts, Cedar's own validation accepts the runtime's context.
 *
 * Arguments without a Cedar type are left out, with a reason. The reason is reported if a policy
 * refers to them.
 */
import type { ContextField } from "@skillc/runtime/governance";
import type { SchemaModel } from "../core/skill-model.js";
import { fileContent, filePointer } from "../schema/file-schema.js";
import { shapeParts } from "../schema/look-up.js";
import { type Shapes, shapesOf } from "../schema/shape-of-schema.js";
import { isNever, type ObjectPart, type Part, type Shape, union } from "../schema/shape.js";

/** A part of the arguments that policies can't refer to. */
export interface OmittedArgument {
  /** Path of properties, below the arguments. */
  readonly path: readonly string[];
  /** The reason, as the rest of "`note` is …". */
  readonly what: string;
}

export interface ContextMapping {
  /** Field of all arguments, which is always a record. */
  readonly field: RecordField;
  readonly unsaid: readonly OmittedArgument[];
}

export type RecordField = Extract<ContextField, { readonly as: "record" }>;

/** Maximum properties of one tool at all levels; larger schemas are cut off. */
const maxFields = 1000;
const deepest = 16;

/** Names that Cedar's JSON form reserves for values other than records. */
const kept: ReadonlySet<string> = new Set(["__entity", "__extn", "__expr"]);

/** Maps the arguments of a tool to a Cedar record, field by field. */
export function contextFieldOf(parameters: SchemaModel): ContextField {
  return contextMapping(parameters).field;
}

/** The mapping with the parts that are left out. */
export function contextMapping({ schema }: SchemaModel): ContextMapping {
  const shapes = shapesOf(schema, "filled");
  const reader: Reader = { shapes, unsaid: [], left: maxFields };
  const parts = shapeParts(shapes.root, shapes).filter(
    (part) => part.kind === "object" || part.kind === "both",
  );
  const objects = parts.filter((part) => part.kind === "object");
  if (objects.length < parts.length) {
    reader.unsaid.push({ path: [], what: together });
    return { field: { as: "record", fields: [] }, unsaid: reader.unsaid };
  }
  const field = recordOf(objects, { path: [], open: [""] }, reader);
  return { field, unsaid: reader.unsaid };
}

const together = "the combination of two recursive schemas";

interface Reader {
  readonly shapes: Shapes;
  readonly unsaid: OmittedArgument[];
  left: number;
}

interface At {
  readonly path: readonly string[];
  /** Pointers of the references on the way. */
  readonly open: readonly string[];
}

function withoutContent(file: ObjectPart): ObjectPart {
  return { ...file, properties: file.properties.filter(({ name }) => name !== fileContent) };
}

/** The field for a shape, or the reason why there is none. */
type FieldResult =
  { readonly field: ContextField; readonly nullable: boolean } | { readonly not: string };

function fieldOf(shape: Shape, at: At, reader: Reader): FieldResult {
  if (shape.kind === "unknown") return { not: "a value of any type" };
  const found = partsOf(shape, at, reader);
  if (found === undefined)
    return { not: "a part of a recursive schema, or deeper than policies can read" };
  const { open } = found;
  const parts = found.parts.filter((part) => !isNull(part));
  const nullable = parts.length < found.parts.length;
  if (parts.length === 0)
    return { not: nullable ? "always null" : "a value that the schema forbids" };
  const kinds = new Set(parts.map(kindOf));
  const [kind] = kinds;
  if (kind === undefined || kinds.size > 1) return { not: unionWords(parts) };
  const said = (field: ContextField): FieldResult => ({ field, nullable });
  switch (kind) {
    case "text":
      return said({ as: "string" });
    case "an integer as text":
      return said({ as: "long" });
    case "true or false":
      return said({ as: "boolean" });
    case "number":
      return said({ as: parts.every(isWhole) ? "long" : "decimal" });
    case "list": {
      const items = itemsOf(parts, { ...at, open }, reader);
      return "not" in items ? items : said({ as: "set", of: items.field });
    }
    case "object": {
      // `kindOf` returned "object" kinds only.
      const objects = parts as readonly ObjectPart[];
      if (objects.some(isMap)) return { not: "an object whose properties the schema doesn't name" };
      if (!open.includes(filePointer)) return said(recordOf(objects, { ...at, open }, reader));
      // Policies can't see the content of a file, so that none depends on one of its forms.
      reader.unsaid.push({ path: [...at.path, fileContent], what: "the content of a file" });
      return said(recordOf(objects.map(withoutContent), { ...at, open }, reader));
    }
    case "unknown":
      return { not: together };
  }
}

/** The parts with references resolved; undefined if a reference is recursive or too deep. */
function partsOf(
  shape: Extract<Shape, { kind: "union" }>,
  { open, path }: At,
  { shapes }: Reader,
): { readonly parts: readonly Part[]; readonly open: readonly string[] } | undefined {
  if (path.length > deepest || open.length > deepest * 4) return undefined;
  const parts: Part[] = [];
  const followed = new Set<string>();
  const waiting: Part[] = [...shape.of];
  for (const part of waiting) {
    if (part.kind !== "ref") {
      parts.push(part);
      continue;
    }
    if (open.includes(part.to)) return undefined;
    if (followed.has(part.to)) continue;
    followed.add(part.to);
    const target = shapes.expand(part.to);
    if (target === undefined || target.kind === "unknown") parts.push(...anything);
    else waiting.push(...target.of);
  }
  return { parts, open: [...open, ...followed] };
}

/** Two kinds without a common type, which give no field. */
const anything: readonly Part[] = [
  { kind: "scalar", type: "string" },
  { kind: "array", items: { kind: "unknown" } },
];

type Kind =
  "text" | "an integer as text" | "true or false" | "number" | "list" | "object" | "unknown";

function kindOf(part: Part): Kind {
  switch (part.kind) {
    case "scalar":
      if (part.type === "string") return part.isInt64 ? "an integer as text" : "text";
      return part.type === "boolean" ? "true or false" : "number";
    case "literal":
      if (typeof part.value === "string") return part.isInt64 ? "an integer as text" : "text";
      return typeof part.value === "boolean" ? "true or false" : "number";
    case "array":
    case "tuple":
      return "list";
    case "object":
      return "object";
    case "ref":
    case "both":
      return "unknown";
  }
}

function isNull(part: Part): boolean {
  return part.kind === "scalar" && part.type === "null";
}

function isWhole(part: Part): boolean {
  return part.kind === "literal"
    ? typeof part.value === "number" && Number.isInteger(part.value)
    : part.kind === "scalar" && part.type === "integer";
}

function isMap({ properties, rest }: ObjectPart): boolean {
  return properties.length === 0 && !isNever(rest);
}

function unionWords(parts: readonly Part[]): string {
  return `a union of ${[...new Set(parts.map(kindOf))].join(", ")}`;
}

function itemsOf(parts: readonly Part[], at: At, reader: Reader): FieldResult {
  const items = union(
    parts.flatMap((part): readonly Shape[] => {
      if (part.kind === "array") return [part.items];
      return part.kind === "tuple" ? [...part.prefix.map(({ shape }) => shape), part.rest] : [];
    }),
  );
  if (isNever(items)) return { not: "a list that is always empty" };
  // Parts that are left out inside items have no path, because policies can't look into a set.
  const inner: Reader = { shapes: reader.shapes, unsaid: [], left: reader.left };
  const said = fieldOf(items, { ...at, path: [...at.path, "*"] }, inner);
  reader.left = inner.left;
  return "not" in said ? { not: `a list whose items are each ${said.not}` } : said;
}

/** Makes one record type for objects of several shapes, which covers all of them. */
function recordOf(objects: readonly ObjectPart[], at: At, reader: Reader): RecordField {
  const names = new Set(objects.flatMap(({ properties }) => properties.map(({ name }) => name)));
  const fields: RecordField["fields"][number][] = [];
  for (const name of names) {
    const path = [...at.path, name];
    const leave = (what: string): void => void reader.unsaid.push({ path, what });
    reader.left -= 1;
    if (reader.left < 0) {
      leave("a property beyond the maximum number for policies");
      break;
    }
    const found = objects.map(({ properties, rest }) => {
      const own = properties.find((each) => each.name === name);
      return own ?? { shape: rest, required: false };
    });
    // If a variant forbids the field, the other variants determine its type.
    const said = fieldOf(union(found.map(({ shape }) => shape)), { ...at, path }, reader);
    if (kept.has(name)) leave("a name that Cedar reserves");
    else if ("not" in said) leave(said.not);
    else {
      const required = !said.nullable && found.every((each) => each.required);
      fields.push({ name, field: said.field, required });
    }
  }
  return { as: "record", fields };
}
