/**
 * The types of a schema's values, printed from its shapes: one declaration for the document, for
 * each schema that something refers to and for each object that its author named. An author's
 * names, values and comments get in as tokens of `core/code.ts` alone.
 */
import {
  code,
  type Code,
  generated,
  ident,
  imported,
  join,
  jsDoc,
  literal,
  memberKey,
  nothing,
  ofPieces,
  piecesOf,
  plainIdentifier,
  printCode,
} from "../core/code.js";
import { isJsonObject } from "../core/json.js";
import type { SchemaModel } from "../core/skill-model.js";
import type { SchemaForm } from "./form.js";
import { pascalCase } from "./pascal-case.js";
import { sharedByName } from "./place-at.js";
import { printedRest, printedShape } from "./printed-shape.js";
import { targetOf } from "./schema-tree.js";
import { type Shapes, shapesOf } from "./shape-of-schema.js";
import {
  isNever,
  type ObjectPart,
  only,
  type Part,
  type Property,
  type Shape,
  type TuplePart,
  unknown,
} from "./shape.js";

export interface TypesRequest {
  readonly schema: SchemaModel;
  /**
   * The root type's name, PascalCase and unique; every other name that is declared starts with it.
   */
  readonly name: string;
  readonly form: SchemaForm;
  /** Types of shared schemas that stand in modules of their own, by name in `$defs`. */
  readonly imports?: ReadonlyMap<string, ImportedType>;
  /** Name in `$defs` of the schema itself, where it is a shared one. */
  readonly itself?: string;
}

/** A type of another module. */
export interface ImportedType {
  /** As the importing module names it: `./schemas/line.js`. */
  readonly module: string;
  readonly name: string;
}

export interface EmittedTypes {
  /** `export interface …` and `export type …`, the root's among them. */
  readonly declarations: Code;
  /** The same, each by itself. */
  readonly statements: readonly Code[];
  /** All names that are declared. */
  readonly names: ReadonlySet<string>;
  /** The root type's name. */
  readonly type: Code;
}

/** The types of the values that a schema accepts in that form. */
export function emitTypes({
  schema: model,
  name,
  form,
  imports,
  itself,
}: TypesRequest): EmittedTypes {
  const { schema } = model;
  const description = isJsonObject(schema) ? schema["description"] : undefined;
  const writer: Writer = {
    root: name,
    shapes: shapesOf(schema, form),
    model,
    imports: imports ?? new Map(),
    names: createTypeNames(name),
    declared: new Map([
      ["", name],
      ...(itself === undefined ? [] : [[`/$defs/${itself}`, name] as const]),
    ]),
    waiting: [],
  };
  const found = [
    declaration(
      { name, shape: () => writer.shapes.root, doc: textOrNone(description), place: name },
      writer,
    ),
  ];
  for (const next of writer.waiting) found.push(declaration(next, writer));
  // Types before interfaces, each in the order in which they were first mentioned.
  const sorted = found.toSorted((a, b) => Number(a.isInterface) - Number(b.isInterface));
  const statements = sorted.map((each) => each.text);
  const declarations = code`${join(statements, code`\n\n`)}\n`;
  const names = new Set([name, ...writer.waiting.map((each) => each.name)]);
  return { declarations, statements, names, type: ident(name) };
}

interface Writer {
  readonly root: string;
  readonly shapes: Shapes;
  readonly model: SchemaModel;
  readonly imports: ReadonlyMap<string, ImportedType>;
  readonly names: TypeNames;
  /** Names of declarations, by the pointer of the schema that each is of. */
  readonly declared: Map<string, string>;
  /** Declarations to print once what mentions them is. */
  readonly waiting: Waiting[];
}

interface Waiting {
  readonly name: string;
  readonly shape: () => Shape;
  readonly doc: string | undefined;
  /** Words for the names of what it declares. */
  readonly place: string;
}

function declaration(
  { name, shape, doc, place }: Waiting,
  writer: Writer,
): { readonly isInterface: boolean; readonly text: Code } {
  const of = shape();
  const single = of.kind === "union" && of.of.length === 1 ? of.of[0] : undefined;
  const comment = docOf(doc, "");
  const special = single?.kind === "object" ? specialObject(single) : undefined;
  if (single?.kind === "object" && special === undefined) {
    const body = objectText(single, { place, indent: "" }, writer);
    return { isInterface: true, text: code`${comment}export interface ${ident(name)} ${body}` };
  }
  const type = special ?? typeText(of, { place, indent: "" }, writer);
  return { isInterface: false, text: code`${comment}export type ${ident(name)} = ${type};` };
}

function declare(name: string, shape: () => Shape, doc: string | undefined, writer: Writer): Code {
  // Printed later: the declaration may mention itself.
  writer.waiting.push({ name, shape, doc, place: name });
  return ident(name);
}

/** Where a type is printed. */
interface Site {
  /** Words for the name of a declaration that is made for it. */
  readonly place: string;
  /** What its lines begin with. */
  readonly indent: string;
}

function within({ place, indent }: Site, words: string, deeper = false): Site {
  return { place: `${place}${words}`, indent: deeper ? `${indent}  ` : indent };
}

/** A type; in brackets where `isPart` and it is made of several. */
function typeText(shape: Shape, site: Site, writer: Writer, isPart = false): Code {
  if (shape.kind === "unknown") return code`unknown`;
  const parts = new Map<string, Code>();
  for (const part of shape.of) {
    const text = partText(part, site, writer, shape.of.length > 1 || isPart);
    parts.set(printCode(text), text);
  }
  const [first = code`never`, ...others] = parts.values();
  if (others.length === 0) return first;
  const union = join([first, ...others], code` | `);
  return isPart ? code`(${union})` : union;
}

function partText(part: Part, site: Site, writer: Writer, isPart: boolean): Code {
  switch (part.kind) {
    case "scalar":
      return generated(part.type === "integer" ? "number" : part.type);
    case "literal":
      return literal(part.value);
    case "array":
      return code`${typeText(part.items, within(site, "Item"), writer, true)}[]`;
    case "tuple":
      return tupleText(part, site, writer);
    case "object":
      // An object that its author named gets a declaration.
      return part.title === undefined
        ? (specialObject(part) ?? objectText(part, site, writer))
        : declare(writer.names.choose(part.title), () => only(part), undefined, writer);
    case "ref":
      return referenceText(part.to, writer);
    case "both": {
      const both = join(
        part.of.map((each) => partText(each, site, writer, true)),
        code` & `,
      );
      return isPart ? code`(${both})` : both;
    }
  }
}

/** The name of the declaration of a schema that is referred to. */
function referenceText(pointer: string, writer: Writer): Code {
  const key = pointer.slice("/$defs/".length);
  const other = writer.imports.get(key);
  if (other !== undefined && !writer.declared.has(pointer))
    return imported(other.module, other.name, true);
  const known = writer.declared.get(pointer);
  if (known !== undefined) return ident(known);
  const { title, doc, name } = definitionAt(writer, pointer);
  const chosen = writer.names.choose(name ?? title ?? "Root");
  writer.declared.set(pointer, chosen);
  return declare(chosen, () => writer.shapes.expand(pointer) ?? unknown, doc, writer);
}

/** An object of anything, and one of nothing. */
function specialObject(part: ObjectPart): Code | undefined {
  if (part.properties.length > 0) return undefined;
  if (part.rest.kind === "unknown") return code`{ [k: string]: unknown }`;
  return isNever(part.rest) ? code`Record<string, never>` : undefined;
}

function objectText(part: ObjectPart, site: Site, writer: Writer): Code {
  const inner = within(site, "", true);
  const indent = generated(inner.indent);
  const members = part.properties.map((each) => {
    const shape = printedShape(each);
    const type = typeText(shape, within(inner, each.name), writer);
    const mark = generated(each.required ? "" : "?");
    const comment = docOf(documentation(each), inner.indent);
    return code`${comment}${indent}${keyOf(each.name)}${mark}: ${type};\n`;
  });
  const rest = printedRest(part);
  const others = isNever(rest)
    ? nothing
    : code`${indent}[k: string]: ${typeText(rest, within(inner, "Value"), writer)};\n`;
  return code`{\n${join(members)}${others}${generated(site.indent)}}`;
}

function keyOf(name: string): Code {
  const isPlain = plainIdentifier.test(name) && name !== "__proto__";
  return isPlain ? ident(name) : memberKey(name);
}

function tupleText({ prefix, rest }: TuplePart, site: Site, writer: Writer): Code {
  const hasOptional = prefix.some(({ optional }) => optional);
  const elements = prefix.map(({ shape, optional }, index) => {
    const at = within(site, `Item${index + 1}`);
    const type = hasOptional ? inline(shape, at, writer) : typeText(shape, at, writer);
    return optional ? code`${type}?` : type;
  });
  const at = within(site, "Rest");
  const others = isNever(rest)
    ? []
    : [
        hasOptional
          ? code`...(${inline(rest, at, writer)})[]`
          : code`...${typeText(rest, at, writer, true)}[]`,
      ];
  return code`[${join([...elements, ...others], code`, `)}]`;
}

/** The type in a few words: its own, or the name of a declaration made for it. */
function inline(shape: Shape, { place }: Site, writer: Writer): Code {
  const { root, names } = writer;
  const words = place.startsWith(root) ? place.slice(root.length) : place;
  return shortText(shape, writer) ?? declare(names.choose(words), () => shape, undefined, writer);
}

function shortText(shape: Shape, writer: Writer): Code | undefined {
  if (shape.kind === "unknown") return code`unknown`;
  if (shape.of.length === 0) return code`never`;
  if (shape.of.length > 4) return undefined;
  const parts = shape.of.flatMap((part) => shortPart(part, writer) ?? []);
  if (parts.length < shape.of.length) return undefined;
  return parts.length === 1 ? parts[0] : code`(${join(parts, code` | `)})`;
}

function shortPart(part: Part, writer: Writer): Code | undefined {
  if (part.kind === "scalar") return generated(part.type === "integer" ? "number" : part.type);
  if (part.kind === "literal") return literal(part.value);
  if (part.kind === "ref") return referenceText(part.to, writer);
  const items = part.kind === "array" ? shortText(part.items, writer) : undefined;
  return items === undefined ? undefined : code`${items}[]`;
}

function documentation({ description, default: value }: Property): string | undefined {
  const shown = value === undefined ? undefined : `Default: ${JSON.stringify(value)}`;
  return (
    [description, shown].filter((each) => each !== undefined && each.trim() !== "").join("\n\n") ||
    undefined
  );
}

/** A comment on lines of their own; none of nothing but space. */
function docOf(text: string | undefined, indent: string): Code {
  if (text === undefined || text.trim() === "") return nothing;
  const pieces = piecesOf(jsDoc(text)).map((piece) => ({
    ...piece,
    text: indent + piece.text.trimEnd().replaceAll("\n", `\n${indent}`),
  }));
  return pieces.length === 0 ? nothing : code`${ofPieces(pieces)}\n`;
}

function definitionAt(
  { model: { schema: document, shared = [] } }: Writer,
  pointer: string,
): { readonly title?: string; readonly doc?: string; readonly name?: string } {
  const key = pointer === "" ? undefined : pointer.slice("/$defs/".length);
  const { schema } = targetOf(document, key === undefined ? "#" : `#/$defs/${key}`);
  const text = (keyword: string) =>
    isJsonObject(schema) ? textOrNone(schema[keyword]) : undefined;
  const [title, doc] = [text("title"), text("description")];
  const name = key === undefined ? undefined : (sharedByName(shared).get(key)?.shortName ?? key);
  return {
    ...(name === undefined ? {} : { name }),
    ...(title === undefined ? {} : { title }),
    ...(doc === undefined ? {} : { doc }),
  };
}

function textOrNone(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

interface TypeNames {
  /**
   * A name not given out before: the root's name, then the words of `wish` that an identifier can
   * hold.
   */
  choose(wish: string): string;
}

function createTypeNames(root: string): TypeNames {
  const taken = new Set([root]);
  return {
    choose(wish) {
      const stem = `${root}${pascalCase(wish)}`;
      let name = stem === root ? `${root}Value` : stem;
      for (let count = 2; taken.has(name); count += 1) name = `${stem}${count}`;
      taken.add(name);
      return name;
    },
  };
}
