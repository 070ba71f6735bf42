import { quote, shown } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import { emptyRoot, parseText } from "./parse-text.js";
import {
  type Declaration,
  type ProtoFile,
  type Reserved,
  spanOf,
  type Token,
  unquoted,
} from "./proto-file.js";

interface Cause {
  readonly message: string;
  readonly at: Token;
  readonly help?: string;
}

/**
 * Reports that the library can't read a file. The cause comes from our own outline of the file. If
 * the outline shows none, the library's error is quoted, but never interpreted.
 *
 * @param others files that were read before
 */
export function reportLibraryError(
  error: unknown,
  file: ProtoFile,
  others: Iterable<ProtoFile>,
  report: Report,
): void {
  const words = messageOf(error);
  const stop = stopOf(file, words);
  const path = file.source.path;
  const cause =
    (stop.kind === "token"
      ? firstCause(file, [], stop.at.end)
      : firstCause(file, others, Number.POSITIVE_INFINITY)) ?? otherCause(words, stop, file);
  report.add({
    code: "queue/bad-protobuf-schema",
    span: cause === undefined ? { file: path, start: 0, end: 0 } : spanOf(path, cause.at),
    message: cause?.message ?? quotedWords(words),
    help: cause?.help,
  });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : "";
}

function quotedWords(words: string): string {
  return `protobufjs can't read the schema: ${shown(words)}`;
}

function otherCause(words: string, stop: Stop, { tokens }: ProtoFile): Cause | undefined {
  if (stop.kind === "token") return { message: quotedWords(words), at: stop.at };
  const at = stop.kind === "end" ? tokens.at(-1) : tokens[0];
  const message = stop.kind === "end" ? "the file ends too early" : quotedWords(words);
  return at && { message, at };
}

/**
 * The position at which the library stopped; `elsewhere` if the cause is not in this file alone.
 */
type Stop =
  | { readonly kind: "token"; readonly at: Token }
  | { readonly kind: "end" }
  | { readonly kind: "elsewhere" };

/**
 * Finds the position of the library's error, which the library doesn't state. It is the end of the
 * shortest beginning of the file for which the library throws the same error.
 */
function stopOf({ source, tokens }: ProtoFile, words: string): Stop {
  const throwsSame = (text: string) => errorOf(text) === words;
  if (!throwsSame(source.text)) return { kind: "elsewhere" };
  if (!throwsSame(`${source.text}\n;`)) return { kind: "end" };
  let [from, to] = [0, tokens.length - 1];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (throwsSame(source.text.slice(0, tokens[middle]?.end))) to = middle;
    else from = middle + 1;
  }
  const at = tokens[from];
  return at === undefined ? { kind: "end" } : { kind: "token", at };
}

function errorOf(text: string): string | undefined {
  try {
    parseText(text, emptyRoot());
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

/**
 * Returns the first violation of Protobuf's rules up to an offset, as far as the outline shows it.
 */
function firstCause(
  { outline }: ProtoFile,
  others: Iterable<ProtoFile>,
  end: number,
): Cause | undefined {
  const syntax = outline.syntax;
  if (syntax !== undefined && !["proto2", "proto3"].includes(unquoted(syntax)))
    return {
      message: `there is no syntax ${quote(unquoted(syntax))}`,
      at: syntax,
      help: 'write `syntax = "proto3";`',
    };
  const names = new Set<string>();
  for (const other of others) for (const { path } of other.outline.declared) names.add(path);
  const numbers = new Set<string>();
  const reserved = reservedByParent(outline.reserved);
  for (const each of outline.declared) {
    if (each.name.start >= end) return undefined;
    const cause = causeIn(each, { names, numbers, reserved });
    if (cause !== undefined) return cause;
    names.add(each.path);
    if (!outline.aliased.has(each.parent)) numbers.add(numberKey(each));
  }
  return undefined;
}

/** Names and numbers that a message or an enum reserves. */
interface ReservedIn {
  readonly names: Set<string>;
  /** Both ends are inclusive. */
  readonly ranges: (readonly [from: number, to: number])[];
}

function reservedByParent(all: readonly Reserved[]): ReadonlyMap<string, ReservedIn> {
  const byParent = new Map<string, ReservedIn>();
  for (const { parent, from, to } of all) {
    const known: ReservedIn = byParent.get(parent) ?? { names: new Set(), ranges: [] };
    byParent.set(parent, known);
    const range = [numberOf(from), numberOf(to)] as const;
    if (Number.isNaN(range[0])) known.names.add(from.text.replace(/^["']|["']$/g, ""));
    else known.ranges.push(range);
  }
  return byParent;
}

/** Names and numbers that are already used at a declaration. */
interface Taken {
  /** Full names. */
  readonly names: ReadonlySet<string>;
  /** Keys from `numberKey`. */
  readonly numbers: ReadonlySet<string>;
  readonly reserved: ReadonlyMap<string, ReservedIn>;
}

function causeIn(each: Declaration, { names, numbers, reserved }: Taken): Cause | undefined {
  const { name, number, parent, path } = each;
  const inside = parent === "" ? "" : ` in ${quote(parent)}`;
  if (names.has(path))
    return { message: `the name ${quote(name.text)} is used twice${inside}`, at: name };
  const own = reserved.get(parent);
  if (number !== undefined) {
    if (numbers.has(numberKey(each)))
      return {
        message: `the number ${shown(number.text)} is used twice${inside}`,
        at: number,
        help: "give each field its own number: messages contain numbers instead of names",
      };
    const value = numberOf(number);
    if (own?.ranges.some(([from, to]) => from <= value && value <= to))
      return { message: `the number ${shown(number.text)} is reserved${inside}`, at: number };
  }
  return own?.names.has(name.text)
    ? { message: `the name ${quote(name.text)} is reserved${inside}`, at: name }
    : undefined;
}

/**
 * Returns a key that is unique for each number of a message or enum. Without a number, it is unique
 * for each declaration.
 */
function numberKey({ number, parent, path }: Declaration): string {
  return number === undefined ? path : `${parent} ${numberOf(number)}`;
}

/** Returns NaN if the token is not a number. */
function numberOf({ text }: Token): number {
  if (text === "max") return Number.POSITIVE_INFINITY;
  const digits = text.replace(/^-/, "");
  const value = /^0[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : Number(digits);
  return text.startsWith("-") ? -value : value;
}
