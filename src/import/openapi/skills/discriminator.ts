/** Translates `discriminator` of a schema, or of the common base of its alternatives. */
import { isJsonObject, type JsonObject, type JsonValue } from "../../../core/json.js";
import { quote } from "../../../core/names.js";
import type { Note } from "../note.js";
import type { DocumentLocation, Part } from "../read/document.js";
import { entriesIn, itemsIn, objectIn, textIn, under } from "../read/parts.js";

export interface DiscriminatorContext {
  readonly note: (note: Note) => void;
  readonly target: (reference: string, from: DocumentLocation) => Part | undefined;
  /** Checks if other schemas extend the schema at a place by `allOf`. */
  readonly isBase: (place: DocumentLocation) => boolean;
}

/**
 * Translates `discriminator`, which selects a branch by the text of one property: the property gets
 * a `const` in each branch. It becomes required only if the branch requires it, because real
 * responses may lack it.
 */
export function withDiscriminator(
  part: Part,
  converted: JsonObject,
  context: DiscriminatorContext,
): JsonObject {
  const own = under(part, "discriminator");
  const key = ["oneOf", "anyOf"].find((each) => Array.isArray(converted[each]));
  const branches = key === undefined ? [] : itemsIn(under(part, key));
  const discriminator = own ?? discriminatorOfBase(branches, context);
  const property = textIn(discriminator, "propertyName");
  if (discriminator === undefined) return converted;
  if (property === undefined || key === undefined) {
    // In Swagger 2 and in base schemas, the keyword only names the property, so there are no
    // branches.
    if (key === undefined && context.isBase(part.at))
      context.note({
        code: "import/part-left-out",
        at: discriminator.at,
        message:
          "the discriminator names schemas that extend this one, but the tool checks values only against this one",
      });
    return converted;
  }
  const written = converted[key];
  if (!Array.isArray(written)) return converted;
  const narrowed = (written as readonly JsonValue[]).map((branch, index) => {
    const source = branches[index];
    const values = source && valuesOf(source, discriminator, context);
    if (values === undefined || source === undefined || !isJsonObject(branch)) return branch;
    if (!allows(source, property, values, context)) {
      if (own !== undefined)
        context.note({
          code: "import/part-left-out",
          at: source.at,
          message: `the discriminator ${quote(property)} contradicts this branch`,
        });
      return branch;
    }
    // The values of schemas that extend this one belong to the branch too.
    const extended = own === undefined ? targetOf(source, context) : undefined;
    if (extended !== undefined && context.isBase(extended.at)) return branch;
    const [only] = values;
    const said: JsonObject = values.length === 1 ? { const: only ?? "" } : { enum: values };
    return { ...branch, properties: { [property]: said } };
  });
  return { ...converted, [key]: narrowed };
}

/**
 * The discriminator of a schema that all branches extend by `allOf`; undefined if there is none.
 */
function discriminatorOfBase(
  branches: readonly Part[],
  context: DiscriminatorContext,
): Part | undefined {
  const [first, ...others] = branches.map((each) =>
    allParts(each, context)
      .slice(1)
      .map((base) => under(base, "discriminator"))
      .find((discriminator) => discriminator !== undefined),
  );
  const isSame = (other: Part | undefined): boolean =>
    other?.at.document === first?.at.document && other?.at.pointer === first?.at.pointer;
  return others.length > 0 && others.every(isSame) ? first : undefined;
}

/** Maximum depth of schemas that extend each other. Their `allOf` may form a circle. */
const deepestBase = 8;

/** The schema that a branch refers to, and all schemas that it extends by `allOf`. */
function allParts(branch: Part, context: DiscriminatorContext, depth = 0): readonly Part[] {
  const found = targetOf(branch, context);
  if (found === undefined || depth > deepestBase) return [];
  const bases = itemsIn(under(found, "allOf"));
  return [found, ...bases.flatMap((each) => allParts(each, context, depth + 1))];
}

function targetOf(part: Part, { target }: DiscriminatorContext): Part | undefined {
  const reference = textIn(part, "$ref");
  return reference === undefined ? part : target(reference, part.at);
}

/** The texts that select a branch; undefined if there are none. */
function valuesOf(
  branch: Part,
  discriminator: Part,
  { target }: DiscriminatorContext,
): readonly string[] | undefined {
  const reference = textIn(branch, "$ref");
  const own = reference === undefined ? undefined : target(reference, branch.at);
  if (reference === undefined || own === undefined) return undefined;
  const name = own.at.pointer.split("/").at(-1) ?? "";
  const mapping = entriesIn(under(discriminator, "mapping"));
  const mapped = mapping.flatMap(([value, each]) => {
    const to = typeof each.value === "string" ? each.value : "";
    const found = /[/#.]/.test(to) ? target(to, each.at) : undefined;
    const isOwn =
      found === undefined
        ? to === name
        : found.at.pointer === own.at.pointer && found.at.document === own.at.document;
    return isOwn ? [value] : [];
  });
  if (mapped.length > 0) return mapped;
  return mapping.length > 0 || name === "" ? undefined : [name];
}

/** Checks if the branch itself, with all that it extends, allows these texts for the property. */
function allows(
  branch: Part,
  property: string,
  values: readonly string[],
  context: DiscriminatorContext,
): boolean {
  return values.every((value) => allowsValue(branch, { property, value }, context));
}

interface Selected {
  readonly property: string;
  readonly value: string;
}

function allowsValue(
  branch: Part,
  selected: Selected,
  context: DiscriminatorContext,
  depth = 0,
): boolean {
  const found = targetOf(branch, context);
  if (found === undefined || depth > deepestBase) return true;
  const { property, value } = selected;
  const { const: only, enum: choices } = objectIn(under(under(found, "properties"), property));
  if (only !== undefined && only !== value) return false;
  if (Array.isArray(choices) && !(choices as readonly JsonValue[]).includes(value)) return false;
  const isAllowed = (each: Part): boolean => allowsValue(each, selected, context, depth + 1);
  if (!itemsIn(under(found, "allOf")).every(isAllowed)) return false;
  // The alternatives of a branch may have a discriminator of their own.
  const inner = under(found, "discriminator");
  const isInner = inner !== undefined && textIn(inner, "propertyName") === property;
  return ["oneOf", "anyOf"].every((key) => {
    const alternatives = itemsIn(under(found, key));
    const isSelected = (each: Part): boolean =>
      !isInner || (valuesOf(each, inner, context)?.includes(value) ?? true);
    return (
      alternatives.length === 0 || alternatives.some((each) => isSelected(each) && isAllowed(each))
    );
  });
}
