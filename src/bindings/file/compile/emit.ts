import { usualFileBytes } from "@skillc/runtime/internal/file";
import {
  at,
  type Code,
  code,
  ident,
  imported,
  join,
  literal,
  literalUnion,
} from "../../../core/code.js";
import { runtimeEntry } from "../../../core/runtime-entry.js";
import type { BindingEmission, EmitInput } from "../../../kit/binding-emission.js";
import { callerValue } from "../../../kit/caller-root.js";
import { folderCode } from "../../../kit/folders.js";
import {
  functionParameters,
  objectCode,
  partsCode,
  referencePointer,
  type RequestScope,
  scalarCode,
  templateCode,
  valuePartCode,
} from "../../../kit/values/emit-value.js";
import { maskedPaths } from "../../../schema/masked-paths.js";
import { failedStatuses, type FileConfig, type FileText, type OptionName } from "./model.js";

type Input = EmitInput<FileConfig>;

/** Makes the view of `templates/file.hbs` and the result types of the tool. */
export function emitFile(input: Input): BindingEmission {
  const { config, runtime, tool } = input;
  const { allowed, content, encoding, maxBytes, operation, options, path, to, within } = config;
  const texts = [
    ...(path ? [path] : []),
    ...(to ? [to] : []),
    ...(content ? [content] : []),
    ...options.flatMap(({ value }) => (value.kind === "template" ? [value.template] : [])),
  ];
  const contentNames = (content?.parts ?? []).flatMap((part) =>
    part.kind === "parameter" ? [part.path] : [],
  );
  return {
    view: {
      file: runtime("file"),
      argumentsType: input.argumentsType,
      operation: at(config.span, literal(operation)),
      parameters: functionParameters(texts),
      request: requestCode(input),
      allowed: allowed.map((each) => folderCode(scopeOf(input), each)),
      hasTemporary: config.usesTemporary === true,
      hasWithin: within !== undefined,
      within: literal([...(within ?? [])]),
      isBase64: encoding === "base64",
      hasMaxBytes: maxBytes !== usualFileBytes,
      maxBytes: literal(maxBytes),
      hidesDigest: maskedPaths(tool.parameters).some((masked) =>
        contentNames.some((name) => masked.every((step, index) => step === (name[index] ?? step))),
      ),
    },
    dataType: dataTypeOf(input),
    answerType: (data) => answerTypeOf(input, data),
    maskedParameters: contentNames,
    recordType: runtime("FileRecord"),
  };
}

function scopeOf({ runtime, tool }: Input): RequestScope {
  return { parameters: tool.parameters, runtime, roots: callerValue };
}

/** Names of options in requests. */
const requestNames = {
  offset: "offset",
  length: "length",
  glob: "glob",
  max_depth: "maxDepth",
  max_files: "maxFiles",
  overwrite: "overwrite",
  create_directories: "createDirectories",
  size_bytes: "sizeBytes",
} as const satisfies { readonly [name in OptionName]: string };

function requestCode(input: Input): Code {
  const { content, operation, options, path, to } = input.config;
  const scope = scopeOf(input);
  const contentName = operation === "patch" ? code`patch` : code`content`;
  return objectCode([
    ...(path ? [code`path: ${pathCode(input, path)}`] : []),
    ...(to ? [code`to: ${pathCode(input, to)}`] : []),
    ...(content ? [code`${contentName}: ${at(content.span, templateCode(scope, content))}`] : []),
    ...options.map(({ name, value }) => code`${optionNameCode(name)}: ${scalarCode(scope, value)}`),
  ]);
}

function optionNameCode(name: OptionName): Code {
  return ident(requestNames[name]);
}

/** Code of a path. Its first value may be a whole path; later values can't leave the text before. */
function pathCode(input: Input, template: FileText): Code {
  const { runtime } = input;
  const scope = scopeOf(input);
  const [first] = template.parts;
  const parts = partsCode(scope, template, (part) => {
    const make = part.kind === "root" ? "segment" : part === first ? "given" : "below";
    const value = valuePartCode(scope, part);
    return code`${runtime(make)}(${literal(referencePointer(part))}, ${value})`;
  });
  return at(template.span, code`${runtime("path")}(${join(parts, code`, `)})`);
}

function dataTypeOf({ config, runtime }: Input): Code {
  switch (config.operation) {
    case "read":
      return runtime(config.encoding === "base64" ? "FileBase64" : "FileText");
    case "list":
      return code`readonly ${runtime("FileEntry")}[]`;
    case "stat":
      return runtime("FileEntry");
    case "temporary":
      return runtime("TemporaryFolder");
    default:
      return runtime("ChangedFile");
  }
}

function answerTypeOf({ config, runtime }: Input, data: Code): Code {
  const result = imported(runtimeEntry(), "ToolResult", true);
  const statuses = failedStatuses(config);
  if (statuses.length === 0) return code`${result}<${data}>`;
  const failed = literalUnion(statuses);
  const fault = runtime("FileFault");
  return config.operation === "list"
    ? code`${runtime("FileList")}<${data}> | ${result}<never, ${failed}, never, ${fault}>`
    : code`${result}<${data}, ${failed}, "success", ${fault}>`;
}
