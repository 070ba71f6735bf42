import { posix } from "node:path";
import { shown } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import type { ParameterReference, SchemaModel } from "../../../core/skill-model.js";
import type { Span } from "../../../core/span.js";
import { entryOf, type SyntaxNode, textOf, valueOf } from "../../../core/syntax-node.js";
import type { CarriedFile, ResolvedBinding, ResolveInput } from "../../../kit/binding.js";
import { readByteLimit } from "../../../kit/byte-limit.js";
import { credentialsIn, parametersIn } from "../../../kit/coverage.js";
import { isTemporary } from "../../../kit/folders.js";
import { rootsIn } from "../../../kit/roots.js";
import {
  loneParameter,
  literalText,
  parseTemplate,
  type TextNode,
  textNode,
} from "../../../kit/text-template.js";
import { usualOutputBytes } from "@skillc/runtime/internal/command";
import { pathFormat } from "../../../schema/formats.js";
import { lookUp } from "../../../schema/look-up.js";
import { schemaAt } from "../../../schema/schema-tree.js";
import {
  type ArgumentModel,
  argumentTemplates,
  type CommandConfig,
  type CommandText,
  commandTemplates,
  type EnvironmentEntry,
  type ExitCodeModel,
  outputForms,
  pathOfArgument,
} from "./model.js";
import { readExecutor } from "./read-executor.js";

/** Reads the `binding:` mapping of a command as a model. */
export function resolveCommand(input: ResolveInput): ResolvedBinding<CommandConfig> | undefined {
  const { node, parameters, report } = input;
  const command = entryOf(node, "command");
  const executor = readExecutor(valueOf(node, "executor"), report);
  if (command === undefined || executor === undefined) return undefined;
  const read = textsIn(command.value).map((each, at) => readArgument(each, at, input));
  const place = readPlace(input);
  const feed = readFeed(input);
  const templates = [
    ...read.flatMap(({ template }) => template ?? []),
    ...(place.cwd ? [place.cwd] : []),
    ...place.read,
    ...place.write,
    ...feed.env.map(({ value }) => value),
    ...(typeof feed.stdin === "object" ? [feed.stdin] : []),
  ];
  const parts = templates.flatMap((each) => each.parts);
  const references = parametersIn(parts);
  const listedPaths = textsIn(valueOf(node, "paths")).map(({ span, value: name }) => ({
    name,
    span,
  }));
  const effect = readEffect(input, {
    isConfined: executor.name === "sandbox" && place.network === "none",
    hasWrites: place.write.length > 0 || place.temporary === "write",
  });
  const argv = read.flatMap(({ argument }) => argument ?? []);
  const paths = pathsAmong(references, listedPaths, parameters);
  const pathParameters = argv.flatMap((each) => {
    const part = pathOfArgument({ paths }, each);
    return part === undefined ? [] : [part.path];
  });
  return {
    config: {
      executor: executor.name,
      ...(executor.span && { executorSpan: executor.span }),
      effect,
      span: command.key.span,
      argv,
      ...place,
      paths,
      listedPaths,
      ...feed,
      ...readAnswer(input, command.key.span),
      scripts: distinctScripts(read),
      ...((read[0]?.argument === undefined || read[0].template?.whole === false) && {
        lacksProgram: true,
      }),
      whole:
        templates.every(({ whole }) => whole) &&
        read.every(({ argument }) => argument !== undefined),
    },
    effect,
    idempotent: false,
    credentials: credentialsIn(parts),
    references,
    ...(pathParameters.length > 0 && { paths: pathParameters }),
    roots: rootsIn(parts),
  };
}

/** Reads where the process runs: its folders, its network and its container. */
function readPlace({
  fileFolders,
  node,
  report,
}: ResolveInput): Pick<
  CommandConfig,
  "cwd" | "image" | "network" | "read" | "temporary" | "within" | "write"
> {
  const folder = (each: TextNode): CommandText => parseTemplate(each, commandTemplates, report);
  const cwd = textNode(valueOf(node, "cwd"));
  const image = textNode(valueOf(valueOf(node, "docker"), "image"));
  return {
    ...(cwd && { cwd: folder(cwd) }),
    ...readFolders(valueOf(node, "allowed_paths"), folder),
    ...(fileFolders && { within: fileFolders }),
    network: textOf(valueOf(node, "network")) === "host" ? "host" : "none",
    ...(image && { image: { name: image.value, span: image.span } }),
  };
}

/** Reads what the process gets beside its arguments. */
function readFeed({ node, report }: ResolveInput): Pick<CommandConfig, "env" | "stdin"> {
  const stdin = readInput(valueOf(node, "stdin"), report);
  return {
    env: readEnvironment(valueOf(node, "env"), report),
    ...(stdin !== undefined && { stdin }),
  };
}

/** Reads how an answer is made of exit code and output. */
function readAnswer(
  { node, report }: ResolveInput,
  usual: Span,
): Pick<CommandConfig, "exitCodes" | "maxOutput" | "output" | "outputSpan"> {
  const output = valueOf(node, "output");
  return {
    output: outputForms.find((each) => each === textOf(output)) ?? "text",
    outputSpan: output?.span ?? usual,
    exitCodes: readExitCodes(valueOf(node, "exit_codes")),
    maxOutput: readByteLimit(node, "max_output_bytes", { usual: usualOutputBytes, report }),
  };
}

function textsIn(node: SyntaxNode | undefined): readonly TextNode[] {
  return node?.kind === "list" ? node.items.flatMap((each) => textNode(each) ?? []) : [];
}

/** Returns the effect of a call: the author's word, or what the process can do at most. */
function readEffect(
  { isReadByRisk, node }: ResolveInput,
  { hasWrites, isConfined }: { readonly isConfined: boolean; readonly hasWrites: boolean },
): CommandConfig["effect"] {
  const declared = textOf(valueOf(node, "effect"));
  if (declared === "read" || declared === "write") return declared;
  return isReadByRisk || (isConfined && !hasWrites) ? "read" : "write";
}

interface ReadArgument {
  /** Undefined for a script that can't be read, which is reported. */
  readonly argument?: ArgumentModel;
  readonly template?: CommandText;
  readonly script?: CarriedFile;
}

function readArgument(node: TextNode, at: number, input: ResolveInput): ReadArgument {
  const { span } = node;
  const template = parseTemplate(node, argumentTemplates, input.report);
  const fixed = literalText(template);
  if (fixed !== undefined && /^\.\/./.test(fixed)) return readScript(fixed, node, input);
  if (fixed !== undefined) return { argument: { kind: "literal", text: fixed, span }, template };
  const part = loneParameter(template);
  // A program is never a list: `check` reports it.
  return part?.extent === "tokens" && at > 0
    ? { argument: { kind: "spread", part, span }, template }
    : { argument: { kind: "text", template, span }, template };
}

/** Names that every system accepts, and that a list of checksums can hold. */
const scriptPath = /^[A-Za-z0-9_+-][\w.+-]*(?:\/[A-Za-z0-9_+-][\w.+-]*)*$/;

function readScript(
  path: string,
  node: TextNode,
  { ownFiles, report }: ResolveInput,
): ReadArgument {
  const { span } = node;
  const name = posix.normalize(path);
  const file = ownFiles.readFile(path, node);
  if (file === undefined) return {};
  if (!scriptPath.test(name) || name.endsWith(".")) {
    report.add({
      code: "command/bad-script",
      span,
      message: `\`${shown(path)}\` can't be copied to the output: its name has unusual characters`,
      help: "rename the file: use letters, digits, `.`, `_`, `+` and `-`, without a dot at either end",
    });
    return {};
  }
  const script = { path: name, text: file.text };
  return { argument: { kind: "script", name, span }, script };
}

function distinctScripts(read: readonly ReadArgument[]): readonly CarriedFile[] {
  const all = read.flatMap(({ script }) => (script === undefined ? [] : [script]));
  return [...new Map(all.map((each) => [each.path, each])).values()];
}

function readFolders(
  node: SyntaxNode | undefined,
  folder: (node: TextNode) => CommandText,
): Pick<CommandConfig, "read" | "temporary" | "write"> {
  const isPlainList = node?.kind === "list";
  const read = isPlainList ? [] : textsIn(valueOf(node, "read")).map(folder);
  const write = textsIn(isPlainList ? node : valueOf(node, "write")).map(folder);
  const access = write.some(isTemporary) ? "write" : read.some(isTemporary) ? "read" : undefined;
  return {
    read: read.filter((each) => !isTemporary(each)),
    write: write.filter((each) => !isTemporary(each)),
    ...(access && { temporary: access }),
  };
}

function readEnvironment(
  node: SyntaxNode | undefined,
  report: Report,
): readonly EnvironmentEntry[] {
  if (node?.kind !== "map") return [];
  return node.entries.flatMap(({ key, value }) => {
    const text = textNode(value);
    if (text === undefined) return [];
    const template = parseTemplate(text, commandTemplates, report);
    return [{ name: key.value, span: key.span, value: template }];
  });
}

function readInput(node: SyntaxNode | undefined, report: Report): CommandConfig["stdin"] {
  const text = textNode(node);
  if (text?.value === "json") return "rest";
  return text && parseTemplate(text, { ...commandTemplates, hasOptional: true }, report);
}

function readExitCodes(node: SyntaxNode | undefined): readonly ExitCodeModel[] {
  if (node?.kind !== "map") return [];
  return node.entries.flatMap(({ key, value }) => {
    const status = textOf(value);
    if (status === undefined) return [];
    const code = /^\d{1,3}$/.test(key.value) ? Number(key.value) : Number.NaN;
    return [{ code, status, span: Number.isNaN(code) || code > 255 ? key.span : value.span }];
  });
}

/** Returns the names of the references that are paths, by the list or by their schemas. */
function pathsAmong(
  references: readonly ParameterReference[],
  listed: CommandConfig["listedPaths"],
  parameters: SchemaModel,
): readonly string[] {
  const names = new Set(listed.map(({ name }) => name));
  const found = references.filter(
    ({ path }) => names.has(path.join(".")) || hasPathFormat(parameters, path),
  );
  return [...new Set(found.map(({ path }) => path.join(".")))];
}

function hasPathFormat(parameters: SchemaModel, path: readonly string[]): boolean {
  return [path, [...path, 0]].some((each) => {
    const pointer = lookUp(parameters, each).schema;
    const schema = pointer === undefined ? true : schemaAt(parameters.schema, pointer);
    return typeof schema === "object" && schema["format"] === pathFormat;
  });
}
