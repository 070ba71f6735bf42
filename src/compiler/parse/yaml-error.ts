import { type Document, isCollection, isScalar, type Node, visit, type YAMLError } from "yaml";
import type { DiagnosticCode, UnratedDiagnostic } from "../../core/diagnostic.js";
import { composeYaml, type YamlText } from "./compose-yaml.js";
import { lineAround, type OffsetRange } from "./line-around.js";

/**
 * Maximum number of lines with an error, or with its cause. One mistake makes the library report
 * many errors after it.
 */
const maxLines = 20;

/**
 * Maximum number of lines above to examine for columns. Nobody aligns text with something farther
 * away.
 */
const maxLinesAbove = 500;

/**
 * Describes YAML errors in plain words: the first error of the library, and other errors that don't
 * follow from it, one per line.
 */
export function yamlProblems(
  file: string,
  source: YamlText,
  document: Document.Parsed,
): readonly UnratedDiagnostic[] {
  const problems = problemsByLine(file, source, document).toSorted(
    (one, other) => one.diagnostic.span.start - other.diagnostic.span.start,
  );
  const root = problems.find(({ error }) => error.name !== "YAMLWarning");
  return problems
    .filter(
      (each) =>
        root === undefined ||
        each === root ||
        (isNoRepeat(each, problems) && isProblemOfItsLine(each, source)),
    )
    .map((each) => each.diagnostic);
}

/** An error of the library, and its diagnostic. */
interface Problem {
  readonly error: YAMLError;
  readonly diagnostic: UnratedDiagnostic;
}

/** Returns the library's first error about each line, errors before warnings. */
function problemsByLine(
  file: string,
  source: YamlText,
  document: Document.Parsed,
): readonly Problem[] {
  const found: Problem[] = [];
  const lines: OffsetRange[] = [];
  const isNew = (offset: number) =>
    !lines.some((line) => offset >= line.start && offset <= line.end);
  for (const error of [...document.errors, ...document.warnings]) {
    if (lines.length >= maxLines) break;
    const at = inside(error.pos[0], source);
    if (!isNew(at)) continue;
    const { start, end, words = wordsFor(error), related } = placeOf(error, source, document);
    const line = lineAround(start, source);
    if (isNew(start)) {
      const span = { file, start, end: Math.max(start, Math.min(end, line.end)) };
      const beside = related && { related: [{ ...related, span: { file, ...related.span } }] };
      found.push({ error, diagnostic: { code: codeOf(error), span, ...words, ...beside } });
    }
    lines.push(line, lineAround(at, source));
  }
  return found;
}

/** Keeps one problem for a file that is indented with tabs, instead of one per line. */
function isNoRepeat({ error }: Problem, problems: readonly Problem[]): boolean {
  const tab = problems.find((each) => each.error.code === "TAB_AS_INDENT");
  return error.code !== "TAB_AS_INDENT" || tab?.error === error;
}

/** Checks if the line is wrong even without the lines above. */
function isProblemOfItsLine({ error, diagnostic }: Problem, source: YamlText): boolean {
  const at = error.pos[0];
  const composed = composeYaml({ text: source.text, ...lineAround(diagnostic.span.start, source) });
  return (
    composed.kind === "document" &&
    [...composed.document.errors, ...composed.document.warnings].some(
      (each) => each.pos[0] === at && each.code === error.code,
    )
  );
}

function inside(offset: number, source: YamlText): number {
  return Math.min(Math.max(offset, source.start), source.end);
}

function codeOf(error: YAMLError): DiagnosticCode {
  if (error.code === "TAG_RESOLVE_FAILED" || error.code === "BAD_COLLECTION_TYPE") {
    return "parse/unknown-tag";
  }
  if (error.code === "RESOURCE_EXHAUSTION") return "parse/too-deep";
  return error.name === "YAMLWarning" ? "parse/doubtful-yaml" : "parse/invalid-yaml";
}

interface Words {
  readonly message: string;
  readonly help?: string;
}

/** Describes the author's mistake if it is known. Otherwise repeats the library's message. */
function wordsFor(error: YAMLError): Words {
  const known = knownProblems.find(([pattern]) => pattern.test(`${error.code} ${error.message}`));
  return known?.[1] ?? { message: plain(error.message) };
}

/** Converts the library's message to skillc's form: one line, without author text. */
function plain(message: string): string {
  const sentence = (message.split("\n")[0] ?? "")
    .replace(/:.*$|["'`].*$/, "")
    .trim()
    .replace(/\.$/, "");
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}

const quoteIt = "put the whole value in quotes";
const dropTag = "leave the tag out";

/** Patterns for the library's error code and message. The first matching one counts. */
const knownProblems: readonly (readonly [RegExp, Words])[] = [
  [/Missing closing/, { message: "a quote is never closed" }],
  [/must .*end with a/, { message: "a bracket is never closed" }],
  [/^TAB_AS_INDENT/, { message: "a tab is used as indentation", help: "indent with spaces" }],
  [/^BAD_INDENT/, { message: "the indentation of this line matches no line above it" }],
  [
    /^BAD_DQ_ESCAPE/,
    {
      message: "no such escape in double quotes",
      help: "write `\\\\` for a backslash, or use single quotes",
    },
  ],
  [
    /^BAD_SCALAR_START/,
    { message: "a value without quotes can't start with this character", help: quoteIt },
  ],
  [
    /^BLOCK_AS_IMPLICIT_KEY Nested/,
    {
      message: "this line has a second `: `",
      help: "put the value in quotes if the colon belongs to it",
    },
  ],
  [
    /^MULTILINE_IMPLICIT_KEY|need to be followed by map values/,
    {
      message: "a key without `: ` after it on the same line",
      help: "add the colon, or indent the line if it continues the value above",
    },
  ],
  [
    /block-seq-ind on same line/,
    { message: "a list starts on its key's line", help: "put each `- ` on a line of its own" },
  ],
  [
    /at node end/,
    {
      message: "more text after the end of a value",
      help: "put the whole value in quotes; `''` or `\\\"` spells a quote inside them",
    },
  ],
  [
    /ending in : is ambiguous/,
    { message: "this name ends in a colon", help: "put a space before the colon if it ends a key" },
  ],
  [/^BAD_DIRECTIVE/, { message: "a directive that YAML does not define", help: "leave it out" }],
  [/(?:seq|map)-end token/, { message: "a closing bracket that nothing opened" }],
  [
    /Not a YAML token|extra characters/,
    { message: "text after `|` or `>`", help: "start it on the next line" },
  ],
  [/^UNEXPECTED_TOKEN .* token/, { message: "this is not allowed here" }],
  [/^KEY_OVER_1024_CHARS/, { message: "a key is longer than 1024 characters" }],
  [/^TAG_RESOLVE_FAILED/, { message: "this tag gives the value no type", help: dropTag }],
  [/^BAD_COLLECTION_TYPE/, { message: "this tag does not fit its value", help: dropTag }],
  [/^RESOURCE_EXHAUSTION/, { message: "nesting goes too deep" }],
];

/** Describes a quote or bracket that is not closed. */
function unclosed(character: string): Words {
  const closing = closings.get(character) ?? character;
  const isQuote = closing === character;
  return {
    message: `this ${isQuote ? "quote" : "bracket"} is never closed`,
    help: `put \`${closing}\` where ${isQuote ? "the value" : "its content"} ends`,
  };
}

const closings: ReadonlyMap<string, string> = new Map([
  ["[", "]"],
  ["{", "}"],
]);

const braceWithoutQuotes: Words = {
  message: "between `{ }` or `[ ]`, a value with a brace in it needs quotes",
  help: 'put the whole value in quotes: `url: "${NAME}/path"`',
};

function textBehindQuote(quote: '"' | "'"): Words {
  const spelled = quote === '"' ? '\\"' : "''";
  return {
    message: "more text after the closing quote",
    help: `close the quote where the value ends; inside it \`${spelled}\` spells one`,
  };
}

/** @param columns start columns of the lines above, the deepest first */
function misplacedLine(indent: number, columns: readonly number[]): Words {
  const around = [columns.find((each) => each < indent), columns.findLast((each) => each > indent)];
  const fitting = around.flatMap((each) => (each === undefined ? [] : [spaces(each)]));
  return {
    message: "the indentation of this line matches no line above it",
    help: `start it after ${fitting.join(" or ")}, as lines above do`,
  };
}

function spaces(count: number): string {
  return count === 0 ? "no space" : count === 1 ? "1 space" : `${count} spaces`;
}

const deeperLine: Words = {
  message: "this line is indented deeper than the key above it, which has a value already",
  help: "start it in the column of that key, or put the whole value in quotes if the line continues it",
};

/** Span of an error, with a message if it depends on the place. */
interface ProblemPlace extends OffsetRange {
  readonly words?: Words;
  readonly related?: { readonly span: OffsetRange; readonly message: string };
}

interface Complaint {
  readonly error: YAMLError;
  readonly source: YamlText;
  readonly document: Document.Parsed;
}

/**
 * Span of the mistake. The library often reports the later place at which the text stops making
 * sense.
 */
function placeOf(error: YAMLError, source: YamlText, document: Document.Parsed): ProblemPlace {
  const complaint = { error, source, document };
  const place = { start: inside(error.pos[0], source), end: inside(error.pos[1], source) };
  if (/Missing closing|must .*end with a/.test(error.message)) {
    return opener(place.start, complaint) ?? place;
  }
  if (/at node end/.test(error.message))
    return behindQuote(place, complaint) ?? braceInFlow(place, source) ?? place;
  if (/must start at the same column|item without - indicator/.test(error.message)) {
    return indentation(place.start, source);
  }
  if (error.code === "MULTILINE_IMPLICIT_KEY") return keyBelow(place, source) ?? place;
  if (error.code === "BLOCK_AS_IMPLICIT_KEY") {
    return keyOfSeveralLines(complaint) ?? { ...place, end: source.end };
  }
  if (error.code === "MISSING_CHAR") return braceInFlow(place, source) ?? place;
  return place;
}

/** Span of an unclosed bracket or quote. */
function opener(end: number, { source, document }: Complaint): ProblemPlace | undefined {
  const node = nodeUpTo(end, document);
  if (node === undefined) return undefined;
  return { ...firstCharacter(node), words: unclosed(source.text.charAt(node.start)) };
}

/**
 * Finds the opening quote of a value over several lines, which was most likely not intended. The
 * mistake is then the first quote, and not the text after the last one.
 */
function behindQuote(
  place: OffsetRange,
  { source, document }: Complaint,
): ProblemPlace | undefined {
  const { text } = source;
  const end = text.slice(source.start, place.start).trimEnd().length + source.start;
  const value = nodeUpTo(end, document);
  const quote = text.charAt(value?.start ?? end);
  if (value === undefined || (quote !== '"' && quote !== "'")) return undefined;
  const opened = firstCharacter(value);
  if (end <= lineAround(value.start, source).end) {
    const related = { span: opened, message: "the value starts here" };
    return { ...place, words: textBehindQuote(quote), related };
  }
  const related = { span: { start: end - 1, end }, message: "the next quote is here" };
  return { ...opened, words: unclosed(quote), related };
}

/**
 * Finds a brace in an unquoted value between brackets, which ends the value: `{ url:
 * ${ORDERS_URL}/orders }`.
 */
function braceInFlow({ start, end }: OffsetRange, { text }: YamlText): ProblemPlace | undefined {
  if (!/^\S\{/.test(text.slice(start - 1, start + 1))) return undefined;
  return {
    start: text.charAt(start - 1) === "$" ? start - 1 : start,
    end,
    words: braceWithoutQuotes,
  };
}

/**
 * Finds a line whose indentation lies between the columns above. The library may report the blank
 * lines before it.
 */
function indentation(at: number, source: YamlText): ProblemPlace {
  const blank = /\s*/y;
  blank.lastIndex = at;
  blank.test(source.text);
  const { start } = lineAround(inside(blank.lastIndex, source), source);
  const indent = indentAt(start, source);
  const words = misplacedLine(indent, columnsAbove(start, source));
  return { start, end: start + Math.max(indent, 1), words };
}

/** Number of spaces before the first character of the line that starts here. */
function indentAt(lineStart: number, source: YamlText): number {
  let at = lineStart;
  while (at < source.end && source.text.charAt(at) === " ") at += 1;
  return at - lineStart;
}

/** Start columns of the open collections above a line, deepest first. */
function columnsAbove(lineStart: number, source: YamlText): readonly number[] {
  const columns: number[] = [];
  let at = lineStart;
  for (let count = 0; count < maxLinesAbove && at > source.start; count += 1) {
    const line = lineAround(at - 1, source);
    at = line.start;
    const content = source.text.slice(line.start, line.end).trimStart();
    if (content === "" || content.startsWith("#")) continue;
    const column = indentAt(line.start, source);
    const dash = /^- +(?=[^ #])/.exec(content)?.[0].length ?? 0;
    for (const each of dash > 0 ? [column + dash, column] : [column]) {
      if (each < (columns.at(-1) ?? Infinity)) columns.push(each);
    }
    if (column === 0) break;
  }
  return columns;
}

/**
 * Finds a key that is indented too deep. The library reports a key of several lines that starts
 * behind another key: that key's value, and the deeper key below.
 */
function keyBelow({ start, end }: OffsetRange, source: YamlText): ProblemPlace | undefined {
  const last = lineAround(end, source).start;
  const first = lineAround(start, source).start;
  if (last <= start || first + indentAt(first, source) === start) return undefined;
  return { start: last + indentAt(last, source), end, words: deeperLine };
}

/** Finds the place of such a key. The library also reports that it is a mapping on its own line. */
function keyOfSeveralLines({ error, source, document }: Complaint): ProblemPlace | undefined {
  const key = document.errors.find(
    (each) => each.code === "MULTILINE_IMPLICIT_KEY" && each.pos[0] === error.pos[0],
  );
  return key && keyBelow({ start: key.pos[0], end: key.pos[1] }, source);
}

/** Returns the innermost quoted text or flow collection that the parser read up to this offset. */
function nodeUpTo(end: number, document: Document.Parsed): OffsetRange | undefined {
  let found: OffsetRange | undefined;
  const look = (node: Node) => {
    const isQuoted = isScalar(node) && node.type?.startsWith("QUOTE_") === true;
    const isFlow = isCollection(node) && node.flow === true;
    if ((isQuoted || isFlow) && node.range?.[1] === end) found = { start: node.range[0], end };
  };
  visit(document, { Scalar: (_, node) => look(node), Collection: (_, node) => look(node) });
  return found;
}

function firstCharacter({ start }: OffsetRange): OffsetRange {
  return { start, end: start + 1 };
}
