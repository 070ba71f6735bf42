import type { JsonValue } from "./json.js";
import type { Deprecation } from "./skill-model.js";
import type { Span } from "./span.js";

/**
 * TypeScript source to print. Author text only gets in through `literal`, `jsDoc`, `lineComment`,
 * `ident` and similar functions, each of which produces exactly one kind of token. `render` throws
 * on a bare string.
 */
export interface Code {
  /** Runs of text, in order. */
  readonly pieces: readonly Piece[];
}

/** A run of text, with the author data that it represents and the span that caused it, if any. */
export interface Piece {
  /** TypeScript source. */
  readonly text: string;
  /** Set on literals: the value that the text must evaluate to. */
  readonly meant?: { readonly value: JsonValue };
  /** Set on comments. */
  readonly comment?: true;
  /** Set on a string in a place of type `string`: no type depends on its value. */
  readonly anyText?: true;
  readonly span?: Span;
  /** Set between two statements of a module. */
  readonly border?: true;
  /** Set on names imported from a module. The module frame turns them into import declarations. */
  readonly imported?: ImportedName;
}

/** A name imported from a module. TypeScript erases `typeOnly` names. */
export interface ImportedName {
  readonly module: string;
  readonly name: string;
  readonly typeOnly: boolean;
}

/**
 * Only this file creates Code. `isCode` rejects data of the same shape, and objects that inherit
 * from a rope.
 */
class Rope implements Code {
  readonly #isOurs = true;
  readonly pieces: readonly Piece[];

  constructor(pieces: readonly Piece[]) {
    this.pieces = pieces;
  }

  static has(value: object): value is Rope {
    return #isOurs in value && value.#isOurs;
  }
}

function make(pieces: readonly Piece[]): Code {
  return new Rope(pieces);
}

/** Returns whether a value is Code that this module made. */
export function isCode(value: unknown): value is Code {
  return typeof value === "object" && value !== null && Rope.has(value);
}

/** Empty code. */
export const nothing: Code = make([]);

/**
 * Makes code from a template literal. The fixed text is the caller's; every hole must be Code.
 *
 * @throws TypeError if a hole is not Code
 */
export function code(fixed: TemplateStringsArray, ...holes: readonly Code[]): Code {
  const pieces: Piece[] = [];
  fixed.forEach((text, index) => {
    if (text !== "") pieces.push({ text });
    const hole = holes[index];
    // Push one by one, because a call takes a limited number of arguments, and a rope may be long.
    if (index < holes.length) for (const piece of piecesOf(hole)) pieces.push(piece);
  });
  return make(pieces);
}

/** Joins codes, with `separator` between them. */
export function join(codes: readonly Code[], separator: Code = nothing): Code {
  return make(
    codes.flatMap((each, index) =>
      index === 0 ? piecesOf(each) : [...piecesOf(separator), ...piecesOf(each)],
    ),
  );
}

/**
 * Statements of a module, separated by blank lines. For the cache, each is formatted and verified
 * separately, so that an unchanged statement costs nothing.
 */
export function statements(codes: readonly Code[]): Code {
  const written = codes.filter(({ pieces }) => pieces.length > 0);
  return join(written, make([{ text: "\n\n", border: true }]));
}

/** Splits the result of `statements`; any other rope is one statement. */
export function statementsOf(rope: Code): readonly Code[] {
  const found: Piece[][] = [[]];
  for (const piece of piecesOf(rope))
    if (piece.border === true) found.push([]);
    else found.at(-1)?.push(piece);
  return found.map(make);
}

/** Ties all pieces without a place to `span`, so that type errors in them are reported there. */
export function at(span: Span, inner: Code): Code {
  return make(piecesOf(inner).map((piece) => (piece.span ? piece : { ...piece, span })));
}

/**
 * Makes code from another generator's text (Ajv's standalone code, json-schema-to-typescript's
 * declarations). The caller must make sure that author text in that generator's input was harmless;
 * the verify stage checks the output again.
 */
export function generated(text: string): Code {
  return make([{ text }]);
}

/**
 * Makes a name imported from a module. The frame collects, sorts and writes the import
 * declarations.
 *
 * @param typeOnly whether only the type is used, so that TypeScript erases the import
 */
export function imported(module: string, name: string, typeOnly = false): Code {
  return make([{ text: name, imported: { module, name, typeOnly } }]);
}

/**
 * Makes an identifier that the stage `lower` chose.
 *
 * @throws Error if `name` is not a plain ASCII identifier. Never pass a name from an author
 */
export function ident(name: string): Code {
  if (!plainIdentifier.test(name)) throw new Error(`not an identifier: ${JSON.stringify(name)}`);
  return make([{ text: name }]);
}

export const plainIdentifier = /^[A-Za-z_$][A-Za-z0-9_$]*$/;

/**
 * Makes an expression of a JSON value, or a literal type of a scalar. Objects keep `__proto__` as
 * an own property.
 */
export function literal(value: JsonValue): Code {
  return make([{ text: print(value), meant: { value } }]);
}

/**
 * Like `literal`, but compact, for code that no formatter changes. The text is JSON, except for
 * brackets around `__proto__`.
 */
export function jsonLiteral(value: JsonValue): Code {
  return make([{ text: layOut(value), meant: { value } }]);
}

/** Like `jsonLiteral`, but for a whole statement: only the last line of a long object is `}`. */
export function jsonOfStatement(value: JsonValue): Code {
  const text = layOut(value);
  const isLong = text.startsWith("{\n");
  return make([{ text: isLong ? `${text.slice(0, -1)}\n}` : text, meant: { value } }]);
}

/** Length from which a list or an object has a line for each member, in characters. */
const widest = 120;

/** Lays out JSON without indentation, so that a changed member is a changed line. */
function layOut(value: JsonValue): string {
  if (typeof value !== "object" || value === null) return print(value);
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map(layOut)
    : Object.entries(value).map(([key, each]) => `${printKey(key)}:${layOut(each)}`);
  const [open, close] = isList ? ["[", "]"] : ["{", "}"];
  const length = parts.reduce((sum, each) => sum + each.length + 1, 0);
  const isShort = length < widest && parts.every((each) => !each.includes("\n"));
  return isShort ? `${open}${parts.join(",")}${close}` : `${open}\n${parts.join(",\n")}${close}`;
}

/** A string in a place of type `string`: another value type-checks as well. */
export function anyText(value: string): Code {
  return make([{ text: print(value), meant: { value }, anyText: true }]);
}

function print(value: JsonValue): string {
  if (typeof value === "string") return printString(value);
  if (typeof value === "number") return printNumber(value);
  if (typeof value !== "object" || value === null) return String(value);
  if (Array.isArray(value)) return `[${value.map(print).join(", ")}]`;
  const entries = Object.entries(value).map(([key, each]) => `${printKey(key)}: ${print(each)}`);
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}

function printNumber(value: number): string {
  if (!Number.isFinite(value)) throw new Error(`not a JSON number: ${value}`);
  return Object.is(value, -0) ? "-0" : String(value);
}

/**
 * Prints a string. JSON's form is valid TypeScript if line separators and lone surrogates are
 * escaped.
 */
export function printString(text: string): string {
  return escapeInvisible(JSON.stringify(text))
    .replaceAll("\u2028", "\\u2028")
    .replaceAll("\u2029", "\\u2029");
}

/**
 * Text between the backticks of a template literal. It reads back unchanged, and can neither end
 * the literal nor start a hole.
 */
export function templateText(text: string): Code {
  const escaped = text
    .replace(/[\\`]|\$(?=\{)/g, "\\$&")
    .replaceAll("\r", "\\r")
    .replace(/[\p{Cs}\u2028\u2029]/gu, escapeUnit);
  if (text === "") return nothing;
  // A `$` at the end would join with the brace of a hole.
  const printed = escapeInvisible(escaped.replace(/\$$/, "\\$"));
  return make([{ text: printed, meant: { value: text } }]);
}

/**
 * Escapes invisible characters in source text whose only characters beyond ASCII are in string
 * literals.
 */
export function escapeInvisible(text: string): string {
  return text.replace(invisible, (char) => char.split("").map(escapeUnit).join(""));
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/**
 * Controls, directions, joiners and tags: characters that a reader can't see, or that change how an
 * editor displays a line.
 */
const invisible = /[\u007f-\u009f]|\p{Cf}/gu;

/**
 * Prints a name as a key of an object literal. `__proto__` is computed, because it would otherwise
 * set the prototype.
 */
function printKey(name: string): string {
  return name === "__proto__" ? `["__proto__"]` : printString(name);
}

/** Makes a key of an object literal from an author's name. */
export function objectKey(name: string): Code {
  return make([{ text: printKey(name), meant: { value: name } }]);
}

/**
 * Makes a member name of an interface or type literal from an author's name. `__proto__` needs no
 * brackets there.
 */
export function memberKey(name: string): Code {
  return make([{ text: printString(name), meant: { value: name } }]);
}

/**
 * Makes access to an own property: `.name` or `["name"]`. With `optional`, `?.name` or
 * `?.["name"]`.
 */
export function member(name: string, optional = false): Code {
  if (plainIdentifier.test(name) && name !== "__proto__") {
    return make([{ text: `${optional ? "?." : "."}${name}` }]);
  }
  const open = make([{ text: optional ? "?.[" : "[" }]);
  return join([open, literal(name), make([{ text: "]" }])]);
}

/**
 * A documentation comment with these paragraphs. Author text can't end the comment or start a tag.
 * Empty if there is no text.
 */
export function jsDoc(...paragraphs: readonly (string | undefined)[]): Code {
  return docComment(paragraphLines(paragraphs));
}

/**
 * Documentation of a tool's function: its description, its errors, and a deprecation if there is
 * one.
 */
export function toolDoc(description: string, deprecated: boolean | string | Deprecation): Code {
  const reason = commentLines(deprecationText(deprecated)).join(" ");
  const described = paragraphLines([description]);
  return docComment([
    ...described,
    ...(described.length === 0 ? [] : [""]),
    "@throws ToolError when there is no answer to return",
    ...(deprecated === false ? [] : [`@deprecated ${reason}`.trimEnd()]),
  ]);
}

/** Returns text such as `since 2.0: it was slow; use find-order`. */
function deprecationText(deprecated: boolean | string | Deprecation): string {
  if (typeof deprecated !== "object") return typeof deprecated === "string" ? deprecated : "";
  const { since, use } = deprecated;
  const when = since === undefined ? undefined : `since ${since}`;
  const reason = deprecated.reason?.trim().replace(/\.$/, "");
  const why = [when, reason].filter((each) => each !== undefined).join(": ");
  return [why, use === undefined ? "" : `use ${use}`].filter((each) => each !== "").join("; ");
}

function paragraphLines(paragraphs: readonly (string | undefined)[]): readonly string[] {
  return paragraphs
    .map((each) => commentLines(each ?? ""))
    .filter((lines) => lines.some((line) => line !== ""))
    .reduce<readonly string[]>(
      (all, each) => (all.length === 0 ? each : [...all, "", ...each]),
      [],
    );
}

function docComment(lines: readonly string[]): Code {
  if (lines.length === 0) return nothing;
  if (lines.length === 1) return make([{ text: `/** ${lines[0]} */\n`, comment: true }]);
  const body = lines.map((line) => (line === "" ? " *\n" : ` * ${line}\n`)).join("");
  return make([{ text: `/**\n${body} */\n`, comment: true }]);
}

/**
 * Splits author text into safe lines of a comment. It removes terminators, line separators that
 * only TypeScript knows, and lone surrogates. It escapes `@`, which TypeScript reads as a tag after
 * any white space: otherwise "not @deprecated" would deprecate.
 */
function commentLines(text: string): readonly string[] {
  return text
    .trim()
    .split(/\r\n|[\n\r\u2028\u2029\u0085]/)
    .map((line) =>
      line
        .replace(invisible, "")
        .replace(/\p{Cc}/gu, " ")
        .replace(/\p{Cs}/gu, "\ufffd")
        .replaceAll("*/", "*\\/")
        .replaceAll("/*", "/\\*")
        .replace(/(^|[\s*])@/g, "$1\\@")
        .trimEnd(),
    );
}

/** Returns the text of code. */
export function printCode(rope: Code): string {
  return piecesOf(rope)
    .map((piece) => piece.text)
    .join("");
}

/** Returns all imports that code needs. */
export function importsOf(rope: Code): readonly ImportedName[] {
  return piecesOf(rope).flatMap((piece) => (piece.imported ? [piece.imported] : []));
}

/**
 * Returns the pieces of code.
 *
 * @throws TypeError if `value` is not Code, for example a string
 */
export function piecesOf(value: Code | undefined): readonly Piece[] {
  if (!isCode(value)) throw new TypeError("only Code may be printed");
  return value.pieces;
}

/** Makes code of pieces, for the template renderer, which splits and joins code. */
export function ofPieces(pieces: readonly Piece[]): Code {
  return make(pieces);
}

/** Makes a union of literal types: `"a" | "b"`; `never` if there are none. */
export function literalUnion(values: readonly string[]): Code {
  if (values.length === 0) return code`never`;
  return join(
    values.map((each) => literal(each)),
    code` | `,
  );
}
