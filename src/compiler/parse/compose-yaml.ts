import { Composer, type CST, type Document, Lexer, type ParsedNode, Parser } from "yaml";
import type { DiagnosticCode } from "../../core/diagnostic.js";

/** Maximum depth of nesting, with aliases expanded. Hand-written schemas stay below 20 levels. */
export const maxLevels = 100;

/** Maximum number of maps, lists and scalars in one document, with aliases expanded. */
export const maxNodes = 100_000;

/** Maximum number of lexical tokens in one document, which limits the time to read it. */
export const maxTokens = 300_000;

/**
 * Maximum product of the numbers of blank lines and comments. For each comment, the parser scans
 * the blank lines above again, so a small file of both could take minutes.
 */
const maxBlankLinesTimesComments = 50_000_000;

/** Limits on reading a document, whatever its text. */
export interface YamlLimits {
  readonly levels: number;
  readonly nodes: number;
  readonly tokens: number;
  /** Set if `<<` merges as in YAML 1.1, for files of other programs whose readers do that. */
  readonly mergesKeys?: true;
  /** Set if the caller checks the `digits` of numbers itself, so that none are reported here. */
  readonly keepsDigits?: true;
  /** Set for files of other people, to report no value that ends at a `#`. */
  readonly allowsCutValues?: true;
}

/** Limits for files that people write by hand. */
export const handWritten: YamlLimits = {
  levels: maxLevels,
  nodes: maxNodes,
  tokens: maxTokens,
};

/** A part of a text, and its format in messages. */
export interface YamlText {
  /** Text of the whole file. Offsets count from its start. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Reason for stopping before the end of a text. */
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
 * Parses a text to a document of the `yaml` package, with offsets from the start of the file. Time
 * and depth are limited, whatever the text.
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
 * Turns off stack traces. The library creates an Error for each problem, and a hostile text has
 * hundreds of thousands; stack traces would take most of the time.
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
 * Returns the concrete syntax of the first document, or the reason why there is none. The function
 * drives the parser token by token, so that it can stop at any token.
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
  // Beside the collections, the stack contains the document and the current token.
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
  return `the nesting is deeper than ${levels} levels`;
}

/**
 * Problem of a second document. It is reported at once, so that a stream of thousands of documents
 * isn't read to its end.
 */
function secondDocument(at: number): ComposeProblem {
  return {
    code: "parse/multiple-documents",
    message: "a second YAML document starts here",
    start: at,
    end: at + 3,
  };
}
