/**
 * Reads and writes `overrides.yaml` in the record of an import: the choices of a person for single
 * operations. The import adds the options of the command line to the file.
 */
import { parseTree } from "../../compiler/parse/parse-json.js";
import { getOwn, type JsonValue, setOwn } from "../../core/json.js";
import {
  functionName,
  isDeviceName,
  isReservedWord,
  portableName,
  quote,
} from "../../core/names.js";
import { overridesSchema } from "../../core/overrides-schema.js";
import type { Report } from "../../core/report.js";
import type { Span } from "../../core/span.js";
import { type MapEntry, type SyntaxNode, textOf, valueOf } from "../../core/syntax-node.js";
import { checkShape, type ShapeTerms } from "../../schema/check-shape.js";
import { didYouMean } from "../../schema/suggestion.js";
import type { Present } from "../again/draft-writes.js";
import { editedYaml } from "../again/merge-file.js";
import { importsFolder } from "../again/stored-import.js";
import { printYaml } from "../skills/print-files.js";
import { isNamed } from "./choose.js";
import { authForms, readAuth } from "./given-auth.js";
import type { Api, Content, Operation, Response, SecurityScheme } from "./model.js";
import { bareType } from "./operations/version.js";

/** A choice for one operation, from the command line. */
export interface GivenOverride {
  /** The operationId, or `GET /pets`. */
  readonly operation: string;
  readonly key: OverrideKey;
  readonly value: string;
}

const keys = ["name", "auth", "media_type"] as const;
export type OverrideKey = (typeof keys)[number];

/** A choice for one operation, with its place in the file. */
interface Override extends GivenOverride {
  readonly span: Span;
  /** Span of the operation's name. */
  readonly operationSpan: Span;
}

export interface Overrides {
  /** Path below the skills folder. */
  readonly path: string;
  /** New text of the file; absent if nothing changes it. */
  readonly text?: string;
  readonly all: readonly Override[];
}

const heading =
  " Choices for single operations. Edit the file, and run `skillc import openapi` again.";

/**
 * Reads the file, with the choices of the command line.
 *
 * @returns undefined, with errors in `report`, if the file has mistakes
 */
export function readOverrides(
  name: string,
  given: readonly GivenOverride[],
  present: Present,
  report: Report,
): Overrides | undefined {
  const path = `${importsFolder}/${name}/overrides.yaml`;
  const before = present.read(path);
  const errors = report.errorCount();
  const read = (text: string): readonly Override[] =>
    parseOverrides({ path: present.nameOf(path), text }, report);
  const all = read(before ?? "");
  if (given.length === 0 || report.errorCount() > errors)
    return report.errorCount() > errors ? undefined : { path, all };
  const text = all.length === 0 ? newText(before, given) : withGiven(before ?? "", given);
  const merged = read(text);
  return report.errorCount() > errors ? undefined : { path, text, all: merged };
}

/** Adds the choices to those of the file. */
function withGiven(before: string, given: readonly GivenOverride[]): string {
  const edits = given.map(({ key, operation, value }) => ({
    path: ["operations", operation, key],
    value,
  }));
  return editedYaml(before, edits);
}

/** Writes the choices into a file that has none. */
function newText(before: string | undefined, given: readonly GivenOverride[]): string {
  const operations: Record<string, Record<string, JsonValue>> = {};
  for (const { key, operation, value } of given)
    setOwn(operations, operation, { ...getOwn(operations, operation), [key]: value });
  const text = printYaml({ operations }, before === undefined ? heading : "");
  return `${(before ?? "").replace(/^operations:.*\n?/m, "")}${text}`;
}

const terms: ShapeTerms = {
  subject: "the file of an import's overrides",
  unknownKey: "import/invalid-override",
  missingKey: "import/invalid-override",
  wrongType: "import/invalid-override",
  wrongValue: "import/invalid-override",
  helpForForeignKey: ({ key }) =>
    keys.some((each) => each === key.value)
      ? `write it below an operation: \`operations: { getPet: { ${key.value}: … } }\`${key.value === "auth" ? "; for all operations, use the option `--auth`" : ""}`
      : undefined,
  helpForValue: (key) => (key === "auth" ? `write ${authForms}, or \`none\`` : undefined),
};

function parseOverrides(
  file: { readonly path: string; readonly text: string },
  report: Report,
): readonly Override[] {
  const root = file.text.trim() === "" ? undefined : parseTree(file, report);
  if (root === undefined || !checkShape(root, overridesSchema, report, terms)) return [];
  const all = entriesOf(valueOf(root, "operations")).flatMap((operation) =>
    entriesOf(operation.value).flatMap((entry) => overrideOf(operation, entry)),
  );
  for (const each of all) checkValue(each, report);
  return all;
}

function entriesOf(node: SyntaxNode | undefined): readonly MapEntry[] {
  return node?.kind === "map" ? node.entries : [];
}

function overrideOf(operation: MapEntry, { key: written, value }: MapEntry): readonly Override[] {
  const key = keys.find((each) => each === written.value);
  const text = textOf(value);
  if (key === undefined || text === undefined) return [];
  const { key: named } = operation;
  return [
    { operation: named.value, key, value: text, span: value.span, operationSpan: named.span },
  ];
}

function checkValue({ key, span, value }: Override, report: Report): void {
  const invalid = (message: string, help: string): void =>
    report.add({ code: "import/invalid-override", span, message, help });
  if (key === "name" && !isToolName(value))
    invalid(
      `${quote(value)} is not a name for a tool`,
      `write lower-case words with hyphens${portableName(value) === undefined ? "" : `: ${quote(portableName(value) ?? "")}`}`,
    );
  if (key === "auth" && value !== "none" && readAuth(value) === undefined)
    invalid(`${quote(value)} is not a known authentication`, `write ${authForms}, or \`none\``);
}

function isToolName(name: string): boolean {
  return portableName(name) === name && !isReservedWord(functionName(name)) && !isDeviceName(name);
}

/** The API with the choices of a person. Reports choices that no operation matches. */
export function withOverrides(api: Api, { all }: Overrides, report: Report): Api {
  const schemes = new Map<string, SecurityScheme>();
  let { operations } = api;
  const reported = new Set<string>();
  const made = new Map<string, Override>();
  for (const each of all) {
    const matches = operations.filter((operation) => isNamed(operation, each.operation));
    for (const { method, path } of matches) {
      const choice = `${method} ${path} ${each.key}`;
      reportRepeated(made.get(choice), each, report);
      made.set(choice, each);
    }
    if (matches.length === 0 && !reported.has(each.operation)) {
      reported.add(each.operation);
      reportUnused(
        each.operationSpan,
        `the document has no operation ${quote(each.operation)}`,
        helpForUnknown(each.operation, api.operations),
        report,
      );
    }
    const changed = new Map(
      matches.map((operation) => [operation, overridden(operation, each, schemes)]),
    );
    for (const [operation, next] of changed)
      if (next === undefined) reportNoMedia(operation, each, report);
    operations = operations.map((operation) => changed.get(operation) ?? operation);
  }
  return schemes.size === 0
    ? { ...api, operations }
    : { ...api, operations, givenSchemes: schemes };
}

/** Reports a choice that a later one for the same operation, under its other name, replaces. */
function reportRepeated(earlier: Override | undefined, later: Override, report: Report): void {
  if (earlier === undefined || earlier.operation === later.operation) return;
  reportUnused(
    earlier.span,
    `${quote(later.operation)} is the same operation, and its \`${later.key}\` replaces this one`,
    "keep one of the two entries",
    report,
  );
}

function helpForUnknown(name: string, operations: readonly Operation[]): string {
  const ids = operations.flatMap(({ id }) => (id === undefined ? [] : [id]));
  return didYouMean(name, ids) ?? "remove the entry, or name the operation as `--list` shows it";
}

/** Reports chosen names that the tools did not get. */
export function reportOtherNames(
  outcomes: readonly { readonly operation: Operation; readonly tool?: string }[],
  { all }: Overrides,
  report: Report,
): void {
  for (const { operation, tool } of outcomes) {
    const { toolName } = operation;
    if (tool === undefined || toolName === undefined || tool === toolName) continue;
    const chosen = all.findLast(
      (each) => each.key === "name" && isNamed(operation, each.operation),
    );
    if (chosen === undefined) continue;
    const message = `the tool is called ${quote(tool)}, because ${quote(toolName)} is taken or too long`;
    reportUnused(chosen.span, message, "choose another name", report);
  }
}

function reportUnused(span: Span, message: string, help: string, report: Report): void {
  report.add({ code: "import/unused-override", span, message, help });
}

function reportNoMedia(
  { body, responses }: Operation,
  { operation, span, value }: Override,
  report: Report,
): void {
  const types = [body?.contents ?? [], ...responses.filter(isSuccess).map((r) => r.contents)];
  const known = [...new Set(types.flat().map(({ type }) => quote(type)))];
  reportUnused(
    span,
    `${quote(operation)} has no media type ${quote(value)}`,
    known.length === 0 ? "remove the entry" : `choose one of ${known.join(", ")}`,
    report,
  );
}

/** The operation after a choice; undefined if the operation lacks the chosen media type. */
function overridden(
  operation: Operation,
  { key, value }: Override,
  schemes: Map<string, SecurityScheme>,
): Operation | undefined {
  switch (key) {
    case "name":
      return { ...operation, toolName: value };
    case "media_type":
      return withMediaType(operation, bareType(value));
    case "auth": {
      const scheme = readAuth(value);
      if (scheme === undefined) return { ...operation, security: [] };
      schemes.set(value, scheme);
      return { ...operation, security: [[{ scheme: value, scopes: [], at: operation.at }]] };
    }
  }
}

function withMediaType(operation: Operation, type: string): Operation | undefined {
  const has = (contents: readonly Content[]): boolean =>
    contents.some((content) => content.type === type);
  const only = <Owner extends { readonly contents: readonly Content[] }>(owner: Owner): Owner => ({
    ...owner,
    contents: owner.contents.filter((content) => content.type === type),
  });
  const { body, responses } = operation;
  const isAnswer = (each: Response): boolean => isSuccess(each) && has(each.contents);
  const isBody = body !== undefined && has(body.contents);
  if (!isBody && !responses.some(isAnswer)) return undefined;
  return {
    ...operation,
    ...(isBody && { body: only(body) }),
    responses: responses.map((each) => (isAnswer(each) ? only(each) : each)),
  };
}

function isSuccess({ status }: Response): boolean {
  return status.startsWith("2");
}
