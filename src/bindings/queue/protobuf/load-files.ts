import { posix } from "node:path";
import protobuf from "protobufjs";
import { quote, shown } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import type { SourceFile } from "../../../core/source-file.js";
import type { ResolveInput } from "../../../kit/binding.js";
import { reportLibraryError } from "./library-error.js";
import { emptyRoot, parseText } from "./parse-text.js";
import {
  type Declaration,
  declarationsIn,
  type ProtoFile,
  spanOf,
  type Token,
  tokensOf,
  unquoted,
} from "./proto-file.js";

/** A file and everything it imports, as read by the library, with unresolved names. */
export interface LoadedFiles {
  readonly root: protobuf.Root;
  /** The file itself, and then the files it imports. */
  readonly files: readonly ProtoFile[];
}

interface Loading {
  readonly input: Pick<ResolveInput, "readFile" | "report">;
  readonly root: protobuf.Root;
  /** Files by path in the project. */
  readonly files: Map<string, ProtoFile>;
  /** Files that are being read; each is imported by the one before. */
  readonly open: string[];
  readonly budget: Budget;
  /** Names of the library's own files. */
  readonly own: Set<string>;
}

/** @returns undefined if a file can't be read, which is reported */
export function loadFiles(
  source: SourceFile,
  path: string,
  input: Loading["input"],
): LoadedFiles | undefined {
  const root = emptyRoot();
  const files = new Map<string, ProtoFile>();
  const loading: Loading = { input, root, files, open: [], budget: { ...most }, own: new Set() };
  return load(source, path, loading) ? { root, files: [...files.values()] } : undefined;
}

/** Maximum length of a chain of imports. */
const longestChain = 100;

function load(source: SourceFile, path: string, loading: Loading): boolean {
  const { report } = loading.input;
  const file = outlined(source, path, loading);
  if (file === undefined || !checkOutline(file, loading.budget, report)) return false;
  loading.files.set(source.path, file);
  const imports = parse(file, loading);
  if (imports === undefined) return false;
  loading.open.push(source.path);
  const tokens = new Map(file.outline.imports.map((each) => [unquoted(each), each]));
  const found = imports.map((name) => {
    const at = tokens.get(name) ?? file.tokens[0];
    return at !== undefined && loadImport(name, at, file, loading);
  });
  loading.open.pop();
  return found.every(Boolean);
}

function outlined(source: SourceFile, path: string, loading: Loading): ProtoFile | undefined {
  const tokens = tokensOf(source.text, loading.budget.tokens);
  if (tokens !== undefined) return { source, path, tokens, outline: declarationsIn(tokens) };
  loading.input.report.add({
    code: "schema/too-large",
    span: { file: source.path, start: 0, end: 0 },
    message: `the schema has more than ${most.tokens} words and marks`,
  });
  return undefined;
}

/** @returns the names of the imports; undefined if the file can't be read, which is reported */
function parse(file: ProtoFile, { files, input, root }: Loading): readonly string[] | undefined {
  try {
    return parseText(file.source.text, root);
  } catch (error) {
    const others = [...files.values()].filter((each) => each !== file);
    reportLibraryError(error, file, others, input.report);
    return undefined;
  }
}

const ownFolder = "google/protobuf/";
/** These files describe schemas. No message contains types that they declare. */
const descriptions = new Set(
  ["api", "descriptor", "source_context", "type"].map((name) => `${ownFolder}${name}.proto`),
);

function loadImport(name: string, at: Token, file: ProtoFile, loading: Loading): boolean {
  const { files, input, open } = loading;
  const span = spanOf(file.source.path, at);
  if (name.startsWith(ownFolder)) return loadOwn(name, at, file, loading);
  const found = findImport(name, file, input.readFile);
  if (found === undefined) {
    // If the project has no such file, this reports it under its own name.
    input.readFile(name, { kind: "scalar", value: name, span });
    return false;
  }
  if (open.includes(found.source.path)) return reportCircle(found.source, at, file, loading);
  if (files.has(found.source.path)) return true;
  if (open.length < longestChain) return load(found.source, found.path, loading);
  const message = `files import one another more than ${longestChain} levels deep`;
  input.report.add({ code: "schema/too-large", span, message });
  return false;
}

function loadOwn(name: string, at: Token, file: ProtoFile, { input, own, root }: Loading): boolean {
  const known = protobuf.common.get(name)?.nested;
  if (known === undefined && !descriptions.has(name)) {
    input.report.add({
      code: "queue/bad-protobuf-schema",
      span: spanOf(file.source.path, at),
      message: `Protobuf has no file ${quote(name)}`,
    });
    return false;
  }
  if (known !== undefined && !own.has(name)) root.addJSON(known);
  own.add(name);
  return true;
}

function reportCircle(to: SourceFile, at: Token, file: ProtoFile, { input, open }: Loading): false {
  const circle = [...open.slice(open.indexOf(to.path)), file.source.path, to.path];
  const names = circle.filter((name, index) => name !== circle[index - 1]);
  input.report.add({
    code: "queue/bad-protobuf-schema",
    span: spanOf(file.source.path, at),
    message: `the imports form a cycle: ${names.map(shown).join(" → ")}`,
  });
  return false;
}

/**
 * Finds an imported file. Protobuf compilers get the start folder of imports as an option. Here,
 * the folders are searched from the importing file's own folder upwards, up to the skill's.
 */
function findImport(
  name: string,
  { path, source }: ProtoFile,
  readFile: ResolveInput["readFile"],
): { readonly source: SourceFile; readonly path: string } | undefined {
  const found = foldersAbove(path).flatMap((folder) => {
    const candidate = posix.join(folder, name);
    const file = readFile(candidate);
    return file === undefined ? [] : [{ source: file, path: candidate }];
  });
  // A file doesn't import itself if another file matches.
  return found.find((each) => each.source.path !== source.path) ?? found[0];
}

/** Returns the folders in the form in which the skill names them. */
function foldersAbove(path: string): readonly string[] {
  const steps = posix.normalize(path).split("/").slice(0, -1);
  return [...steps.map((_, index) => steps.slice(0, steps.length - index).join("/")), "."];
}

/** The remaining budget for reading. */
export interface Budget {
  tokens: number;
  names: number;
  extensions: number;
}

/** Limits for all files together. */
const most: Budget = { tokens: 100_000, names: 20_000, extensions: 1000 };
/** The library looks through all fields of a message for each field that it adds. */
const maxFields = 1000;

/**
 * Reports parts of a file that would take the library very long, or that it would silently drop.
 */
function checkOutline(file: ProtoFile, budget: Budget, report: Report): boolean {
  const { outline, tokens } = file;
  budget.tokens -= tokens.length;
  budget.names -= outline.declared.length;
  budget.extensions -= outline.extensions.length;
  const crowded = crowdedBy(file, budget);
  if (crowded === undefined) return checkNames(file, report);
  const { at, what } = crowded;
  const message = `the schema has more than ${what}`;
  report.add({ code: "schema/too-large", span: spanOf(file.source.path, at), message });
  return false;
}

function crowdedBy(
  { outline }: ProtoFile,
  budget: Budget,
): { readonly at: Token; readonly what: string } | undefined {
  const last = outline.declared.at(-1)?.name;
  if (budget.names < 0 && last !== undefined) return { at: last, what: `${most.names} names` };
  const added = outline.extensions.at(-1);
  if (budget.extensions < 0 && added !== undefined)
    return { at: added, what: `${most.extensions} extensions` };
  const field = mostIn(outline.declared)?.name;
  return field && { at: field, what: `${maxFields} fields in one message` };
}

/** Returns the first field beyond the limit of its message. */
function mostIn(declared: readonly Declaration[]): Declaration | undefined {
  const counts = new Map<string, number>();
  return declared.find(({ number, parent, type }) => {
    if (number === undefined || type === undefined) return false;
    const count = (counts.get(parent) ?? 0) + 1;
    counts.set(parent, count);
    return count > maxFields;
  });
}

function checkNames(file: ProtoFile, report: Report): boolean {
  const { outline, tokens } = file;
  const lost = tokens.find(({ text }) => !isQuoted(text) && text.split(".").includes("__proto__"));
  if (lost !== undefined) {
    problem(file, lost, `${quote("__proto__")} can't be a name`, report);
    return false;
  }
  if (!/^google\.protobuf(?:\.|$)/.test(outline.package)) return true;
  const at = tokens.find(({ text }) => text === outline.package) ?? tokens[0];
  if (at !== undefined)
    problem(file, at, "the package `google.protobuf` is reserved for Protobuf", report);
  return false;
}

function isQuoted(text: string): boolean {
  return text.startsWith('"') || text.startsWith("'");
}

function problem(file: ProtoFile, at: Token, message: string, report: Report): void {
  report.add({ code: "queue/bad-protobuf-schema", span: spanOf(file.source.path, at), message });
}
