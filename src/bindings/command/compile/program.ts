import type { Span } from "../../../core/span.js";
import { findActions, starters } from "./known-programs.js";
import type { ArgumentModel } from "./model.js";

/** A program that a command starts, and its arguments. */
export interface StartedProgram {
  /** Name without folders and version: `python` for `/usr/bin/python3.11`. */
  readonly name: string;
  readonly span: Span;
  readonly args: readonly Word[];
  /** False for a word of another program's arguments that may be only the value of an option. */
  readonly isCertain: boolean;
}

/** An argument as far as its author wrote it. */
export interface Word {
  /** Literal text, or its beginning if a value follows. */
  readonly text: string;
  /** True if a value of the call is in the argument. */
  readonly hasValue: boolean;
  readonly isScript: boolean;
  readonly span: Span;
}

/** Returns the words of a command. */
export function wordsOf(argv: readonly ArgumentModel[]): readonly Word[] {
  return argv.map((each) => {
    const { span } = each;
    const word = { text: "", hasValue: false, isScript: false, span };
    if (each.kind === "literal") return { ...word, text: each.text };
    if (each.kind === "script") return { ...word, text: each.name, isScript: true };
    if (each.kind === "spread") return { ...word, hasValue: true };
    const { parts } = each.template;
    const end = parts.findIndex(({ kind }) => kind !== "literal");
    const text = parts
      .slice(0, end === -1 ? parts.length : end)
      .map((part) => (part.kind === "literal" ? part.text : ""))
      .join("");
    return { ...word, text, hasValue: parts.some(({ kind }) => kind !== "literal") };
  });
}

/**
 * Returns the programs that a command starts: its own, and those that `env`, `timeout` or `find
 * -exec` start for it.
 */
export function programsIn(words: readonly Word[]): readonly StartedProgram[] {
  const [first, ...args] = words;
  if (first === undefined || first.isScript) return [];
  const program = { name: programName(first.text), span: first.span, args, isCertain: true };
  if (program.name === "find") return [program, ...actionsIn(args)];
  return starters.includes(program.name) ? [program, ...startedBy(args)] : [program];
}

/** Every later word may be the program, because a starter's options can have values. */
function startedBy(words: readonly Word[]): readonly StartedProgram[] {
  const certain = words.findIndex((word) => mayStart(word) && !/^[\d.]+[a-z]?$/.test(word.text));
  return words.flatMap((word, at) =>
    mayStart(word)
      ? {
          name: programName(word.text),
          span: word.span,
          args: words.slice(at + 1),
          isCertain: at === certain,
        }
      : [],
  );
}

function mayStart({ isScript, text }: Word): boolean {
  return !isScript && text !== "" && !text.startsWith("-") && !text.includes("=");
}

function actionsIn(words: readonly Word[]): readonly StartedProgram[] {
  return words.flatMap(({ text }, at) =>
    findActions.includes(text) ? programsIn(words.slice(at + 1)) : [],
  );
}

/** Returns a program's name without folders, version and `.exe`. */
function programName(text: string): string {
  const name = text.slice(text.lastIndexOf("/") + 1).toLowerCase();
  return name.replace(/\.exe$/, "").replace(/-?\d+(?:\.\d+)*$/, "") || name;
}
