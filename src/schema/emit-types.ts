/**
 * Prints the types of a schema's values. `type-layout.ts` lays out a schema, and
 * json-schema-to-typescript prints it. The output is corrected in four ways: the order of the
 * declarations and the interface that surrounds them (`inOrder`), the indentation (`indented`), and
 * the tokens for an author's names, values and comments (`withTokens`). The rest of the text is
 * unchanged.
 */
import { compile, type JSONSchema } from "json-schema-to-typescript";
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
} from "../core/code.js";
import type { SchemaModel } from "../core/skill-model.js";
import type { SchemaForm } from "./form.js";
import { shapesOf } from "./shape-of-schema.js";
import { fileTypes } from "./file-schema.js";
import { type ImportedType, type Layout, layOut, type Token, wrapper } from "./type-layout.js";

export interface TypesRequest {
  readonly schema: SchemaModel;
  /**
   * Name of the root type, PascalCase and unique. The names of all other declarations start with
   * it.
   */
  readonly name: string;
  readonly form: SchemaForm;
  /** Types of shared schemas in their own modules, by name in `$defs`. */
  readonly imports?: ReadonlyMap<string, ImportedType>;
  /** Name of the schema in `$defs`, if it is a shared schema. */
  readonly itself?: string;
}

export interface EmittedTypes {
  /** `export interface …` and `export type …`, including the root's. */
  readonly declarations: Code;
  /** The declarations, each as its own code. */
  readonly statements: readonly Code[];
  /** Names of all declarations. */
  readonly names: ReadonlySet<string>;
  /** Name of the root type. */
  readonly type: Code;
}

/** Prints the types of the values that a schema accepts in a form. */
export async function emitTypes({
  schema: model,
  name,
  form,
  imports = new Map(),
  itself,
}: TypesRequest): Promise<EmittedTypes> {
  const all = new Map([...fileTypes, ...imports]);
  const shapes = shapesOf(model.schema, form);
  const layout = layOut({ name, shapes, model, imports: all, itself });
  const text = await printedText(layout.schema);
  const statements = inOrder(text, layout).map((each) => withTokens(indented(each), layout.tokens));
  return {
    declarations: code`${join(statements, code`\n\n`)}\n`,
    statements,
    names: new Set(layout.tokens.flatMap((each) => (each.kind === "name" ? [each.name] : []))),
    type: ident(name),
  };
}

/** Printed texts by the laid-out schema, as JSON. */
const printed = new Map<string, Promise<string>>();
/** Limits of the cache: about a few megabytes in all. */
const maxPrinted = 5_000;
const longestPrinted = 4_000;

/**
 * Prints a laid-out schema with the library, cached. Tools are much alike after tokens replace
 * author text: in an API with a thousand tools, a quarter of the schemas differ.
 */
function printedText(schema: JSONSchema): Promise<string> {
  const key = JSON.stringify(schema);
  const known = printed.get(key);
  if (known !== undefined) return known;
  const text = compile(schema, wrapper, printing);
  if (key.length > longestPrinted) return text;
  if (printed.size >= maxPrinted) printed.clear();
  printed.set(key, text);
  return text;
}

/** The laid-out schema has no reference to another document, and no author text. */
const printing = {
  bannerComment: "",
  format: false,
  ignoreMinAndMaxItems: true,
  $refOptions: { resolve: { external: false, file: false, http: false } },
} as const;

/** Start of a declaration, with its comment. Author text is always a token, so it can't match. */
const beginning =
  /(?<=^|\n)(?:\/\*\*\n \* D\d+Z\n \*\/\n)?export (?<kind>interface|type) (?<name>\w+)/g;

/**
 * Restores the order of layout, with types before interfaces. The library puts a declaration behind
 * the one that first mentions it, so a new field would move others. Leaves out the interface around
 * the declarations, by whose properties the library finds them.
 *
 * @throws Error if a declaration is missing
 */
function inOrder(text: string, { schema }: Layout): readonly string[] {
  const found = [...text.matchAll(beginning)];
  const declarations = found.map((match, index) => ({
    text: text.slice(match.index, found[index + 1]?.index).trim(),
    isType: match.groups?.["kind"] === "type",
    name: match.groups?.["name"] ?? "",
  }));
  const missing = Object.keys(schema.definitions ?? {}).filter(
    (name) => !declarations.some((each) => each.name === name),
  );
  if (missing.length > 0) throw new Error(`no declaration was printed for ${missing.join(", ")}`);
  return declarations
    .filter(({ name }) => name !== wrapper)
    .toSorted((a, b) => Number(b.isType) - Number(a.isType) || numberOf(a.name) - numberOf(b.name))
    .map((each) => each.text);
}

/** Number of a token: 3 for `T3Z`. */
function numberOf(token: string): number {
  return Number(token.slice(1, -1));
}

/**
 * Indents each line by the braces around it. The library leaves that to a formatter, and nothing
 * formats the modules of shared schemas. Tokens contain no braces.
 */
function indented(text: string): string {
  let depth = 0;
  const lines = text.split("\n").map((line) => {
    const at = line.startsWith("}") ? depth - 1 : depth;
    depth += line.split("{").length - line.split("}").length;
    return `${"  ".repeat(at)}${line}`;
  });
  return lines.join("\n");
}

/**
 * Replaces the tokens with an author's names, values and comments. The library got tokens
 * (`type-layout.ts`) because it would rename properties and not escape the end of a comment. Each
 * text appears only as its kind allows: as a name, a key, a literal or a whole comment. A blank
 * comment is left out.
 */
function withTokens(text: string, tokens: readonly Token[]): Code {
  const pattern =
    /(?<indent> *)\/\*\*\n *\* (?<doc>D\d+Z)\n *\*\/\n|"(?<value>V\d+Z)"|(?<other>[A-Z]\d+Z)/g;
  const codes: Code[] = [];
  let end = 0;
  for (const { 0: found, groups = {}, index } of text.matchAll(pattern)) {
    const { doc, indent = "", other, value } = groups;
    codes.push(
      generated(text.slice(end, index)),
      tokenCode(doc ?? value ?? other ?? "", indent, tokens),
    );
    end = index + found.length;
  }
  return join([...codes, generated(text.slice(end))]);
}

function tokenCode(written: string, indent: string, tokens: readonly Token[]): Code {
  const token = tokens[Number(written.slice(1, -1))];
  if (token === undefined) throw new Error(`no token ${written}`);
  switch (token.kind) {
    case "name":
      return ident(token.name);
    case "key":
      return plainIdentifier.test(token.name) && token.name !== "__proto__"
        ? ident(token.name)
        : memberKey(token.name);
    case "literal":
      return literal(token.value);
    case "doc":
      return token.text.trim() === "" ? nothing : comment(token.text, indent);
    case "import":
      return imported(token.type.module, token.type.name, true);
  }
}

/** A comment on its own lines. */
function comment(text: string, indent: string): Code {
  return ofPieces(
    piecesOf(jsDoc(text)).map((piece) => ({
      ...piece,
      text: piece.text.replace(/^(?=.)/gm, indent),
    })),
  );
}
