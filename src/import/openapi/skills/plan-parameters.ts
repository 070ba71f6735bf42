/** Which parameters of an operation a tool takes in its path, query, headers and cookies. */
import type { JsonObject, JsonSchema } from "../../../core/json.js";
import { quote } from "../../../core/names.js";
import { prose } from "../../skills/texts.js";
import { sentPath, valueInFragment } from "../fragments.js";
import type { Operation, Parameter } from "../model.js";
import type { Note } from "../note.js";
import type { Part } from "../read/document.js";
import type { PlanContext } from "./plan-context.js";
import { freeName, shapeOf, type ToolParameter } from "./tool-parameter.js";

export interface PlacedParameter extends ToolParameter {
  readonly source: Parameter;
  /** What the operation sends there, whoever calls it: the tool doesn't take it. */
  readonly constant?: string;
}

export interface PlacedParameters {
  readonly placed: readonly PlacedParameter[];
  /** Why there is no tool: one that is needed can't be sent. */
  readonly broken?: Note;
}

/** @param names those of the tool's parameters so far, to which it adds */
export function placeParameters(
  operation: Operation,
  context: PlanContext,
  names: Set<string>,
  take: (part: Part | undefined) => JsonSchema,
): PlacedParameters {
  let broken: Note | undefined;
  const sendable = inOrder(operation, context).filter((source) => {
    const reason = whyUnsendable(source);
    if (reason === undefined) return true;
    const message = `the parameter ${quote(source.name)} can't be sent: ${reason}`;
    const code = source.isRequired ? "import/operation-left-out" : "import/part-left-out";
    if (source.isRequired) broken ??= { code, at: source.at, message };
    else context.note({ code, at: source.at, message });
    return false;
  });
  const placed = sendable.map((source): PlacedParameter => {
    const schema = usableDefault(described(take(source.schema), source), source, context);
    const constant = valueInFragment(operation, source);
    return {
      name: constant === undefined ? freeName(source.name, source.in, names) : source.name,
      ...(constant !== undefined && { constant }),
      wire: source.name,
      schema: source.mediaType === undefined ? schema : asText(source, context),
      isRequired: source.isRequired,
      shape: source.mediaType === undefined ? shapeOf(source.schema, context) : "scalar",
      source,
    };
  });
  return { placed, ...(broken && { broken }) };
}

/** No segment of a path is empty, or leads elsewhere. */
function usableDefault(schema: JsonSchema, source: Parameter, { note }: PlanContext): JsonSchema {
  if (source.in !== "path" || typeof schema === "boolean") return schema;
  const { default: value, ...others } = schema;
  if (typeof value !== "string" || !/^\.{0,2}$/.test(value)) return schema;
  const message = `the default of ${quote(source.name)} can't stand in a path, and is left out`;
  note({ code: "import/part-left-out", at: source.at, message });
  return others;
}

/** Why HTTP or a binding has no room for a name there. */
export function whyUnsendable({
  in: where,
  name,
}: Pick<Parameter, "in" | "name">): string | undefined {
  if (where === "path") return undefined;
  if (where === "query")
    return /[{}]|\p{Cs}/u.test(name) ? "its name holds a brace, or no character" : undefined;
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) return `it is no name of a ${where}`;
  const isConnection =
    /^(?:host|content-length|transfer-encoding|connection|keep-alive|proxy-connection|te|trailer|upgrade|expect)$/i;
  return where === "header" && isConnection.test(name) ? "it belongs to the connection" : undefined;
}

const order = ["path", "query", "header", "cookie"];

/** Those that the path names and nobody declares are declared as text. */
function inOrder(operation: Operation, { note }: PlanContext): readonly Parameter[] {
  const { at, parameters } = operation;
  const named = [...sentPath(operation).matchAll(/\{([^{}]+)\}/g)].map(([, name = ""]) => name);
  const fitting = parameters.filter((each) => {
    if (each.in !== "path" || named.includes(each.name)) return true;
    note({
      code: "import/part-left-out",
      at: each.at,
      message: `the path has no \`{${each.name}}\`, so that the parameter stands nowhere`,
    });
    return false;
  });
  const missing = [...new Set(named)].filter(
    (name) => !fitting.some((each) => each.in === "path" && each.name === name),
  );
  const made = missing.map((name): Parameter => {
    note({
      code: "import/part-left-out",
      at,
      message: `no parameter ${quote(name)} is declared for the path, so that any text is taken`,
    });
    return {
      name,
      in: "path",
      isRequired: true,
      isDeprecated: false,
      style: "simple",
      explode: false,
      allowReserved: false,
      schema: { value: { type: "string" }, at },
      at,
    };
  });
  const rank = ({ in: where }: Parameter): number => order.indexOf(where);
  return [...fitting, ...made].toSorted((a, b) => rank(a) - rank(b));
}

/** What is said of a parameter beside its schema. */
function described(
  schema: JsonSchema,
  { description, example, isDeprecated }: Parameter,
): JsonSchema {
  const own = schema === true || schema === false ? {} : schema;
  const words = description === undefined ? "" : prose(description);
  return {
    ...own,
    ...(words !== "" && { description: words }),
    ...(isDeprecated && { deprecated: true }),
    ...(example !== undefined && own["examples"] === undefined && { examples: [example.value] }),
  };
}

/** A parameter that is written in a media type of its own: its text is the caller's to write. */
function asText(source: Parameter, { note }: PlanContext): JsonObject {
  note({
    code: "import/part-left-out",
    at: source.at,
    message: `${quote(source.name)} is taken as text that the caller writes as ${quote(source.mediaType ?? "")}`,
  });
  const words = source.description === undefined ? "" : prose(source.description);
  return {
    type: "string",
    contentMediaType: prose(source.mediaType ?? ""),
    ...(words !== "" && { description: words }),
  };
}
