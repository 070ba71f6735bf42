import type { util as Util } from "prettier";
import * as prettier from "prettier/standalone";
import { printString } from "../../core/code.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../core/json.js";
import { jsonStyle, type Style } from "../../core/style.js";
import { printedItem, rememberItem } from "./printed-items.js";

// It is there, as in `prettier` itself, which takes three times as long to load; only its types lack it.
const { util } = prettier as unknown as { readonly util: typeof Util };

/**
 * JSON as prettier's `json` parser prints it, without its cost: a catalog of a thousand tools takes
 * it seconds. Objects are broken over lines unless the style collapses them; an array stands on one
 * line when it fits and nothing in it is broken; arrays of numbers are filled. A test compares the
 * two.
 */
export function printJson(value: JsonValue, project: Style): string {
  const style = jsonStyle(project);
  const width = typeof style["printWidth"] === "number" ? style["printWidth"] : 80;
  const unit = style["useTabs"] === true ? "\t" : " ".repeat(numberOr(style["tabWidth"], 2));
  const tab = numberOr(style["tabWidth"], 2);
  const layout = {
    width,
    unit,
    tab,
    collapses: style["objectWrap"] === "collapse",
    pad: style["bracketSpacing"] === false ? "" : " ",
    style,
  };
  return `${printValue(value, layout, 0, 0, 0)}\n`;
}

interface Layout {
  readonly width: number;
  readonly unit: string;
  /** Columns that one indentation takes. */
  readonly tab: number;
  /** Whether an object stands on one line when it fits. */
  readonly collapses: boolean;
  /** Stands inside the braces of an object on one line. */
  readonly pad: string;
  /** What all of these were taken from. */
  readonly style: Style;
}

function numberOr(value: JsonValue | undefined, fallback: number): number {
  return typeof value === "number" ? value : fallback;
}

/**
 * @param column where the value starts; @param after columns that must follow on its last line (a
 *   comma)
 */
function printValue(
  value: JsonValue,
  layout: Layout,
  depth: number,
  column: number,
  after: number,
): string {
  if (Array.isArray(value)) return printArray(value, layout, depth, column, after);
  return isJsonObject(value)
    ? printObject(value, layout, depth, column, after)
    : printScalar(value);
}

function printObject(
  value: JsonObject,
  layout: Layout,
  depth: number,
  column: number,
  after: number,
): string {
  const entries = Object.entries(value);
  if (entries.length === 0) return "{}";
  // The document itself is always broken: its header takes the first lines.
  const flat = depth === 0 ? undefined : flatObject(value, layout);
  if (flat !== undefined && fits(flat, layout, column, after)) return flat;
  const inner = layout.unit.repeat(depth + 1);
  const lines = entries.map(([key, each], index) => {
    const name = `${printString(key)}: `;
    const comma = index < entries.length - 1 ? 1 : 0;
    const column = layout.tab * (depth + 1) + util.getStringWidth(name);
    return `${inner}${name}${printValue(each, layout, depth + 1, column, comma)}`;
  });
  return `{\n${lines.join(",\n")}\n${layout.unit.repeat(depth)}}`;
}

function printArray(
  items: readonly JsonValue[],
  layout: Layout,
  depth: number,
  column: number,
  after: number,
): string {
  if (items.length === 0) return "[]";
  const flat = hasLongItem(items, layout, depth + 1) ? undefined : flatArray(items, layout);
  if (flat !== undefined && fits(flat, layout, column, after)) return flat;
  const inner = layout.unit.repeat(depth + 1);
  const end = `\n${layout.unit.repeat(depth)}]`;
  if (items.length > 1 && items.every((each) => typeof each === "number")) {
    return `[\n${filled(items, layout, depth)}${end}`;
  }
  const lines = items.map((each, index) => {
    const comma = index < items.length - 1 ? 1 : 0;
    return `${inner}${printItem(each, layout, depth + 1, comma)}`;
  });
  return `[\n${lines.join(",\n")}${end}`;
}

/** Whether one of the items is known to take several lines. */
function hasLongItem(items: readonly JsonValue[], { style }: Layout, depth: number): boolean {
  if (depth !== depthOfItems) return false;
  return items.some((each) => isJsonObject(each) && printedItem(each, style) !== undefined);
}

/** An item of a list on a line of its own. */
function printItem(value: JsonValue, layout: Layout, depth: number, after: number): string {
  const isOwn = depth === depthOfItems && isJsonObject(value);
  const known = isOwn ? printedItem(value, layout.style) : undefined;
  if (known !== undefined) return known;
  const text = printValue(value, layout, depth, layout.tab * depth, after);
  if (isOwn && text.includes("\n")) rememberItem(value, layout.style, text);
  return text;
}

/** Of a document's own lists. */
const depthOfItems = 2;

function fits(text: string, { width }: Layout, column: number, after: number): boolean {
  return column + util.getStringWidth(text) + after <= width;
}

/** The array on one line; undefined when something in it takes several. */
function flatArray(items: readonly JsonValue[], layout: Layout): string | undefined {
  if (items.length > 1 && items.every(isLongGroup) && sameKind(items)) return undefined;
  const parts = flatValues(items, layout);
  return parts && `[${parts.join(", ")}]`;
}

/** The object on one line; undefined when the style or something in it wants several. */
function flatObject(value: JsonObject, layout: Layout): string | undefined {
  const names = Object.keys(value);
  if (names.length === 0) return "{}";
  const parts = layout.collapses ? flatValues(Object.values(value), layout) : undefined;
  const members = parts?.map((each, index) => `${printString(names[index] ?? "")}: ${each}`);
  return members && `{${layout.pad}${members.join(", ")}${layout.pad}}`;
}

function flatValues(values: readonly JsonValue[], layout: Layout): readonly string[] | undefined {
  const parts: string[] = [];
  for (const each of values) {
    const part = flatValue(each, layout);
    if (part === undefined) return undefined;
    parts.push(part);
  }
  return parts;
}

function flatValue(value: JsonValue, layout: Layout): string | undefined {
  if (Array.isArray(value)) return value.length === 0 ? "[]" : flatArray(value, layout);
  return isJsonObject(value) ? flatObject(value, layout) : printScalar(value);
}

/** Several arrays or objects of more than one element each are always broken. */
function isLongGroup(value: JsonValue): boolean {
  if (typeof value !== "object" || value === null) return false;
  return (Array.isArray(value) ? value.length : Object.keys(value).length) > 1;
}

function sameKind(items: readonly JsonValue[]): boolean {
  return items.every((each) => Array.isArray(each)) || items.every((each) => !Array.isArray(each));
}

function filled(numbers: readonly number[], layout: Layout, depth: number): string {
  const inner = layout.unit.repeat(depth + 1);
  const room = layout.width - layout.tab * (depth + 1);
  const lines: string[] = [];
  let line = "";
  numbers.forEach((each, index) => {
    const word = printScalar(each) + (index < numbers.length - 1 ? "," : "");
    if (line === "") line = word;
    else if (line.length + 1 + word.length <= room) line += ` ${word}`;
    else {
      lines.push(inner + line);
      line = word;
    }
  });
  return [...lines, inner + line].join("\n");
}

/**
 * Scalars as prettier spells them: exponents without `+`. Characters that can't be seen are
 * escaped, as in the modules.
 */
function printScalar(value: JsonValue): string {
  if (typeof value === "string") return printString(value);
  return typeof value === "number" ? String(value).replace("e+", "e") : String(value);
}
