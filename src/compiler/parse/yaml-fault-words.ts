import type { YAMLError } from "yaml";

export interface Words {
  readonly message: string;
  readonly help?: string;
}

/** What the author did, where the library says what its parser saw; else the library's own sentence. */
export function wordsFor(error: YAMLError): Words {
  const known = knownFaults.find(([pattern]) => pattern.test(`${error.code} ${error.message}`));
  return known?.[1] ?? { message: plain(error.message) };
}

/** The library's sentence as our messages are written: one line, with no text of the author's in it. */
function plain(message: string): string {
  const sentence = (message.split("\n")[0] ?? "")
    .replace(/:.*$|["'`].*$/, "")
    .trim()
    .replace(/\.$/, "");
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}

const quoteIt = "put the whole value in quotes";
const dropTag = "leave the tag out";

/** Patterns of the library's error code and message; the first that fits counts. */
const knownFaults: readonly (readonly [RegExp, Words])[] = [
  [/Missing closing/, { message: "a quote is never closed" }],
  [/must .*end with a/, { message: "a bracket is never closed" }],
  [/^TAB_AS_INDENT/, { message: "a tab is used as indentation", help: "indent with spaces" }],
  [/^BAD_INDENT/, { message: "this line's indentation fits nothing above it" }],
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
      message: "a second `: ` stands in one line",
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
  [/^UNEXPECTED_TOKEN .* token/, { message: "this can't stand here" }],
  [/^KEY_OVER_1024_CHARS/, { message: "a key is longer than 1024 characters" }],
  [/^TAG_RESOLVE_FAILED/, { message: "this tag gives the value no type", help: dropTag }],
  [/^BAD_COLLECTION_TYPE/, { message: "this tag does not fit its value", help: dropTag }],
  [/^RESOURCE_EXHAUSTION/, { message: "nesting goes too deep" }],
];

/** A quote or bracket that opens and is not closed. */
export function unclosed(character: string): Words {
  const closing = closings.get(character) ?? character;
  const isQuote = closing === character;
  return {
    message: `this ${isQuote ? "quote" : "bracket"} is never closed`,
    help: `put \`${closing}\` where ${isQuote ? "the value" : "what it holds"} ends`,
  };
}

const closings: ReadonlyMap<string, string> = new Map([
  ["[", "]"],
  ["{", "}"],
]);

export const braceWithoutQuotes: Words = {
  message: "between `{ }` or `[ ]`, a value with a brace in it needs quotes",
  help: 'put the whole value in quotes: `url: "${NAME}/path"`',
};

export function textBehindQuote(quote: '"' | "'"): Words {
  const spelled = quote === '"' ? '\\"' : "''";
  return {
    message: "more text after the closing quote",
    help: `close the quote where the value ends; inside it \`${spelled}\` spells one`,
  };
}

/** @param columns those in which lines above start, the deepest first */
export function misplacedLine(indent: number, columns: readonly number[]): Words {
  const around = [columns.find((each) => each < indent), columns.findLast((each) => each > indent)];
  const fitting = around.flatMap((each) => (each === undefined ? [] : [spaces(each)]));
  return {
    message: "this line's indentation fits nothing above it",
    help: `start it after ${fitting.join(" or ")}, as lines above do`,
  };
}

function spaces(count: number): string {
  return count === 0 ? "no space" : count === 1 ? "1 space" : `${count} spaces`;
}

export const deeperLine: Words = {
  message: "this line is indented deeper than the key above it, which has a value already",
  help: "start it in the column of that key, or put the whole value in quotes if the line continues it",
};
