import type { YAMLError } from "yaml";

interface Words {
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
  [/Missing closing/, { message: "this quote is never closed" }],
  [/must .*end with a/, { message: "this bracket is never closed" }],
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
