import { usualOutputBytes } from "@skillc/runtime/internal/command";
import {
  at,
  type Code,
  code,
  imported,
  join,
  literal,
  literalUnion,
  objectKey,
} from "../../../core/code.js";
import { runtimeEntry } from "../../../core/runtime-entry.js";
import type { BindingEmission, EmitInput, View } from "../../../kit/binding-emission.js";
import { callerValue } from "../../../kit/caller-root.js";
import { factsOf, restOfParameters } from "../../../kit/coverage.js";
import { folderCode } from "../../../kit/folders.js";
import { isValuePart, literalText, loneValue, type ValuePart } from "../../../kit/text-template.js";
import { placeOfParameter } from "../../../kit/unused-parameters.js";
import {
  credentialCode,
  functionParameters,
  objectCode,
  parameterCode,
  partsCode,
  referencePointer,
  type RequestScope,
  valuePartCode,
} from "../../../kit/values/emit-value.js";
import {
  type ArgumentModel,
  type CommandConfig,
  type CommandText,
  isPath,
  statusesOf,
  templatesOfArguments,
} from "./model.js";

type Input = EmitInput<CommandConfig>;

/** Makes the view of `templates/command.hbs` and the result types of the tool. */
export function emitCommand(input: Input): BindingEmission {
  const { config, runtime } = input;
  return {
    view: {
      command: runtime("command"),
      argumentsType: input.argumentsType,
      effect: literal(config.effect),
      argv: config.argv.flatMap((each) => argumentCode(input, each)),
      argvParameters: functionParameters([...templatesOfArguments(config), ...spreads(config)]),
      ...placeView(input),
      ...feedView(input),
      ...answerView(config),
      hasScripts: config.scripts.length > 0,
      ...(config.scripts.length > 0 && { scriptFolder: runtime("scriptFolder") }),
    },
    dataType: dataTypeOf(config),
    answerType: (data) => answerTypeOf(input, data),
    recordType: runtime("CommandRecord"),
  };
}

/** Where the process runs. */
function placeView(input: Input): Record<string, View> {
  const { cwd, effect, executor, image, network, settings, temporary, within, ...folders } =
    input.config;
  const isRead = effect === "read";
  const read = isRead ? [...folders.read, ...folders.write] : folders.read;
  const write = isRead ? [] : folders.write;
  const folder = (each: CommandText): Code => folderCode(scopeOf(input), each);
  const container = image?.name ?? settings?.image;
  const sandbox = settings?.sandbox ?? "required";
  const isUnusual = executor === "sandbox" && sandbox !== "required";
  return {
    ...some("Executor", "executor", executor !== "sandbox", literal(executor)),
    ...some("Cwd", "cwd", cwd !== undefined, cwd && folder(cwd)),
    ...some("Read", "read", read.length > 0, read.map(folder)),
    ...some("Write", "write", write.length > 0, write.map(folder)),
    ...some("Temporary", "temporary", temporary !== undefined, literal(temporary ?? "")),
    ...some("Within", "within", within !== undefined, literal([...(within ?? [])])),
    ...some("Network", "network", network === "host", literal(network)),
    ...some("Sandbox", "sandbox", isUnusual, literal(sandbox)),
    ...some(
      "Docker",
      "image",
      executor === "docker" && container !== undefined,
      literal(container ?? ""),
    ),
  };
}

/** What the process gets beside its arguments. */
function feedView(input: Input): Record<string, View> {
  const { env, stdin } = input.config;
  const texts = env.map(({ value }) => value);
  const entries = env.map(
    ({ name, span, value }) => code`${at(span, objectKey(name))}: ${textCode(input, value)}`,
  );
  const isRest = stdin === "rest";
  return {
    ...some("Env", "env", env.length > 0, objectCode(entries)),
    isFixedEnv: !texts.some(dependsOnCall),
    envParameters: functionParameters(texts),
    ...some(
      "Stdin",
      "stdin",
      stdin !== undefined,
      isRest ? restCode(input) : stdin && textCode(input, stdin),
    ),
    stdinParameters: isRest ? code`p` : functionParameters(stdin ? [stdin] : []),
  };
}

/** How an answer is made of exit code and output. */
function answerView({ exitCodes, maxOutput, output }: CommandConfig): Record<string, View> {
  const statuses = exitCodes.map(
    (each) => code`${objectKey(String(each.code))}: ${at(each.span, literal(each.status))}`,
  );
  const isLimited = maxOutput.bytes !== usualOutputBytes;
  return {
    ...some("Output", "output", output !== "text", literal(output)),
    ...some("ExitCodes", "exitCodes", statuses.length > 0, objectCode(statuses)),
    ...some("MaxOutput", "maxOutput", isLimited, literal(maxOutput.bytes)),
  };
}

/** A member of the contract that is written only if it differs from its default. */
function some(flag: string, name: string, isThere: boolean, value: View): Record<string, View> {
  return { [`has${flag}`]: isThere, [name]: value };
}

function spreads({ argv }: CommandConfig): readonly Pick<CommandText, "parts">[] {
  return argv.flatMap((each) => (each.kind === "spread" ? [{ parts: [each.part] }] : []));
}

function dependsOnCall({ parts }: Pick<CommandText, "parts">): boolean {
  return parts.some(isValuePart);
}

export function scopeOf({ runtime, tool }: Input): RequestScope {
  return { parameters: tool.parameters, runtime, roots: callerValue };
}

/** Code of one argument; for a list, code that spreads it. */
function argumentCode(input: Input, argument: ArgumentModel): Code {
  const { config, runtime } = input;
  const scope = scopeOf(input);
  switch (argument.kind) {
    case "literal":
      return at(argument.span, literal(argument.text));
    case "script":
      return at(argument.span, code`${runtime("script")}(${literal(argument.name)})`);
    case "spread": {
      const { part } = argument;
      const make = runtime(isPath(config, part) ? "paths" : "values");
      const list = valuePartCode(scope, part);
      return code`...${at(argument.span, code`${make}(${literal(referencePointer(part))}, ${list})`)}`;
    }
    case "text": {
      const made = at(argument.span, joinedCode(input, argument.template.parts));
      const missing = missingCode(input, argument.template);
      return missing === undefined ? made : code`${missing} ? undefined : ${made}`;
    }
  }
}

/** The condition under which an argument is dropped; undefined if it never is. */
export function missingCode(input: Input, { parts }: CommandText): Code | undefined {
  const tests = parts.flatMap((part) => {
    if (part.kind !== "parameter" || part.optional !== true) return [];
    const facts = factsOf(input.tool, part);
    const value = parameterCode(scopeOf(input), part.path, part.span);
    return [
      ...(facts?.presence === "always" ? [] : [code`${value} === undefined`]),
      ...(facts?.types.includes("null") ? [code`${value} === null`] : []),
    ];
  });
  return tests.length === 0 ? undefined : join(tests, code` || `);
}

/** Code of the parts of one argument, by what the argument begins with. */
function joinedCode(input: Input, parts: CommandText["parts"]): Code {
  const { config, runtime } = input;
  const codes = partCodes(input, parts);
  const [first] = parts;
  const list = join(codes, code`, `);
  if (first?.kind === "parameter" && isPath(config, first)) return list;
  if (first?.kind === "literal") return code`${runtime("joined")}(${list})`;
  const pointer = first !== undefined && isValuePart(first) ? referencePointer(first) : "";
  return code`${runtime("value")}(${literal(pointer)}, ${list})`;
}

/** Code of each part. A path takes in what follows, which is below it. */
export function partCodes(input: Input, parts: CommandText["parts"]): readonly Code[] {
  const scope = scopeOf(input);
  const start = parts.findIndex((part) => part.kind === "parameter" && isPath(input.config, part));
  const part = parts[start];
  if (part?.kind !== "parameter") return partsCode(scope, textOf(parts));
  const before = partsCode(scope, textOf(parts.slice(0, start)));
  const written = partsCode(scope, textOf(parts.slice(start)), (each) => stringCode(input, each));
  const made = code`${input.runtime("path")}(${literal(referencePointer(part))}, ${join(written, code`, `)})`;
  return [...before, made];
}

function textOf(parts: CommandText["parts"]): CommandText {
  const span = { file: "", start: 0, end: 0 };
  return { span: parts[0]?.span ?? span, parts, whole: true };
}

/** Code of a value as text. */
function stringCode(input: Input, part: ValuePart): Code {
  const value = valuePartCode(scopeOf(input), part);
  const types = part.kind === "root" ? ["string"] : (factsOf(input.tool, part)?.types ?? []);
  const isText = types.every((type) => type === "string" || type === "null");
  return isText ? value : code`${input.runtime("text")}(${value})`;
}

/** Code of a text for standard input or a variable. */
function textCode(input: Input, template: CommandText): Code {
  const fixed = literalText(template);
  if (fixed !== undefined) return at(template.span, literal(fixed));
  const alone = loneValue(template);
  if (alone !== undefined) return at(template.span, stringCode(input, alone));
  const [only] = template.parts;
  if (template.parts.length === 1 && only?.kind === "credential")
    return at(template.span, credentialCode(scopeOf(input), only.name));
  const parts = partsCode(scopeOf(input), template);
  return at(template.span, code`${input.runtime("text")}(${join(parts, code`, `)})`);
}

/** Code of a JSON text with the parameters that nothing else uses. */
function restCode(input: Input): Code {
  const { binding, tool } = input;
  const entries = restOfParameters(tool, binding.references).map((name) => {
    const span = placeOfParameter(tool.parameters, name);
    return code`${at(span, objectKey(name))}: ${parameterCode(scopeOf(input), [name], span)}`;
  });
  return code`JSON.stringify(${objectCode(entries)})`;
}

function dataTypeOf({ output }: CommandConfig): Code {
  switch (output) {
    case "json":
      return code`unknown`;
    case "text":
      return code`string`;
    case "lines":
      return code`readonly string[]`;
    case "none":
      return code`null`;
  }
}

function answerTypeOf({ config, runtime }: Input, data: Code): Code {
  const { failed, succeeded } = statusesOf(config);
  const result = imported(runtimeEntry(), "ToolResult", true);
  if (failed.length > 0)
    return code`${result}<${data}, ${literalUnion(failed)}, ${literalUnion(succeeded)}, ${runtime("CommandFault")}>`;
  const isUsual = succeeded.length === 1 && succeeded[0] === "success";
  return isUsual
    ? code`${result}<${data}>`
    : code`${result}<${data}, never, ${literalUnion(succeeded)}>`;
}
