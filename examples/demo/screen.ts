import { inspect } from "node:util";
import Table from "cli-table3";
import pc from "picocolors";
import { format } from "prettier";
import { ToolError } from "@skillc/runtime";

let step = 0;

/** Prints the title of a step, and the command or setting that does it. */
export function heading(title: string, how: string): void {
  step += 1;
  console.log(`\n${pc.bold(pc.cyan(`${step}. ${title}`))}  ${pc.dim(how)}\n`);
}

/** Prints dimmed lines that a reader may skip. */
export function aside(...lines: readonly string[]): void {
  for (const line of lines) console.log(pc.dim(line));
}

/** Prints the code that gives the next output. */
export function source(code: string): void {
  const painted = code.replace(/\/\/.*$/gm, (comment) => pc.dim(comment));
  console.log(`${pc.magenta("›")} ${painted}`);
}

export function show(value: unknown): void {
  const text = inspect(value, { colors: pc.isColorSupported, depth: 4, breakLength: 76 });
  console.log(`${text.replace(/^/gm, "  ")}\n`);
}

/** Makes a call that must be refused, and prints the error. */
export async function showRefusal(call: () => Promise<unknown>): Promise<void> {
  try {
    await call();
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    show({ ...error.failure, message: error.message });
    return;
  }
  throw new Error("the call was not refused");
}

/** Prints all rows as a table. */
export function showRows(rows: readonly Readonly<Record<string, unknown>>[]): void {
  const names = Object.keys(rows[0] ?? {});
  const style = { head: [], border: [], compact: true };
  const table = new Table({ head: names.map((name) => pc.cyan(name)), style });
  for (const row of rows) table.push(names.map((name) => String(row[name] ?? pc.dim("null"))));
  console.log(`${table.toString().replace(/^/gm, "  ")}\n`);
}

/**
 * Prints lines of a YAML file with their numbers, from the line that contains `from` to the next
 * line that contains `to`.
 */
export function showYaml(text: string, from: string, to: string): void {
  const lines = text.split("\n");
  const first = lines.findIndex((line) => line.includes(from));
  const last = lines.findIndex((line, index) => index > first && line.includes(to));
  for (const [index, line] of lines.slice(first, last + 1).entries()) {
    const number = pc.dim(`${String(first + index + 1).padStart(3)} │`);
    console.log(`${number} ${shortened(line).replace(/^ *[\w-]+(?=:)/, (key) => pc.cyan(key))}`);
  }
}

function shortened(line: string): string {
  return line.length > 73 ? `${line.slice(0, 72)}…` : line;
}

/** Prints parts of a TypeScript file, each found by a pattern, formatted for a narrow terminal. */
export async function showTypes(text: string, patterns: readonly RegExp[]): Promise<void> {
  const parts = patterns.map((pattern) => pattern.exec(text)?.[0] ?? "");
  const laidOut = await format(parts.join("\n\n"), { parser: "typescript", printWidth: 76 });
  const painted = laidOut
    .replace(/\b(?:export|interface|type|function|declare)\b(?=.*[\w<({])/g, (word) =>
      pc.cyan(word),
    )
    .replace(/\/\*\*[^]*?\*\//g, (comment) => pc.dim(comment));
  console.log(painted.trimEnd().replace(/^(?=.)/gm, "  "));
}
