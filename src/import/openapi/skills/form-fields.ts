/** Decides how a form writes its fields. A binding has one style for all lists of a form. */
import { quote } from "../../../core/names.js";
import type { Content, Encoding } from "../model.js";
import type { Part } from "../read/document.js";
import { entriesIn, itemsIn, textIn, under } from "../read/parts.js";
import type { Components } from "./components.js";
import type { DraftContext } from "./draft-context.js";

type Field = readonly [wire: string, Part];

export interface WrittenFields {
  /** Fields to write. Those without a possible style become text. */
  readonly written: readonly Field[];
  /** True if a list repeats its name instead of using brackets. */
  readonly repeats: boolean;
}

export function writtenFields(
  fields: readonly Field[],
  { encoding }: Content,
  context: DraftContext,
): WrittenFields {
  const { components, note } = context;
  const written = fields.map(([wire, part]): Field => [
    wire,
    writtenField(wire, part, encoding.get(wire), context),
  ]);
  const isDeep = (wire: string): boolean => encoding.get(wire)?.style === "deepObject";
  const repeated = written.filter(
    ([wire, part]) => !isDeep(wire) && isCalled("array", part, components),
  );
  const needsBrackets = written.some(([wire, part]) => isDeep(wire) && holdsList(part, components));
  for (const [wire, { at }] of needsBrackets ? repeated : [])
    note({
      code: "import/part-left-out",
      at,
      message: `the tool writes the list ${quote(wire)} with brackets, as it writes other lists of the form, and does not repeat the name`,
    });
  return { written, repeats: repeated.length > 0 && !needsBrackets };
}

/** Returns the field itself, or a text that the caller writes. */
function writtenField(
  wire: string,
  part: Part,
  { contentType = "", explode, style }: Encoding = {},
  { components, note }: DraftContext,
): Part {
  const addNote = (message: string): void =>
    note({ code: "import/part-left-out", at: part.at, message });
  const isList = isCalled("array", part, components);
  const isObject = isCalled("object", part, components);
  const isStyled = style !== undefined || explode !== undefined;
  const isJoined = style !== "deepObject" && !(explode ?? style?.endsWith("Delimited") !== true);
  if (isObject && isStyled && style !== "deepObject")
    addNote(
      `the tool writes ${quote(wire)} with brackets, not in the style ${quote(style ?? "form")}`,
    );
  const isJson = (isList || isObject) && !isStyled && /\bjson$/.test(contentType);
  if (!isJson && !(isList && isJoined)) return part;
  const why = isJson ? `its content type is ${quote(contentType)}` : "a form can't join its items";
  addNote(`the caller writes ${quote(wire)} as text, because ${why}`);
  const description = textIn(part, "description");
  const value = { type: "string", ...(description !== undefined && { description }) };
  return { value, at: part.at };
}

/** Checks if the `type` of a schema, or of its `$ref`, includes the given type. */
export function isCalled(type: "array" | "object", part: Part, components: Components): boolean {
  const written = under(components.resolve(part), "type")?.value;
  return Array.isArray(written) ? written.includes(type) : written === type;
}

/** Checks if a value may be a list, or contain one. */
function holdsList(part: Part, components: Components, seen = new Set<unknown>()): boolean {
  const found = components.resolve(part);
  // Components may contain themselves.
  if (found === undefined || seen.has(found.value)) return false;
  seen.add(found.value);
  if (isCalled("array", found, components)) return true;
  const more = under(found, "additionalProperties");
  const parts = [
    ...entriesIn(under(found, "properties")).map(([, each]) => each),
    ...["allOf", "anyOf", "oneOf"].flatMap((key) => itemsIn(under(found, key))),
    ...(more === undefined ? [] : [more]),
  ];
  return parts.some((each) => holdsList(each, components, seen));
}
