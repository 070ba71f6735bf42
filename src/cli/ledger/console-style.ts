import Table from "cli-table3";
import pc from "picocolors";

/** Capabilities of the console. */
export interface ConsoleStyle {
  readonly color: boolean;
  /** Width in columns. */
  readonly width: number;
}

export type Colors = ReturnType<typeof pc.createColors>;

export function colorsOf(style: ConsoleStyle): Colors {
  return pc.createColors(style.color);
}

const noLines = {
  top: "",
  "top-mid": "",
  "top-left": "",
  "top-right": "",
  bottom: "",
  "bottom-mid": "",
  "bottom-left": "",
  "bottom-right": "",
  left: "",
  "left-mid": "",
  mid: "",
  "mid-mid": "",
  right: "",
  "right-mid": "",
  middle: "  ",
};

export interface Column {
  readonly head: string;
  readonly align?: "left" | "right";
}

/**
 * Renders a table without lines. Cells must contain only skillc's text or results of `printable`.
 */
export function renderTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  colors: Colors,
): string {
  const table = new Table({
    head: columns.map((each) => colors.dim(each.head)),
    chars: noLines,
    colAligns: columns.map((each) => each.align ?? "left"),
    style: { "padding-left": 0, "padding-right": 0, head: [], border: [], compact: true },
  });
  table.push(...rows.map((row) => [...row]));
  return table
    .toString()
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n");
}

/**
 * Control and direction characters. They could move the cursor, colour the screen, or imitate
 * another line.
 */
const unsafe = /[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu;

/** Makes text from a ledger one harmless line of at most `length` characters. */
export function printable(text: string, length = Number.POSITIVE_INFINITY): string {
  const safe = text
    .slice(0, Math.min(text.length, length * 2))
    .replace(unsafe, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .toWellFormed();
  const characters = safe.length <= length ? undefined : [...safe];
  if (characters === undefined || characters.length <= length) return safe;
  return `${characters.slice(0, Math.max(0, length - 1)).join("")}…`;
}

/** Colours a status by its importance. */
export function paintStatus(status: string, text: string, colors: Colors): string {
  if (status === "success") return colors.green(text);
  if (status === "shadow") return colors.blue(text);
  if (status === "failed" || status === "error") return colors.red(text);
  if (status === "unknown") return colors.magenta(text);
  return colors.yellow(text);
}

/** Renders a JSON value below its name, indented. */
export function jsonBlock(name: string, value: unknown, colors: Colors): string {
  const lines = JSON.stringify(value, undefined, 2).split("\n");
  return [
    `  ${colors.dim(printable(name, 80))}`,
    ...lines.map((line) => `    ${printable(line)}`),
  ].join("\n");
}
