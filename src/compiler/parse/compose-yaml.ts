import { Composer, type CST, type Document, Lexer, type ParsedNode, Parser } from "yaml";
import type { DiagnosticCode } from "../../core/diagnostic.js";

/** Levels of nesting, aliases expanded. Hand-written schemas stay below 20. */
export const maxLevels = 100;

/** Maps, lists and scalars of one document, aliases expanded. */
export const maxNodes = 100_000;

/** Lexical tokens of one document: what bounds the time that reading takes. */
export const maxTokens = 300_000;

/**
 * Blank lines times comments. The parser looks through the blank lines above a comment again for
 * every further comment, so a small file of nothing else takes it minutes.
 */
const maxBlankLinesTimesComments = 50_000_000;

/** How much of a document is read, whatever its text. */
export interface YamlLimits {
  readonly levels: number;
  readonly nodes: number;
  readonly tokens: number;
  /** Set where `<<` merges, as in YAML 1.1: what others wrote, whose readers do so. */
  readonly mergesKeys?: true;
  /** Set if the reader looks at the `digits` of numbers, so that nothing is said of them here. */
  readonly keepsDigits?: true;
}

/** For what people write by hand. */
export const handWritten: YamlLimits = {
  levels: maxLevels,
  nodes: maxNodes,
  tokens: maxTokens,
};

/** A stretch of text and what it means to be read as. */
export interface YamlText {
  /** The whole file: offsets count from its start. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Why a text was given up before it was read to its end. */
interface ComposeProblem {
  readonly code: DiagnosticCode;
  readonly message: string;
  readonly start: number;
  readonly end: number;
}

type Composed =
  | { readonly kind: "document"; readonly document: Document.Parsed<ParsedNode> }
  | { readonly kind: "nothing" }
  | { readonly kind: "problem"; readonly problem: ComposeProblem };

/**
 * The yaml library's document, offsets counted from the start of the file. Bounded in time and
 * depth, whatever the text.
 */
export function composeYaml(source: YamlText, limits = handWritten): Composed {
  const tokens = readTokens(source, limits);
  if ("code" in tokens) return { kind: "problem", problem: tokens };
  const composer = new Composer<ParsedNode>({
    schema: "core",
    resolveKnownTags: false,
    uniqueKeys: false,
    keepSourceTokens: true,
    logLevel: "silent",
  });
  const [document] = withoutStackTraces(() => [...composer.compose(tokens, true, source.end)]);
  return document === undefined ? { kind: "nothing" } : { kind: "document", document };
}

/**
 * The library makes an Error of every complaint, of which a hostile text has hundreds of thousands:
 * stack traces are most of their cost.
 */
function withoutStackTraces<T>(compose: () => T): T {
  const before = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  try {
    return compose();
  } finally {
    Error.stackTraceLimit = before;
  }
}

/**
 * Concrete syntax of the first document, or why there is none. The parser is fed by hand so that it
 * can be stopped at any token.
 */
function readTokens(source: YamlText, limits: YamlLimits): readonly CST.Token[] | ComposeProblem {
  const parser = new Parser();
  parser.offset = source.start;
  const tokens: CST.Token[] = [];
  const tally = { tokens: 0, blankLines: 0, comments: 0, lineIsBlank: true };
  let documents = 0;
  const keep = (token: CST.Token) => {
    tokens.push(token);
    if (token.type === "document") documents += 1;
  };
  for (const lexeme of new Lexer().lex(source.text.slice(source.start, source.end))) {
    const at = parser.offset;
    count(lexeme, tally);
    for (const token of parser.next(lexeme)) keep(token);
    const second = documents > 0 && parser.stack[0]?.type === "document";
    const problem = second
      ? secondDocument(at)
      : limitProblem(at, parser.stack.length, tally, limits);
    if (problem) return { ...problem, end: Math.min(problem.end, source.end) };
  }
  for (const token of parser.end()) keep(token);
  return tokens;
}

interface Tally {
  tokens: number;
  blankLines: number;
  comments: number;
  lineIsBlank: boolean;
}

function count(lexeme: string, tally: Tally): void {
  tally.tokens += 1;
  const isNewline = lexeme === "\n" || lexeme === "\r\n";
  if (isNewline && tally.lineIsBlank) tally.blankLines += 1;
  if (lexeme.startsWith("#")) tally.comments += 1;
  tally.lineIsBlank = isNewline || (tally.lineIsBlank && lexeme.trim() === "");
}

function limitProblem(
  at: number,
  levels: number,
  tally: Tally,
  limits: YamlLimits,
): ComposeProblem | undefined {
  const place = { start: at, end: at + 1 };
  // The stack holds the document and the token being read besides the collections around it.
  if (levels > limits.levels + 2)
    return { code: "parse/too-deep", message: tooDeep(limits), ...place };
  if (
    tally.tokens > limits.tokens ||
    tally.blankLines * tally.comments > maxBlankLinesTimesComments
  ) {
    return { code: "parse/too-large", message: "the document has too many parts", ...place };
  }
  return undefined;
}

export function tooDeep({ levels }: YamlLimits): string {
  return `nesting goes deeper than ${levels} levels`;
}

/** Reported at once: a stream of thousands of documents would be read to its end for nothing. */
function secondDocument(at: number): ComposeProblem {
  return {
    code: "parse/multiple-documents",
    message: "a second YAML document starts here",
    start: at,
    end: at + 3,
  };
}
