/** Merges a file of a skill that people have edited with the new version of an import. */
import { diff3Merge } from "node-diff3";
import { posix } from "node:path";
import { isMap, parseDocument } from "yaml";
import { parseTree } from "../../compiler/parse/parse-json.js";
import { getOwn, isJsonObject, type JsonObject, type JsonValue, setOwn } from "../../core/json.js";
import { quote } from "../../core/names.js";
import type { Report } from "../../core/report.js";
import type { Span } from "../../core/span.js";
import { entryOf, type SyntaxNode, toJson, valueOf } from "../../core/syntax-node.js";
import { layOut, printDocument, printJson } from "../skills/print-files.js";
import { keepLayout } from "./keep-layout.js";
import { type Edit, mergeTrees, type TreeMerge } from "./merge-trees.js";

export interface Versions {
  /** Path for messages, relative to the project. */
  readonly path: string;
  /** Source of the file: `the API`. */
  readonly origin: string;
  readonly base: string;
  readonly own: string;
  readonly now: string;
  /** Path of the compressed copy of `now` in the import's record, relative to the project. */
  readonly copy: string;
}

/**
 * Merges the changes since the last import into the person's version. If both changed the same
 * part, the person's version stays, and `report` gets a warning at that part.
 *
 * @returns undefined, with an error in `report`, if the person's version can't be read
 */
export function mergeFile(versions: Versions, report: Report): string | undefined {
  const { base, now, own, path } = versions;
  if (own === base) return now;
  if (base === now || own === now) return own;
  switch (posix.extname(path)) {
    case ".md":
      return mergeLines(versions, report);
    default:
      return mergeStructure(versions, report);
  }
}

/** Merges line by line. A conflict is reported at the first of the person's lines. */
function mergeLines(versions: Versions, report: Report): string {
  const { base, now, own, path } = versions;
  const mine = own.split("\n");
  const offsetOf = (line: number): number =>
    Math.min(
      own.length,
      mine.slice(0, line).reduce((sum, each) => sum + each.length + 1, 0),
    );
  const lines = diff3Merge(mine, base.split("\n"), now.split("\n")).flatMap(({ conflict, ok }) => {
    if (conflict === undefined) return ok ?? [];
    const start = offsetOf(conflict.aIndex);
    const span = { file: path, start, end: start + (conflict.a[0]?.length ?? 0) };
    reportConflict(span, "these lines", versions, report);
    return conflict.a;
  });
  return lines.join("\n");
}

function reportConflict(
  span: Span,
  what: string,
  { copy, origin }: Versions,
  report: Report,
): void {
  report.add({
    code: "import/conflict",
    span,
    message: `you and ${origin} changed ${what}: the import keeps your text`,
    help: helpToSee(copy),
  });
}

function helpToSee(copy: string): string {
  return `to see the new text, run \`gunzip -c ${copy}\``;
}

function mergeStructure(versions: Versions, report: Report): string | undefined {
  const { base, now, origin, own, path } = versions;
  const errors = report.errorCount();
  const tree = parseTree({ path, text: own }, report);
  if (tree === undefined || report.errorCount() > errors) return undefined;
  const [before, theirs] = [base, now].map((text) => valueIn(path, text));
  const mine = toJson(tree);
  const { conflicts, edits } = withoutUnused(mergeTrees(before, mine, theirs), mine);
  for (const steps of conflicts) {
    const name = steps.at(-1);
    const what = name === undefined ? "the file" : quote(name);
    const place = placeIn(tree, steps);
    if (valueAt(mine, steps) === undefined) reportGone(place, what, versions, report);
    else if (theirs !== undefined && valueAt(theirs, steps) === undefined)
      reportKept(place, steps, origin, report);
    else reportConflict(place, what, versions, report);
  }
  if (edits.length === 0) return own;
  return path.endsWith(".json") ? printJson(edits.reduce(edited, mine)) : editedYaml(own, edits);
}

/**
 * Drops new parameters of a statement if the person's statement stays, because it doesn't use them.
 */
function withoutUnused({ conflicts, edits }: TreeMerge, mine: JsonValue): TreeMerge {
  const kept = new Set(
    conflicts.flatMap((path) => {
      const [all, tool, ...steps] = path;
      const isStatement = all === "tools_schema" && steps.join("/") === "binding/query";
      return isStatement && typeof valueAt(mine, path) === "string" ? [tool] : [];
    }),
  );
  const isUnused = ({ path: [all, tool, key] }: Edit): boolean =>
    all === "tools_schema" && key === "parameters" && kept.has(tool);
  return { conflicts, edits: edits.filter((each) => !isUnused(each)) };
}

function valueAt(value: JsonValue, steps: readonly string[]): JsonValue | undefined {
  let found: JsonValue | undefined = value;
  for (const step of steps) found = isJsonObject(found) ? getOwn(found, step) : undefined;
  return found;
}

function reportGone(span: Span, what: string, { copy, origin }: Versions, report: Report): void {
  report.add({
    code: "import/conflict",
    span,
    message: `you removed or renamed ${what}, and ${origin} changed it: the import does not write it again`,
    help: helpToSee(copy),
  });
}

/** Reports an entry that a person changed and that the import no longer writes. */
function reportKept(span: Span, steps: readonly string[], origin: string, report: Report): void {
  const name = quote(steps.at(-1) ?? "");
  const isTool = steps.length === 2 && steps[0] === "tools_schema";
  report.add({
    code: "import/conflict",
    span,
    message: isTool
      ? `${origin} no longer has the tool ${name}, or the import leaves it out, but you changed it: the import keeps it`
      : `the import no longer writes ${name}, but you changed it: the import keeps it`,
    help: isTool
      ? "if its calls fail now, remove the tool from this file; later imports do not change it"
      : "remove it from this file, or keep it: later imports do not change it",
  });
}

/** Parses a text that an import wrote. A file that somebody has changed since counts as empty. */
function valueIn(path: string, text: string): JsonValue | undefined {
  const tree = parseTree({ path, text }, silent);
  return tree && toJson(tree);
}

const silent: Report = { add() {}, within: () => silent, errorCount: () => 0 };

/** Span of an entry, or of the nearest existing parent. */
function placeIn(root: SyntaxNode, steps: readonly string[]): Span {
  let node: SyntaxNode | undefined = root;
  let span: Span = { ...root.span, end: root.span.start };
  for (const step of steps) {
    const entry = entryOf(node, step);
    if (entry === undefined) return span;
    span = entry.key.span;
    node = valueOf(node, step);
  }
  return span;
}

function edited(value: JsonValue, { path, value: next }: Edit): JsonValue {
  const [key, ...rest] = path;
  if (key === undefined) return next ?? null;
  const object = isJsonObject(value) ? value : {};
  const copy: Record<string, JsonValue> = {};
  for (const [name, each] of Object.entries(object)) setOwn(copy, name, each);
  if (rest.length > 0)
    setOwn(copy, key, edited(getOwn(copy, key) ?? {}, { path: rest, value: next }));
  else if (next === undefined) delete copy[key];
  else setOwn(copy, key, next);
  return copy satisfies JsonObject;
}

/** Applies edits to a YAML text. Keeps the person's comments and the form of other values. */
export function editedYaml(text: string, edits: readonly Edit[]): string {
  const document = parseDocument(text, { uniqueKeys: false });
  for (const { path, value } of edits) {
    if (value === undefined) document.deleteIn(path);
    else {
      const node = document.createNode(value, { aliasDuplicateObjects: false });
      layOut(node);
      // Any node may be at the top of a document.
      if (path.length === 0) document.contents = node as never;
      else {
        const parent = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1));
        // An entry of a mapping in braces must be in braces too.
        if (isMap(parent) && parent.flow === true && "flow" in node) node.flow = true;
        document.setIn(path, node);
      }
    }
  }
  return keepLayout(text, printDocument(document));
}
