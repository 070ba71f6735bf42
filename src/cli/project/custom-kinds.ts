import { parseDocument } from "yaml";
import type { BindingKind } from "../../kit/binding.js";
import { createRegistry, type KindRegistry } from "../../bindings/registry.js";
import type { UnratedDiagnostic } from "../../core/diagnostic.js";
import { sha256 } from "../../core/hash.js";
import type { CustomBinding } from "../../core/project.js";
import type { Report } from "../../core/report.js";
import type { SourceFile } from "../../core/source-file.js";
import type { Span } from "../../core/span.js";
import { didYouMean } from "../../schema/suggestion.js";
import { describeLoadError, loadModule } from "./load-module.js";
import { loadEntryPoints } from "./entry-points.js";

/** The kinds of a project. */
export interface ProjectKinds {
  readonly registry: KindRegistry;
  /** Hash of the code of all custom kinds; empty without any. */
  readonly fingerprint: string;
}

/**
 * Loads the kinds that `bindings:` of skillc.yaml names. Reports those that can't be loaded.
 *
 * @param root absolute path of the project
 */
export async function loadKinds(
  root: string,
  bindings: readonly CustomBinding[],
  configFile: SourceFile | undefined,
  report: Report,
): Promise<ProjectKinds> {
  const kinds: BindingKind[] = [];
  const prints: string[] = [];
  for (const binding of bindings) {
    const span = spanOfModule(configFile, binding.type);
    const loaded = await loadKind(root, binding);
    if ("diagnostic" in loaded) report.add({ ...loaded.diagnostic, span });
    else {
      kinds.push(loaded.kind);
      prints.push(loaded.fingerprint);
    }
  }
  return {
    registry: createRegistry(kinds),
    fingerprint: prints.length === 0 ? "" : sha256(prints.join()),
  };
}

type Loaded =
  | { readonly kind: BindingKind; readonly fingerprint: string }
  | { readonly diagnostic: Omit<UnratedDiagnostic, "span"> };

async function loadKind(root: string, { type, module }: CustomBinding): Promise<Loaded> {
  try {
    // Custom kinds must create `Code` with this copy of the functions: code from another copy is
    // rejected.
    const shared = await loadEntryPoints("skillc/binding");
    const { exports, fingerprint } = await loadModule(root, module, shared);
    const diagnostic = exportProblem(exports, type, module);
    return diagnostic === undefined
      ? { kind: asKind(exported(exports)), fingerprint }
      : { diagnostic };
  } catch (error) {
    return { diagnostic: notLoaded(error, root, module) };
  }
}

function exported(exports: Readonly<Record<string, unknown>>): unknown {
  return exports["default"] ?? exports["binding"];
}

function notLoaded(error: unknown, root: string, module: string): Omit<UnratedDiagnostic, "span"> {
  const reason = describeLoadError(error, root);
  const missing =
    error instanceof Error && "code" in error && String(error.code).endsWith("MODULE_NOT_FOUND");
  const help = module.startsWith(".")
    ? "the path is relative to skillc.yaml and ends in the file's own extension, such as `./bindings/graphql/index.ts`"
    : `install the package, or write \`./${module}\` for a file beside skillc.yaml`;
  return {
    code: "config/binding-not-loaded",
    message: `\`${module}\` can't be loaded: ${reason}`,
    ...(missing && reason.includes(`'${module}'`) ? { help } : {}),
  };
}

function exportProblem(
  exports: Readonly<Record<string, unknown>>,
  type: string,
  module: string,
): Omit<UnratedDiagnostic, "span"> | undefined {
  const code = "config/not-a-binding-kind";
  const value = exported(exports);
  if (value === undefined) {
    const names = Object.keys(exports);
    const help =
      didYouMean("binding", names) ??
      "write `export default defineBinding({ … })`, with `defineBinding` from `skillc/binding`";
    return { code, message: `\`${module}\` has no default export and no export \`binding\``, help };
  }
  const problems = problemsOfKind(value);
  if (problems.length > 0) {
    const help =
      "make it with `defineBinding` from `skillc/binding`: TypeScript then names what is wrong";
    return {
      code,
      message: `the export of \`${module}\` is not a binding kind: ${problems.join("; ")}`,
      help,
    };
  }
  const own = asKind(value).type;
  if (own === type) return undefined;
  return {
    code: "config/binding-type-differs",
    message: `\`${module}\` defines the type \`${own}\`, skillc.yaml calls it \`${type}\``,
    help: `write \`${own}: ${module}\``,
  };
}

/** Span of the module for a type in skillc.yaml. */
function spanOfModule(configFile: SourceFile | undefined, type: string): Span {
  const file = configFile?.path ?? "skillc.yaml";
  const node = parseDocument(configFile?.text ?? "").getIn(["bindings", type], true);
  const range =
    typeof node === "object" && node !== null && "range" in node ? node.range : undefined;
  const [start = 0, end = 0] = Array.isArray(range)
    ? range.filter((each) => typeof each === "number")
    : [];
  return { file, start, end };
}

/** Lists reasons why a value is not a binding kind, as phrases; empty if it is one. */
function problemsOfKind(value: unknown): readonly string[] {
  if (!isRecord(value)) return [`it is ${describe(value)}`];
  return members.flatMap(({ name, want, fits }) => {
    const member = value[name];
    if (fits(member)) return [];
    return [
      member === undefined ? `\`${name}\` is missing (${want})` : `\`${name}\` must be ${want}`,
    ];
  });
}

/** Call it only if `problemsOfKind` found nothing. */
function asKind(value: unknown): BindingKind {
  // The types of all members were checked. Only a call can show the functions' types.
  return value as BindingKind;
}

interface Member {
  readonly name: keyof BindingKind;
  readonly want: string;
  readonly fits: (value: unknown) => boolean;
}

const method = (name: keyof BindingKind): Member => ({
  name,
  want: "a function",
  fits: (value) => typeof value === "function",
});

const members: readonly Member[] = [
  { name: "type", want: "text such as `graphql`", fits: isName },
  { name: "title", want: "text", fits: isText },
  { name: "schema", want: "a JSON Schema object with `properties`", fits: isSchema },
  { name: "modes", want: "a list of `active` and `shadow`", fits: isModes },
  {
    name: "diagnostics",
    want: "an object of diagnostic entries by code",
    fits: isDiagnosticEntries,
  },
  {
    name: "runtime",
    want: "an object of `module` (text), `values` and `types` (lists of names)",
    fits: (value) =>
      isRecord(value) &&
      isText(value["module"]) &&
      isNames(value["values"]) &&
      isNames(value["types"]),
  },
  {
    name: "template",
    want: "an object of `name` and `text`",
    fits: (value) => isRecord(value) && isText(value["name"]) && typeof value["text"] === "string",
  },
  method("resolve"),
  method("check"),
  method("schemas"),
  method("emit"),
];

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}

function isName(value: unknown): boolean {
  return typeof value === "string" && /^[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*$/.test(value);
}

function isNames(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText);
}

function isSchema(value: unknown): boolean {
  return isRecord(value) && isRecord(value["properties"]);
}

function isModes(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((each) => each === "active" || each === "shadow")
  );
}

function isDiagnosticEntries(value: unknown): boolean {
  return (
    isRecord(value) &&
    Object.entries(value).every(
      ([code, entry]) => /^[a-z0-9-]+\/[a-z0-9-]+$/.test(code) && isEntry(entry),
    )
  );
}

function isEntry(value: unknown): boolean {
  return (
    isRecord(value) &&
    ["error", "warning", "info"].some((severity) => severity === value["severity"]) &&
    isText(value["title"]) &&
    isText(value["explanation"]) &&
    isRecord(value["example"]) &&
    isRecord(value["fixed"])
  );
}

function describe(value: unknown): string {
  if (value === undefined) return "undefined";
  if (value === null) return "null";
  return Array.isArray(value) ? "a list" : `a ${typeof value}`;
}
