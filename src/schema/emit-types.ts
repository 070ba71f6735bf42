import { compile } from "json-schema-to-typescript";
import {
  type Code,
  code,
  generated,
  ident,
  jsDoc,
  join,
  literal,
  memberKey,
  nothing,
  plainIdentifier,
} from "../core/code.js";
import { isJsonObject } from "../core/json.js";
import type { SchemaModel } from "../core/skill-model.js";
import type { SchemaForm } from "./form.js";
import { shapesOf } from "./shape-of-schema.js";
import { layOut, type Token, wrapper } from "./type-layout.js";

export interface TypesRequest {
  readonly schema: SchemaModel;
  /** The root type's name, PascalCase and unique; every other name that is declared starts with it. */
  readonly name: string;
  readonly form: SchemaForm;
}

export interface EmittedTypes {
  /** `export interface …` and `export type …`, the root's among them. */
  readonly declarations: Code;
  /** The root type's name. */
  readonly type: Code;
}

/** The types of the values that a schema accepts in that form. */
export async function emitTypes({ schema, name, form }: TypesRequest): Promise<EmittedTypes> {
  const shapes = shapesOf(schema.schema, form);
  const description = isJsonObject(schema.schema) ? schema.schema["description"] : undefined;
  const layout = layOut({
    name,
    shapes,
    document: schema.schema,
    description: typeof description === "string" ? description : undefined,
  });
  const text = await compile(layout.schema, wrapper, printing);
  return { declarations: withTokens(withoutNotes(text), layout.tokens), type: ident(name) };
}

/** The laid-out schema has no reference, no author text and one declaration a definition. */
const printing = {
  bannerComment: "",
  format: false,
  ignoreMinAndMaxItems: true,
  unreachableDefinitions: true,
  $refOptions: { resolve: { external: false, file: false, http: false } },
} as const;

/** What json-schema-to-typescript adds to definitions about where it found them. */
function withoutNotes(text: string): string {
  return (
    text
      .replace(new RegExp(`export interface ${wrapper} {\\s*}\\s*`), "")
      .replace(
        /(\n \* ?)?\n \* This interface was referenced by `\w+`'s JSON-Schema\n \* via the `definition` "\w+"\./g,
        "",
      )
      .replace(/\/\*\*\n \*\/\n/g, "")
      // One blank line between declarations, none behind their comments.
      .replace(/(?<!\*\/)\n+(?=(\/\*\*\n \* D\d+Z\n \*\/\n)?export )/g, "\n\n")
      .trimStart()
  );
}

/** Puts author text where its tokens stand, each as what it may be there and nothing else. */
function withTokens(text: string, tokens: readonly Token[]): Code {
  const pattern = /\/\*\*\n \* (D\d+Z)\n \*\/\n|([A-Z]\d+Z)/g;
  const codes: Code[] = [];
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    codes.push(
      generated(text.slice(end, match.index)),
      tokenCode(match[1] ?? match[2] ?? "", tokens),
    );
    end = match.index + match[0].length;
  }
  return join([...codes, generated(`${text.slice(end).trimEnd()}\n`)]);
}

function tokenCode(written: string, tokens: readonly Token[]): Code {
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
      return token.text.trim() === "" ? nothing : code`${jsDoc(token.text)}`;
  }
}
