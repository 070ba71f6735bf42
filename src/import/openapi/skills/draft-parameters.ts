/** Selects the parameters that a tool takes in its path, query, headers and cookies. */
import { quote } from "../../../core/names.js";
import { sentPath, valueInFragment } from "../fragments.js";
import type { Operation, Parameter } from "../model.js";
import type { Note } from "../note.js";
import { otherNotations, withBraces } from "../path-notation.js";
import { type Take, valueOf } from "./parameter-value.js";
import type { DraftContext } from "./draft-context.js";
import { namesInQuery, whyGiven, whyNoText, whyUnsendable } from "./sendable.js";
import { freeName, type ToolParameter } from "./tool-parameter.js";
import type { Shape } from "./wire-shape.js";

export interface PlacedParameter extends ToolParameter {
  readonly source: Parameter;
  /** Shape of the value. The written form of an object depends on its style. */
  readonly shape: Shape;
  /** Constant value that every call sends; the tool has no such parameter. */
  readonly constant?: string;
}

export interface PlacedParameters {
  readonly placed: readonly PlacedParameter[];
  /** Reason why there is no tool: a required parameter can't be sent. */
  readonly broken?: Note;
}

/** @param names names of the tool's parameters so far; new ones are added */
export function placeParameters(
  operation: Operation,
  context: DraftContext,
  names: Set<string>,
  take: Take,
): PlacedParameters {
  let broken: Note | undefined;
  const written = new Set(namesInQuery(operation));
  const sendable = inOrder(operation, context).filter((source) => {
    const given = whyGiven(source, written);
    const reason = given ?? whyUnsendable(source) ?? whyNoText(source, context);
    if (reason === undefined) return true;
    const message = `a tool can't send the parameter ${quote(source.name)}: ${reason}`;
    const isNeeded = source.isRequired && given === undefined;
    const code = isNeeded ? "import/operation-left-out" : "import/part-left-out";
    if (isNeeded) broken ??= { code, at: source.at, message };
    else context.note({ code, at: source.at, message });
    return false;
  });
  const placed = sendable.map((source): PlacedParameter => {
    const constant = valueInFragment(operation, source);
    const { isRequired } = source;
    return {
      name: constant === undefined ? freeName(source.name, source.in, names) : source.name,
      ...(constant !== undefined && { constant }),
      wire: source.name,
      isRequired,
      ...(isRequired && source.in !== "cookie" && { sendsDefault: true }),
      source,
      ...valueOf(source, take, context),
    };
  });
  return { placed, ...(broken && { broken }) };
}

const order = ["path", "query", "header", "cookie"];

/** A path parameter under the name that the path gets in braces: `id` for `id:[0-9]+`. */
function withPlainName(parameter: Parameter): Parameter {
  if (parameter.in !== "path") return parameter;
  return { ...parameter, name: withBraces(`{${parameter.name}}`).slice(1, -1) };
}

/** Parameters in the order of the path. Undeclared names in the path become text parameters. */
function inOrder(operation: Operation, { note }: DraftContext): readonly Parameter[] {
  const { at, parameters, path } = operation;
  for (const { name, written } of otherNotations(path))
    note({
      code: "import/taken-otherwise",
      at,
      message: `${quote(written)} in the path becomes the parameter ${quote(name)}`,
    });
  const named = [...sentPath(operation).matchAll(/\{([^{}]+)\}/g)].map(([, name = ""]) => name);
  const fitting = parameters.map(withPlainName).filter((each) => {
    if (each.in !== "path" || named.includes(each.name)) return true;
    note({
      code: "import/part-left-out",
      at: each.at,
      message: `the path has no \`{${each.name}}\`, so the import ignores the parameter`,
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
      message: `the document does not declare the path parameter ${quote(name)}, so the tool accepts any text`,
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
