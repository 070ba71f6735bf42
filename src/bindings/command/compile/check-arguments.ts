/** Checks the values in a command: their types, their absence, paths, and options in disguise. */
import { quote, shown } from "../../../core/names.js";
import type { ToolModel } from "../../../core/skill-model.js";
import { factsOf } from "../../../kit/coverage.js";
import type { ParameterPart, TextPart } from "../../../kit/text-template.js";
import { checkFolder } from "../../../kit/folders.js";
import { typeWords } from "../../../kit/type-words.js";
import {
  type CheckContext,
  checkScalar,
  doubtOf,
  isScalar,
  reportParameter,
} from "../../../kit/values/check-value.js";
import { itemPaths, lookUp } from "../../../schema/look-up.js";
import { didYouMeanOrListed } from "../../../schema/suggestion.js";
import { propertyNames } from "../../../schema/look-up.js";
import { type ArgumentModel, type CommandConfig, type CommandText, isPath } from "./model.js";

/** Checks every argument of a command, and the other texts that the process gets. */
export function checkArguments(place: CheckContext, config: CommandConfig): void {
  const { argv, env, stdin } = config;
  for (const [index, argument] of argv.entries()) {
    if (argument.kind === "literal") checkNul(place, argument);
    if (argument.kind === "text") checkText(place, config, argument.template);
    if (argument.kind === "spread") checkSpread(place, config, argument.part);
    if (index > 0) checkOption(place, config, index);
  }
  for (const { value } of env) checkPlain(place, config, value, "an environment variable");
  if (typeof stdin === "object") checkPlain(place, config, stdin, "standard input");
  for (const folder of [...(config.cwd ? [config.cwd] : []), ...config.read, ...config.write])
    checkFolder(place, folder);
  checkListed(place, config);
}

function checkNul({ report }: CheckContext, argument: ArgumentModel): void {
  if (argument.kind !== "literal" || !argument.text.includes("\0")) return;
  report.add({
    code: "command/bad-argument",
    span: argument.span,
    message: "this argument has a NUL, which no argument of a process can contain",
    help: "remove it",
  });
}

/** Checks a text whose parts become one argument. */
function checkText(place: CheckContext, config: CommandConfig, { parts }: CommandText): void {
  for (const [index, part] of parts.entries()) {
    if (part.kind !== "parameter") continue;
    if (part.extent === "tokens") {
      const fact = "makes an argument for each item, but stands within a text";
      const help = `write it alone: \`"{${shown(part.path.join("."))}...}"\``;
      reportParameter(place, "bad-spread", part, fact, help);
    } else if (isPath(config, part)) checkPath(place, parts, index);
    else checkOne(place, part);
    checkPresence(place, part);
  }
}

function checkOne(place: CheckContext, part: ParameterPart): void {
  const types = factsOf(place.tool, part)?.types ?? [];
  if (!types.every((type) => type === "array" || type === "null") || types.length === 0)
    return checkScalar(place, part, "an argument");
  const name = shown(part.path.join("."));
  reportParameter(
    place,
    "not-a-scalar",
    part,
    "is a list, but an argument is one text",
    `write \`"{${name}...}"\`: an argument for each item`,
  );
}

function checkPresence(place: CheckContext, part: ParameterPart): void {
  const doubt = part.optional ? undefined : doubtOf(factsOf(place.tool, part));
  if (doubt === undefined || part.extent === "tokens") return;
  const name = shown(part.path.join("."));
  reportParameter(
    place,
    "optional-argument",
    part,
    `is ${doubt}, and this argument needs a value`,
    `write \`{${name}?}\`: without a value, the whole argument is dropped; or give it a \`default\``,
  );
}

/** Checks the type of a path, and the text around it. */
function checkPath(place: CheckContext, parts: CommandText["parts"], index: number): void {
  const part = parts[index];
  if (part?.kind !== "parameter") return;
  const types = factsOf(place.tool, part)?.types ?? [];
  const odd = types.filter((type) => type !== "string" && type !== "null");
  if (odd.length > 0)
    reportParameter(
      place,
      "bad-path-parameter",
      part,
      `is a path, but may be ${typeWords(odd)}`,
      "declare `type: string`",
    );
  const [before, after] = [endOf(parts[index - 1]), startOf(parts[index + 1])];
  if (before?.endsWith("/") || (after !== undefined && !after.startsWith("/")))
    reportParameter(
      place,
      "bad-path-parameter",
      part,
      "is a path, which is judged and becomes absolute, but text around it changes where it leads",
      `let the parameter hold the whole path, which is relative to \`cwd\`: \`{${shown(part.path.join("."))}}\``,
    );
}

/** Undefined at the beginning of a text. A value can end with anything. */
function endOf(part: TextPart<string> | undefined): string | undefined {
  if (part === undefined) return undefined;
  return part.kind === "literal" ? part.text : "/";
}

function startOf(part: TextPart<string> | undefined): string | undefined {
  if (part === undefined) return undefined;
  return part.kind === "literal" ? part.text : "";
}

function checkSpread(place: CheckContext, config: CommandConfig, part: ParameterPart): void {
  const facts = factsOf(place.tool, part);
  if (facts === undefined) return;
  const odd = facts.types.filter((type) => type !== "array" && type !== "null");
  const name = shown(part.path.join("."));
  if (odd.length > 0 || facts.types.length === 0) {
    const fact = `may be ${typeWords(odd)}, but \`...\` stands for the items of a list`;
    return reportParameter(place, "bad-spread", part, fact, `write \`{${name}}\``);
  }
  const { parameters } = place.tool;
  const items = [
    ...new Set(itemPaths(parameters, part.path).flatMap((at) => lookUp(parameters, at).types)),
  ];
  const wanted = isPath(config, part)
    ? items.every((type) => type === "string")
    : items.every(isScalar);
  if (wanted) return;
  const what = isPath(config, part)
    ? "each path is text"
    : "an argument is text, a number or a boolean";
  const fact = `has items that may be ${typeWords(items.filter((type) => !isScalar(type) || isPath(config, part)))}, but ${what}`;
  reportParameter(
    place,
    "bad-spread",
    part,
    fact,
    "declare the type of its `items`, such as `type: string`",
  );
}

/** Checks a text that is neither an argument nor a folder. */
function checkPlain(
  place: CheckContext,
  config: CommandConfig,
  { parts }: CommandText,
  where: string,
): void {
  for (const part of parts) {
    if (part.kind !== "parameter") continue;
    if (isPath(config, part))
      reportParameter(
        place,
        "bad-path-parameter",
        part,
        `is a path, but ${where} holds text that nothing judges`,
        "name the path in `command`, or remove it from `paths`",
      );
    else checkScalar(place, part, where);
    if (where !== "standard input") checkAlways(place, part, where);
  }
}

function checkAlways(place: CheckContext, part: ParameterPart, where: string): void {
  const doubt = doubtOf(factsOf(place.tool, part));
  if (doubt === undefined) return;
  const fact = `is ${doubt}, but ${where} needs a value`;
  reportParameter(
    place,
    "optional-argument",
    part,
    fact,
    "make it required, or give it a `default`",
  );
}

/** Checks that the key `paths` lists parameters that are in the command. */
function checkListed({ report, tool }: CheckContext, { listedPaths, paths }: CommandConfig): void {
  const names = propertyNames(tool.parameters, []);
  for (const { name, span } of listedPaths) {
    if (paths.includes(name)) continue;
    const isParameter = names.includes(name.split(".", 1)[0] ?? "");
    report.add({
      code: "command/unknown-path",
      span,
      message: isParameter
        ? `${quote(name)} is listed as a path, but \`command\` never names it`
        : `${quote(name)} is not a parameter of ${quote(tool.name)}`,
      help: isParameter
        ? `write \`{${shown(name)}}\` in \`command\`, or remove it from \`paths\``
        : (didYouMeanOrListed(name, names, "its parameters are") ?? "remove it"),
    });
  }
}

/**
 * Warns about text that begins an argument before any literal `--`. The runtime rejects a value that
 * begins with `-`, so such calls fail.
 */
function checkOption(place: CheckContext, config: CommandConfig, index: number): void {
  const { argv } = config;
  const isEnd = (each: ArgumentModel): boolean => each.kind === "literal" && each.text === "--";
  if (argv.slice(0, index).some(isEnd)) return;
  const part = firstValue(argv[index]);
  if (part === undefined || isPath(config, part) || !mayBeOption(place.tool, part)) return;
  const name = shown(part.path.join("."));
  const before = argv[index - 1];
  const option =
    before?.kind === "literal" && before.text.startsWith("-") ? before.text : undefined;
  const mark = part.extent === "tokens" ? "..." : part.optional ? "?" : "";
  const glued = option?.startsWith("--") ? `${option}=` : option;
  const help =
    glued !== undefined && mark !== "..."
      ? `join it to its option: \`"${shown(glued)}{${name}${mark}}"\` in place of the two arguments`
      : `write a literal \`--\` before it, after which nothing is an option: \`--, "{${name}${mark}}"\``;
  const fact =
    "may begin with `-`, which the program would take for an option, so such calls are rejected";
  reportParameter(place, "option-injection", part, fact, help);
}

function firstValue(argument: ArgumentModel | undefined): ParameterPart | undefined {
  if (argument?.kind === "spread") return argument.part;
  const [first] = argument?.kind === "text" ? argument.template.parts : [];
  return first?.kind === "parameter" ? first : undefined;
}

/** Numbers and listed values that don't begin with `-` are no options. */
function mayBeOption(tool: ToolModel, part: ParameterPart): boolean {
  const path = part.extent === "tokens" ? [...part.path, 0] : part.path;
  if (factsOf(tool, part) === undefined) return false;
  const { enum: values, types } = lookUp(tool.parameters, path);
  if (!types.includes("string")) return false;
  return values === undefined || values.some((each) => String(each).startsWith("-"));
}
