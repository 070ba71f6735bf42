/** How copies undo the calls of a command: a layer of the sandbox, or paths that the author names. */
import { covers } from "@skillc/runtime/internal";
import { at, type Code, code, join, literal } from "../../../core/code.js";
import { quote } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import type { ToolModel } from "../../../core/skill-model.js";
import type { EmitInput } from "../../../kit/binding-emission.js";
import { factsOf } from "../../../kit/coverage.js";
import type { BackupPath, FileChanges } from "../../../kit/file-changes.js";
import { folderCapability, folderTextCode } from "../../../kit/folders.js";
import type { ParameterPart } from "../../../kit/text-template.js";
import { referencePointer, valuePartCode } from "../../../kit/values/emit-value.js";
import { missingCode, partCodes, scopeOf } from "./emit.js";
import { type CommandConfig, isPath } from "./model.js";

export const commandFileChanges: FileChanges<CommandConfig> = {
  namesFiles: false,
  noLayer: ({ executor }) =>
    executor === "sandbox"
      ? undefined
      : {
          message: `the executor ${quote(executor)} runs a command without a layer, so nothing holds back its changes`,
          help: "write `executor: sandbox` in the binding, or `rollback: { strategy: backup, paths: [PATH] }`",
        },
  checkPaths(tool, config, paths, report) {
    for (const path of paths) if (path.whole) checkPath(path, tool, config, report);
  },
  pathCodes: (input, paths) => paths.map((each) => pathCode(input, each)),
};

function checkPath(path: BackupPath, tool: ToolModel, config: CommandConfig, report: Report): void {
  const [first, ...others] = path.parts;
  const late = others.find(({ kind }) => kind === "parameter");
  if (late?.kind === "parameter") return notAtStart(late, report);
  if (first?.kind === "parameter") {
    const isPlain = others.every(({ kind }) => kind === "literal");
    return isPlain ? checkParameter(first, tool, config, report) : notAlone(first, report);
  }
  const stray = path.parts.find(
    (part) =>
      (part.kind === "credential" &&
        !tool.binding.credentials.some(({ name }) => name === part.name)) ||
      (part.kind === "root" && tool.binding.caller?.includes(part.path[0] ?? "") !== true),
  );
  const wanted = folderCapability("write", path).capability;
  const isInside = config.write.some((each) =>
    covers(folderCapability("write", each).capability, wanted),
  );
  if (isInside && stray === undefined) return;
  const folders = config.write.map((each) =>
    quote(folderCapability("write", each).capability.replace("fs.write ", "")),
  );
  report.add({
    code: "rollback/outside-folders",
    span: path.span,
    message:
      folders.length === 0
        ? "the command may change no folder, so there is nothing to copy"
        : `this path is not in a folder that the command may change: ${folders.join(", ")}`,
    help:
      folders.length === 0
        ? "list the folder under `write` of `allowed_paths`"
        : "begin it with such a folder, as `allowed_paths` writes it, or name a parameter that is a path",
  });
}

function checkParameter(
  part: ParameterPart,
  tool: ToolModel,
  config: CommandConfig,
  report: Report,
): void {
  if (!isPath(config, part)) return notAPath(part, report);
  const isList = factsOf(tool, part)?.types.includes("array") === true;
  const isSpread = part.extent === "tokens";
  if (isList === isSpread) return;
  const name = part.path.join(".");
  report.add({
    code: "rollback/bad-path",
    span: part.span,
    message: isList ? `${quote(name)} is a list of paths` : `${quote(name)} is a single path`,
    help: `write \`{${name}${isList ? "..." : ""}}\``,
  });
}

function notAPath({ path, span }: ParameterPart, report: Report): void {
  const message = `${quote(path.join("."))} is not a path parameter of the command`;
  report.add({ code: "rollback/bad-path", span, message, help: startOfPath });
}

function notAtStart({ path, span }: ParameterPart, report: Report): void {
  const message = `${quote(path.join("."))} is not at the beginning of the path`;
  report.add({ code: "rollback/bad-path", span, message, help: startOfPath });
}

function notAlone({ path, span }: ParameterPart, report: Report): void {
  report.add({
    code: "rollback/bad-path",
    span,
    message: `something else than fixed text follows ${quote(path.join("."))}`,
    help: "write fixed text after the parameter",
  });
}

const startOfPath =
  "begin the path with a parameter that `paths` of the binding lists, or that has `format: path`; or write a fixed path";

type Input = EmitInput<CommandConfig>;

/** Code of a path. A parameter is relative to the command's working folder, as in its arguments. */
function pathCode(input: Input, template: BackupPath): Code {
  const [first] = template.parts;
  if (first?.kind !== "parameter") return folderTextCode(scopeOf(input), template);
  const value = valuePartCode(scopeOf(input), first);
  if (first.extent === "tokens")
    return code`...${at(template.span, code`${input.runtime("paths")}(${literal(referencePointer(first))}, ${value})`)}`;
  // A path takes in the text that follows.
  const made = at(template.span, join(partCodes(input, template.parts)));
  // Nothing is copied for a parameter without a value.
  const missing = missingCode(input, { ...template, parts: [{ ...first, optional: true }] });
  return missing === undefined ? made : code`${missing} ? undefined : ${made}`;
}
