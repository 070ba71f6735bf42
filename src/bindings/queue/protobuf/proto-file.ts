import type { SourceFile } from "../../../core/source-file.js";
import type { Span } from "../../../core/span.js";

/** A .proto file with the positions of its declarations. */
export interface ProtoFile {
  readonly source: SourceFile;
  /** Path relative to the skill's folder. */
  readonly path: string;
  readonly tokens: readonly Token[];
  readonly outline: Declarations;
}

/** Declarations of several files, by full name. */
export type Places = ReadonlyMap<string, DeclarationInFile>;

export interface DeclarationInFile extends Declaration {
  readonly file: string;
}

/** Returns the declarations by full name. If a name is declared twice, the first counts. */
export function placesOf(files: readonly ProtoFile[]): Places {
  const places = new Map<string, DeclarationInFile>();
  for (const { outline, source } of files) {
    for (const each of outline.declared)
      if (!places.has(each.path)) places.set(each.path, { ...each, file: source.path });
  }
  return places;
}

/** A word, a symbol or a quoted text of a .proto file, without comments. */
export interface Token {
  readonly text: string;
  /** Start and end as UTF-16 offsets. */
  readonly start: number;
  readonly end: number;
}

/** Tokens end where the library's tokens end; the library itself keeps no positions. */
const pattern =
  /\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)|"[^"\\]*(?:\\[^][^"\\]*)*"|'[^'\\]*(?:\\[^][^'\\]*)*'|[{}=;:[\],()<>"']|[^\s{}=;:[\],'"()<>]+/g;

/** @returns undefined if there are more than `most` tokens */
export function tokensOf(text: string, most: number): readonly Token[] | undefined {
  const tokens: Token[] = [];
  for (const match of text.matchAll(pattern)) {
    const [found] = match;
    if (found.startsWith("//") || found.startsWith("/*")) continue;
    if (tokens.length === most) return undefined;
    tokens.push({ text: found, start: match.index, end: match.index + found.length });
  }
  return tokens;
}

/** Joins the tokens with spaces, which leaves out comments. */
export function withoutComments(text: string): string {
  const tokens = tokensOf(text, Infinity) ?? [];
  return tokens.map((token) => token.text).join(" ");
}

export function spanOf(file: string, { start, end }: Token): Span {
  return { file, start, end };
}

/** Returns the content of a quoted token without escapes. */
export function unquoted({ text }: Token): string {
  return text.slice(1, -1);
}

/**
 * The declarations of a .proto file with their positions. The library knows their meaning, but
 * keeps no positions.
 */
export interface Declarations {
  /** Empty if the file has no package. */
  readonly package: string;
  readonly declared: readonly Declaration[];
  /** Quoted names of the imported files. */
  readonly imports: readonly Token[];
  /** Names of the fields that `extend` blocks add to other messages. */
  readonly extensions: readonly Token[];
  /** Quoted value of `syntax = …`. */
  readonly syntax?: Token | undefined;
  readonly reserved: readonly Reserved[];
  /** Full names of the enums with `allow_alias`, whose values may share numbers. */
  readonly aliased: ReadonlySet<string>;
}

/** A reserved name, or a range of reserved numbers, of a message or an enum. */
export interface Reserved {
  /** Full name of the message or enum. */
  readonly parent: string;
  readonly from: Token;
  /** Last number, inclusive. Equal to `from` for a single number, and for a name. */
  readonly to: Token;
}

export interface Declaration {
  readonly name: Token;
  /** Full name with package and enclosing types: `acme.Order.total`. */
  readonly path: string;
  /** Full name of the enclosing type: `acme.Order`. A `oneof` has no scope for names. */
  readonly parent: string;
  /** Number of the field or value, if there is one. */
  readonly number?: Token | undefined;
  /** Type of the field, if there is one. */
  readonly type?: Token | undefined;
}

interface Scope {
  readonly path: string;
  /** Kind of declarations in this scope. */
  readonly holds: "names" | "extensions" | "nothing";
}

interface Scan {
  package: string;
  readonly declared: Declaration[];
  readonly imports: Token[];
  readonly extensions: Token[];
  syntax?: Token;
  readonly reserved: Reserved[];
  readonly aliased: Set<string>;
  readonly scopes: Scope[];
  /** The tokens since the last `;`, `{` or `}`. */
  statement: Token[];
}

/**
 * Reads the outline of a file. If the file is not valid Protobuf, the outline may be meaningless.
 */
export function declarationsIn(tokens: readonly Token[]): Declarations {
  const scan: Scan = {
    package: "",
    declared: [],
    imports: [],
    extensions: [],
    reserved: [],
    aliased: new Set(),
    scopes: [],
    statement: [],
  };
  tokens.forEach((token, index) => {
    if (token.text === "=") noteNumbered(scan, tokens[index + 1]);
    if (token.text === "{") scan.scopes.push(openScope(scan));
    else if (token.text === "}") scan.scopes.pop();
    else if (token.text === ";") noteStatement(scan);
    else return void scan.statement.push(token);
    scan.statement = [];
  });
  return scan;
}

function openScope(scan: Scan): Scope {
  const at = scopeOf(scan);
  const words = scan.statement.filter(({ text }) => text !== "export" && text !== "local");
  const [first, second] = words;
  const group = words.findIndex(({ text }) => text === "group");
  if (at.holds !== "nothing" && group >= 0) return declareGroup(scan, at, words[group + 1]);
  if (first?.text === "message" || first?.text === "enum" || first?.text === "service")
    return declareScope(scan, at, second);
  if (first?.text === "extend") return { path: at.path, holds: "extensions" };
  return { path: at.path, holds: first?.text === "oneof" ? at.holds : "nothing" };
}

function declareScope(scan: Scan, at: Scope, name: Token | undefined): Scope {
  if (name === undefined) return { path: at.path, holds: "nothing" };
  const path = below(at.path, name.text);
  scan.declared.push({ name, path, parent: at.path });
  return { path, holds: "names" };
}

/** Declares a group: a message, and a field with the same name in lower case at the start. */
function declareGroup(scan: Scan, at: Scope, name: Token | undefined): Scope {
  if (name !== undefined) {
    const field = name.text.charAt(0).toLowerCase() + name.text.slice(1);
    scan.declared.push({ name, path: below(at.path, field), parent: at.path });
  }
  return declareScope(scan, at, name);
}

function scopeOf({ scopes, package: space }: Scan): Scope {
  return scopes.at(-1) ?? { path: space, holds: "nothing" };
}

/**
 * Notes a field or an enum value: the name before the first `=`, unless that belongs to an option.
 */
function noteNumbered(scan: Scan, number: Token | undefined): void {
  const { statement } = scan;
  const at = scopeOf(scan);
  const name = statement.at(-1);
  const isOption = statement[0]?.text === "option" && statement.length > 1;
  const isFirst = statement.every(({ text }) => text !== "=");
  if (at.holds === "nothing" || name === undefined) return;
  if (isOption || !isFirst || isBracketed(statement)) return;
  if (at.holds === "extensions") return void scan.extensions.push(name);
  if (statement.some(({ text }) => text === "group")) return;
  const type = statement.at(-2);
  scan.declared.push({ name, path: below(at.path, name.text), parent: at.path, number, type });
}

/** Returns whether the statement is inside `[…]`, where `=` sets options. */
function isBracketed(statement: readonly Token[]): boolean {
  return statement.some(({ text }) => text === "[" || text === "]");
}

function noteStatement(scan: Scan): void {
  if (scan.scopes.length === 0) return noteOfFile(scan);
  const { path } = scopeOf(scan);
  const [first, second, , value] = scan.statement;
  if (first?.text === "reserved") scan.reserved.push(...reservedIn(scan.statement, path));
  if (first?.text === "option" && second?.text === "allow_alias" && value?.text === "true")
    scan.aliased.add(path);
}

function noteOfFile(scan: Scan): void {
  const [first, ...rest] = scan.statement;
  if (first?.text === "package") scan.package = rest.map(({ text }) => text).join("");
  const text = rest.find((each) => each.text.startsWith('"') || each.text.startsWith("'"));
  if (text === undefined) return;
  if (first?.text === "import") scan.imports.push(text);
  if (first?.text === "syntax") scan.syntax = text;
}

/** Returns the reserved ranges: 2 and 5 to 9 for `reserved 2, 5 to 9;`. */
function reservedIn([, ...words]: readonly Token[], parent: string): readonly Reserved[] {
  return words.flatMap((from, index) => {
    const before = words[index - 1]?.text;
    if (from.text === "," || from.text === "to" || before === "to") return [];
    const to = words[index + 1]?.text === "to" ? words[index + 2] : from;
    return to === undefined ? [] : [{ parent, from, to }];
  });
}

function below(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}
