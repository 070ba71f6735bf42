import { quote, shown } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import { type Declaration, type ProtoFile, spanOf, type Token } from "./proto-file.js";

interface Told {
  readonly message: string;
  /** Absent: where the file starts. */
  readonly at?: Token | undefined;
  readonly help?: string;
}

type Teller = (parts: readonly string[], file: ProtoFile) => Told;

/** The library's words; what varies in them is what the teller gets. */
const tellers: readonly (readonly [words: RegExp, tell: Teller])[] = [
  [
    /^illegal token '(.*)', '(.*)' expected \(line (\d+)\)$/s,
    ([found = "", wanted = "", line], file) => ({
      ...illegal(found, Number(line), file),
      message: `${quote(wanted)} is expected here, and ${foundWords(found)}`,
    }),
  ],
  [
    /^illegal (.*?) '(.*)' \(line (\d+)\)$/s,
    ([what = "", found = "", line], file) => ({
      ...illegal(found, Number(line), file),
      message: illegalWords(what, found),
    }),
  ],
  [
    /^illegal (string|comment) \(line (\d+)\)$/,
    ([what = "", line], file) => ({
      message: `the ${what} has no end`,
      at: firstOn(Number(line), file),
    }),
  ],
  [
    /^duplicate name '(.*)' in (?:\w+ ?)(.*)$/,
    ([name = "", parent = ""], file) => ({
      message: `the name ${quote(name)} stands twice${within(parent)}`,
      at: last(file, parent, (each) => each.name.text === name),
    }),
  ],
  [
    /^duplicate id (-?\d+) in (?:\w+ ?)(.*)$/,
    ([number = "", parent = ""], file) => ({
      message: `the number ${shown(number)} stands twice${within(parent)}`,
      at: last(file, parent, (each) => Number(each.number?.text) === Number(number), "number"),
      help: "give each a number of its own: numbers are what is sent in place of names",
    }),
  ],
  [
    /^id (-?\d+) is reserved in (?:\w+ ?)(.*)$/,
    ([number = "", parent = ""], file) => ({
      message: `the number ${shown(number)} is reserved${within(parent)}`,
      at: last(file, parent, (each) => Number(each.number?.text) === Number(number), "number"),
    }),
  ],
  [
    /^name '(.*)' is reserved in (?:\w+ ?)(.*)$/,
    ([name = "", parent = ""], file) => ({
      message: `the name ${quote(name)} is reserved${within(parent)}`,
      at: last(file, parent, (each) => each.name.text === name),
    }),
  ],
  [
    /^Unknown edition: (.*)$/s,
    ([edition = ""], file) => ({
      message: `there is no syntax ${quote(edition)}`,
      at: file.tokens.find(({ text }) => text.slice(1, -1) === edition),
      help: 'write `syntax = "proto3";`',
    }),
  ],
  [/^max depth exceeded$/, () => ({ message: "the schema is nested too deep" })],
];

/** Says in our words what the library refuses, as near to its place as can be told. */
export function reportRefusal(error: unknown, file: ProtoFile, report: Report): void {
  const refusal = error instanceof Error ? error.message : "";
  const { at = file.tokens[0], help, message } = told(refusal, file);
  const path = file.source.path;
  report.add({
    code: "queue/bad-protobuf-schema",
    span: at === undefined ? { file: path, start: 0, end: 0 } : spanOf(path, at),
    message,
    help,
  });
}

function told(refusal: string, file: ProtoFile): Told {
  for (const [words, tell] of tellers) {
    const [, ...parts] = words.exec(refusal) ?? [];
    if (parts.length > 0 || words.test(refusal)) return tell(parts, file);
  }
  return { message: `protobufjs refuses the schema: ${shown(refusal)}` };
}

function illegalWords(what: string, found: string): string {
  if (found === "null") return "the file ends too early";
  if (what === "token") return `${quote(found)} can't stand here`;
  return `${quote(found)} is no ${what === "id" ? "number" : what}`;
}

function foundWords(found: string): string {
  return found === "null" ? "the file ends" : `${quote(found)} stands here`;
}

/** The library counts lines; what it did not like is the last of its kind up to there. */
function illegal(found: string, line: number, file: ProtoFile): Pick<Told, "at"> {
  const end = endOfLine(line, file.source.text);
  const before = file.tokens.filter(({ start }) => start < end);
  const same = before.findLast(({ text }) => text === found || text.slice(1, -1) === found);
  return { at: (found === "null" ? file.tokens.at(-1) : same) ?? firstOn(line, file) };
}

function firstOn(line: number, { source, tokens }: ProtoFile): Token | undefined {
  const start = line === 1 ? 0 : endOfLine(line - 1, source.text);
  return tokens.find((token) => token.start >= start) ?? tokens.at(-1);
}

function endOfLine(line: number, text: string): number {
  let at = 0;
  for (let count = 0; count < line; count += 1) {
    const next = text.indexOf("\n", at);
    if (next < 0) return text.length;
    at = next + 1;
  }
  return at;
}

/** The library names what something is in as far as it knows it by then: `Order`, and not yet `acme.Order`. */
function last(
  { outline }: ProtoFile,
  parent: string,
  isMeant: (each: Declaration) => boolean,
  part: "name" | "number" = "name",
): Token | undefined {
  const inside = outline.declared.filter(isMeant);
  const name = parent.replace(/^\./, "");
  const found = inside.findLast((each) => each.parent === name || each.parent.endsWith(`.${name}`));
  return (found ?? inside.at(-1))?.[part];
}

function within(parent: string): string {
  const name = parent.replace(/^\./, "");
  return name === "" ? "" : ` in ${quote(name)}`;
}
