import protobuf from "protobufjs";
import { quote, shown } from "../../../core/names.js";
import type { SourceFile } from "../../../core/source-file.js";
import type { ResolveInput } from "../../binding.js";
import { type Budget, checkOutline, most } from "./check-outline.js";
import { declarationsIn } from "./declarations.js";
import { findImport } from "./find-import.js";
import type { ProtoFile } from "./proto-file.js";
import { reportRefusal } from "./refusal.js";
import { spanOf, type Token, tokensOf, unquoted } from "./tokens.js";

/** The library's reading of a file and all that it imports, names not resolved yet. */
export interface LoadedFiles {
  readonly root: protobuf.Root;
  /** The first is the one that the others are imported by. */
  readonly files: readonly ProtoFile[];
}

interface Loading {
  readonly input: Pick<ResolveInput, "readFile" | "report">;
  readonly root: protobuf.Root;
  /** By path in the project. */
  readonly files: Map<string, ProtoFile>;
  /** Those that are being read: each is imported by the one before. */
  readonly open: string[];
  readonly budget: Budget;
  /** Files of the library's own. */
  readonly own: Set<string>;
}

/** @returns undefined when something can't be read, which is reported */
export function loadFiles(
  source: SourceFile,
  path: string,
  input: Loading["input"],
): LoadedFiles | undefined {
  const root = new protobuf.Root();
  // Extensions are no part of messages. The library would look anew, at each message, for those that are extended and not there.
  root.deferred.push = () => 0;
  const files = new Map<string, ProtoFile>();
  const loading: Loading = { input, root, files, open: [], budget: { ...most }, own: new Set() };
  return load(source, path, loading) ? { root, files: [...files.values()] } : undefined;
}

/** Files that are imported by one another. */
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

/** Adds a file to what the library knows. @returns what it imports */
function parse(file: ProtoFile, { input, root }: Loading): readonly string[] | undefined {
  try {
    const options = { keepCase: true, alternateCommentMode: true };
    const { imports, weakImports } = protobuf.parse(file.source.text, root, options);
    return [...(imports ?? []), ...(weakImports ?? [])];
  } catch (error) {
    reportRefusal(error, file, input.report);
    return undefined;
  }
}

const ownFolder = "google/protobuf/";
/** They describe schemas: nothing that is declared in them is part of a message. */
const descriptions = new Set(
  ["api", "descriptor", "source_context", "type"].map((name) => `${ownFolder}${name}.proto`),
);

function loadImport(name: string, at: Token, file: ProtoFile, loading: Loading): boolean {
  const { files, input, open } = loading;
  const span = spanOf(file.source.path, at);
  if (name.startsWith(ownFolder)) return loadOwn(name, at, file, loading);
  const found = findImport(name, file, input.readFile);
  if (found === undefined) {
    // Asked for by its own name, it is reported.
    input.readFile(name, { kind: "scalar", value: name, span });
    return false;
  }
  if (open.includes(found.source.path)) return reportCircle(found.source, at, file, loading);
  if (files.has(found.source.path)) return true;
  if (open.length < longestChain) return load(found.source, found.path, loading);
  const message = `files import one another more than ${longestChain} deep`;
  input.report.add({ code: "schema/too-large", span, message });
  return false;
}

function loadOwn(name: string, at: Token, file: ProtoFile, { input, own, root }: Loading): boolean {
  const known = protobuf.common.get(name)?.nested;
  if (known === undefined && !descriptions.has(name)) {
    input.report.add({
      code: "queue/bad-protobuf-schema",
      span: spanOf(file.source.path, at),
      message: `there is no ${quote(name)} among Protobuf's own files`,
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
    message: `the imports go in a circle: ${names.map(shown).join(" → ")}`,
  });
  return false;
}
