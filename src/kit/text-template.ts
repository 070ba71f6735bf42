import { shown } from "../core/names.js";
import type { Report } from "../core/report.js";
import type { SchemaModel } from "../core/skill-model.js";
import type { Span } from "../core/span.js";
import { type ScalarNode, spanWithin, type SyntaxNode } from "../core/syntax-node.js";
import { type BareReference, bareReference } from "./bare-reference.js";
import { type Token, tokensOf } from "./template-tokens.js";

/** The references that a binding kind's templates may contain. Each kind has one language. */
export interface TemplateLanguage<Root extends string = never> {
  /** Name of the kind; codes are `<kind>/…`. */
  readonly kind: string;
  /**
   * Same as the kind's own `roots`. A kind that names a root has such parts in its templates, and
   * TypeScript then reports every place that must handle them.
   */
  readonly roots?: readonly TemplateRoot<Root>[];
  /** True if `{region...}` may mark a value as several tokens of the surrounding text. */
  readonly hasTokens?: boolean;
  /** True if `{author?}` may mark a parameter whose absence drops the whole text. */
  readonly hasOptional?: boolean;
}

/**
 * A source of values besides the parameters: `result` for `{result.id}`. A tool with a parameter of
 * that name can't refer to it, because the reference would be ambiguous.
 */
export interface TemplateRoot<Name extends string = string> {
  /** Name of the root in references. */
  readonly name: Name;
  /** Schema of its value; templates may name the paths that it declares. */
  readonly schema: SchemaModel;
  /** Set if only fields may be used, not the value itself. */
  readonly hasOnlyFields?: true;
  /** Set if authors write references as paths without braces: `caller.tenant`. */
  readonly isBare?: true;
}

/**
 * Text of a binding, with its references separated from literal text. The text is parsed only once:
 * an inserted value is never parsed.
 *
 * @typeParam Root names of the roots in its language
 */
export interface TextTemplate<Root extends string = never> {
  /** Span of the text. */
  readonly span: Span;
  /** Parts of the text, in order. */
  readonly parts: readonly TextPart<Root>[];
  /** False after a problem, because the references of the damaged part are unknown. */
  readonly whole: boolean;
}

/** A part of a text: literal text or a reference. */
export type TextPart<Root extends string = never> =
  LiteralPart | CredentialPart | ParameterPart | RootPart<Root>;

/**
 * An escape (`{{`, `$$`) is a part of its own, so that in any other literal, offsets in text and
 * source advance together.
 */
export interface LiteralPart extends PartPlace {
  readonly kind: "literal";
  /** Text after escapes are resolved. */
  readonly text: string;
}

/** A credential or setting: `${NAME}`. */
export interface CredentialPart extends PartPlace {
  readonly kind: "credential";
  /** Name of the credential or setting. */
  readonly name: string;
}

/** `{param}` or `{param.field}`; with `...` or `?` at the end if the language has such marks. */
export interface ParameterPart extends PartPlace {
  readonly kind: "parameter";
  /** Name of the parameter, then of the fields below it. */
  readonly path: readonly string[];
  /** `tokens` for a reference that ends with `...`. */
  readonly extent?: "tokens";
  /** Set for a reference that ends with `?`: without a value, the whole text is dropped. */
  readonly optional?: true;
}

/** A value of a root: `{result}` or `{result.id}`. */
export type RootPart<Root extends string> = Root extends string
  ? PartPlace & {
      readonly kind: "root";
      /** Name of the root. */
      readonly root: Root;
      /** Names of the fields below the root, outermost first. */
      readonly path: readonly string[];
      /** `tokens` for a reference that ends with `...`. */
      readonly extent?: "tokens";
    }
  : never;

/** `start` and `end` are offsets into the scalar's value. */
interface PartPlace {
  /** Offset of the part in the scalar's value. */
  readonly start: number;
  /** Offset after the part in the scalar's value. */
  readonly end: number;
  /** Place of the part in the author's file. */
  readonly span: Span;
}

/** A scalar that holds text. */
export type TextNode = ScalarNode & { readonly value: string };

/** Returns the node if it is a scalar with text; otherwise undefined. */
export function textNode(node: SyntaxNode | undefined): TextNode | undefined {
  return node?.kind === "scalar" && typeof node.value === "string"
    ? { ...node, value: node.value }
    : undefined;
}

/**
 * Parses the reference language of all binding kinds: `${NAME}`, `{param}`, `{param.field}`, `{{`
 * and `}}` for braces, `$$` before a brace for `$`. The name of a parameter is any text without
 * braces and dots, and without surrounding spaces. A placeholder that begins with a root's name is
 * a value of that root.
 *
 * @param language its problems are `<kind>/lone-brace`, `<kind>/bad-placeholder` and
 * `<kind>/lone-surrogate`
 */
export function parseTemplate<Root extends string = never>(
  node: TextNode,
  language: TemplateLanguage<Root>,
  report: Report,
): TextTemplate<Root> {
  const { kind, roots = [] } = language;
  const parts: TextPart<Root>[] = [];
  let whole = true;
  const bare = bareReference(node.value);
  for (const { raw, literal, start, end } of tokensAround(bare, node.value)) {
    const place = { start, end, span: spanWithin(node, start, end) };
    const { part, problem } =
      literal === undefined
        ? start === bare?.start
          ? readBareReference(bare.name, raw, place)
          : readPlaceholder(raw, place, language)
        : { part: { kind: "literal", text: literal, ...place } as const };
    if (part !== undefined) parts.push(rooted(part, roots));
    const spanAt = (index: number) => spanWithin(node, start + index, start + index + 1);
    if (literal !== undefined) checkCharacters(literal, spanAt, kind, report);
    if (problem === undefined) continue;
    whole = false;
    const { what, message, help } = problem;
    report.add({ code: `${kind}/${what}`, span: place.span, message, help });
  }
  return { span: node.span, parts, whole };
}

/** Returns the part, or a part of a root if its first step is the root's name. */
export function rooted<Root extends string>(
  part: TextPart,
  roots: readonly TemplateRoot<Root>[] = [],
): TextPart<Root> {
  if (part.kind !== "parameter") return part;
  const [first, ...path] = part.path;
  const root = roots.find(({ name }) => name === first)?.name;
  const either = root === undefined ? part : ({ ...part, kind: "root", root, path } as const);
  // The union has one member for each root, which TypeScript can't know here.
  return either as TextPart<Root>;
}

/**
 * Reports half of a surrogate pair in a text, because UTF-8 can't encode it.
 *
 * @param spanAt returns the span of the character at an index
 */
export function checkCharacters(
  text: string,
  spanAt: (index: number) => Span,
  kind: string,
  report: Report,
): void {
  const found = /\p{Cs}/u.exec(text);
  if (found === null) return;
  report.add({
    code: `${kind}/lone-surrogate`,
    span: spanAt(found.index),
    message: `U+${found[0].charCodeAt(0).toString(16).toUpperCase()} is half of a surrogate pair, not a character`,
    help: "remove it, or write the whole character",
  });
}

/** Tokens of the text, in which the reference without braces is one token. */
function* tokensAround(bare: BareReference | undefined, text: string): Iterable<Token> {
  if (bare === undefined) return yield* tokensOf(text);
  const { start, end } = bare;
  yield* tokensOf(text.slice(0, start));
  yield { raw: text.slice(start, end), start, end };
  for (const token of tokensOf(text.slice(end))) {
    yield { ...token, start: token.start + end, end: token.end + end };
  }
}

interface Reading {
  readonly part?: TextPart;
  readonly problem?: Problem;
}

interface Problem {
  readonly what: "lone-brace" | "bad-placeholder";
  readonly message: string;
  readonly help: string;
}

function readPlaceholder(
  raw: string,
  place: PartPlace,
  { hasTokens = false, hasOptional = false, roots = [] }: TemplateLanguage<string>,
): Reading {
  if (!raw.endsWith("}") || raw === "}") return { problem: loneBrace(raw) };
  if (raw.startsWith("${{")) return readWorkflowExpression(raw, place);
  if (raw.startsWith("$")) return readCredential(raw, place);
  if (hasTokens && raw.endsWith("...}")) return readMarked(raw, "...", place);
  if (!hasOptional || !raw.endsWith("?}")) return readParameter(raw, place);
  const reading = readMarked(raw, "?", place);
  const root = roots.find(({ name }) => name === reading.part?.path[0]);
  return root === undefined ? reading : { ...reading, problem: alwaysThere(raw) };
}

/** Reads a reference that ends with a mark, `...` or `?`. */
function readMarked(
  raw: string,
  mark: "..." | "?",
  place: PartPlace,
): Reading & { readonly part?: ParameterPart } {
  const { part, problem } = readParameter(`${raw.slice(0, -1 - mark.length)}}`, place);
  const marked = mark === "?" ? ({ optional: true } as const) : ({ extent: "tokens" } as const);
  return { ...(part && { part: { ...part, ...marked } }), ...(problem && { problem }) };
}

function alwaysThere(raw: string): Problem {
  return {
    what: "bad-placeholder",
    message: `\`${shown(raw)}\` always has a value: only a parameter can be absent`,
    help: `write \`${shown(raw.replace("?", ""))}\``,
  };
}

function loneBrace(raw: string): Problem {
  const brace = raw.slice(-1);
  const message = `this \`${raw}\` ${brace === "{" ? "opens a placeholder that nothing closes" : "closes nothing"}`;
  return { what: "lone-brace", message, help: `for a literal brace write \`${brace}${brace}\`` };
}

/**
 * Reads a reference without braces as the intended one, so that nothing else reports the mistake
 * again.
 */
function readBareReference(name: string, raw: string, place: PartPlace): Reading {
  const problem: Problem = {
    what: "bad-placeholder",
    message: `\`${raw}\` refers to nothing: a reference needs braces`,
    help: `write \`\${${name}}\``,
  };
  return { part: { kind: "credential", name, ...place }, problem };
}

/**
 * Reads `${{ secrets.NAME }}` of GitHub's workflows as the intended reference, so that nothing else
 * is reported about it.
 */
function readWorkflowExpression(raw: string, place: PartPlace): Reading {
  const path = raw.slice(3, -2).trim().split(".");
  const last = path.at(-1)?.trim() ?? "";
  const name = credentialName.test(last) ? last : "NAME";
  const problem: Problem = {
    what: "bad-placeholder",
    message: `\`${shown(raw)}\` is an expression of GitHub Actions, which means nothing here`,
    help: `write \`\${${name}}\`, and give the runtime a setting \`${name}\``,
  };
  return { part: { kind: "credential", name, ...place }, problem };
}

/** Valid names of environment variables. */
const credentialName = /^[A-Za-z_][A-Za-z0-9_]*$/;

function readCredential(raw: string, place: PartPlace): Reading {
  const inner = raw.slice(2, -1);
  const name = inner.trim();
  const valid = credentialName.test(name);
  const part = valid ? ({ kind: "credential", name, ...place } as const) : undefined;
  if (part !== undefined && name === inner) return { part };
  const better = valid
    ? name
    : nameWithin(name)
        .replace(/[^A-Za-z0-9_]+/g, "_")
        .replace(/^(?=[0-9])/, "_")
        .slice(0, 64) || "NAME";
  const message =
    inner === ""
      ? "this placeholder names no credential"
      : `\`${shown(inner)}\` is not the name of a credential`;
  const help = `write \`\${${better}}\`: letters, digits and \`_\`; for a literal \`\${\` write \`$$\{{\``;
  return { ...(part && { part }), problem: { what: "bad-placeholder", message, help } };
}

/** Returns the name in other tools' notation: `env:TOKEN`, `TOKEN:-none`. */
function nameWithin(text: string): string {
  const { name = text } =
    /^(?:(?:process\.)?env|secrets?|vars?)[.:](?<name>\w+)$/i.exec(text)?.groups ??
    /^(?<name>[A-Za-z_]\w*)(?::[-=?+]|[=?+])/.exec(text)?.groups ??
    {};
  return name;
}

function readParameter(raw: string, place: PartPlace): Reading & { readonly part?: ParameterPart } {
  const inner = raw.slice(1, -1);
  const path = inner.split(".").map((step) => step.trim());
  const valid = path.every((step) => step !== "");
  const part = valid ? ({ kind: "parameter", path, ...place } as const) : undefined;
  const written = path.filter((step) => step !== "").join(".");
  if (part !== undefined && written === inner) return { part };
  const message =
    written === ""
      ? "this placeholder names no parameter"
      : `\`${shown(raw)}\` is not a placeholder`;
  const help = `write \`{${shown(written || "parameter")}}\`, or \`{{\` and \`}}\` for literal braces`;
  return { ...(part && { part }), problem: { what: "bad-placeholder", message, help } };
}

/** Returns the text of a template without references; undefined if it has any. */
export function literalText(template: TextTemplate<string>): string | undefined {
  return template.parts.every((part) => part.kind === "literal")
    ? template.parts.map((part) => part.text).join("")
    : undefined;
}

/** A part whose value depends on the call. */
export type ValuePart = ParameterPart | RootPart<string>;

/** Returns whether a part is a parameter or a value of a root. */
export function isValuePart<Part extends TextPart<string>>(
  part: Part,
): part is Extract<Part, { readonly kind: ValuePart["kind"] }> {
  return part.kind === "parameter" || part.kind === "root";
}

/** Returns the name of a value without braces: `order_id`, `caller.tenant`. */
export function valueName(part: ValuePart): string {
  return [...(part.kind === "root" ? [part.root] : []), ...part.path].join(".");
}

/** The value of a template that consists of one placeholder; it keeps its JSON type. */
export function loneValue(template: TextTemplate<string>): ValuePart | undefined {
  const [only, ...rest] = template.parts;
  return only !== undefined && isValuePart(only) && rest.length === 0 ? only : undefined;
}

/** The parameter of a template that consists of one placeholder; its value keeps its JSON type. */
export function loneParameter(template: TextTemplate<string>): ParameterPart | undefined {
  const [only, ...rest] = template.parts;
  return only?.kind === "parameter" && rest.length === 0 ? only : undefined;
}

/** The span of `part.text.slice(from, to)`; `node` is the source of the part. */
export function spanInLiteral(node: TextNode, part: LiteralPart, from: number, to: number): Span {
  const end = to === part.text.length ? part.end : part.start + to;
  return spanWithin(node, part.start + from, end);
}
