/** Makes `command` of a binding, and decides how each parameter reaches the process. */
import { posix } from "node:path";
import { isJsonObject, type JsonObject, type JsonValue } from "../../core/json.js";
import { literalText } from "../skills/texts.js";
import type { HubTool } from "./hub-tool.js";
import { isPathParameter } from "./path-parameters.js";

/** How parameters reach a process that does not name them: as JSON on standard input, or as `--name=value`. */
export type ArgumentForm = "stdin" | "flags";

export interface CommandDraft {
  readonly command: readonly string[];
  /** Parameters in `command` that are taken for paths. */
  readonly paths: readonly string[];
  /** Parameters that go to standard input. */
  readonly onStdin: readonly string[];
  /** Texts such as `{count}` that look like parameters, but are none. */
  readonly unknown: readonly string[];
}

/** @param parameters schema of the tool's parameters */
export function draftCommand(
  tool: HubTool,
  parameters: JsonObject,
  form: ArgumentForm,
): CommandDraft {
  const properties = Object.entries(propertiesOf(parameters));
  const required = parameters["required"];
  const isCertain = (name: string, schema: JsonValue): boolean =>
    (Array.isArray(required) && required.includes(name)) ||
    (isJsonObject(schema) && schema["default"] !== undefined);
  const marks = new Map(
    properties.map(([name, schema]) => [name, isCertain(name, schema) ? "" : "?"]),
  );
  const named = new Set<string>();
  const written = tool.command.map((each) =>
    withPlaceholders(fromFolder(each, tool.cwd), marks, named),
  );
  const rest = properties.filter(([name]) => !named.has(name));
  const flags = form === "flags" ? rest.filter(isFlag).map(([name]) => name) : [];
  const inCommand = new Set([...named, ...flags]);
  const isPath = ([name, schema]: readonly [string, JsonValue]): boolean =>
    inCommand.has(name) && tool.allowedPaths.length > 0 && isPathParameter(name, schema);
  return {
    command: [...written, ...flags.map((name) => `--${name}={${name}${marks.get(name) ?? ""}}`)],
    paths: properties.filter(isPath).map(([name]) => name),
    onStdin: properties.map(([name]) => name).filter((name) => !inCommand.has(name)),
    unknown: tool.command
      .flatMap((each) => each.match(placeholder) ?? [])
      .filter((each) => !named.has(each.slice(1, -1))),
  };
}

/** Returns the schemas of the parameters by name. */
function propertiesOf(parameters: JsonObject): JsonObject {
  const { properties } = parameters;
  return isJsonObject(properties) ? properties : {};
}

/** A name in braces, as hubs write parameters; neither `${name}` nor `{{name}}`. */
const placeholder = /(?<![{$])\{[A-Za-z_][\w.-]*\}(?!\})/g;

/**
 * Keeps `{name}` if the tool has a parameter of that name. All other braces are text.
 *
 * @param named receives the names
 */
function withPlaceholders(
  text: string,
  marks: ReadonlyMap<string, string>,
  named: Set<string>,
): string {
  return text
    .split(/(?<![{$])(\{[^{}.]+\})(?!\})/)
    .map((each, index) => {
      const name = each.slice(1, -1);
      const mark = index % 2 === 1 ? marks.get(name) : undefined;
      if (mark === undefined) return literalText(each);
      named.add(name);
      return `{${name}${mark}}`;
    })
    .join("");
}

/**
 * A hub takes `./script.py` from its working folder, a skill from the folder of SKILL.md. An
 * absolute path means the same to both.
 */
function fromFolder(argument: string, cwd: string | undefined): string {
  const isRelative = /^\.\/./.test(argument) && cwd?.startsWith("/") === true;
  return isRelative ? posix.join(cwd, argument) : argument;
}

/** A flag holds one text, number or boolean, and its name is plain. */
function isFlag([name, schema]: readonly [string, JsonValue]): boolean {
  const type = isJsonObject(schema) ? schema["type"] : undefined;
  const isScalar = typeof type === "string" && /^(?:string|number|integer|boolean)$/.test(type);
  return isScalar && /^[A-Za-z][\w-]*$/.test(name) && name !== "caller";
}
