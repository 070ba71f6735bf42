import { shown } from "../../core/names.js";
import { lookUp, propertyNames } from "../../schema/look-up.js";
import { callerAsText, callerFieldIn, callerRoot } from "../caller-root.js";
import { literalText } from "../text-template.js";
import { isScalar, type CheckContext } from "./check-value.js";
import type { ScalarModel, ValueNode } from "./model.js";

/** How a binding uses its parameters, besides its references. */
interface Use {
  /** True if the request carries the parameters without a reference. */
  readonly sendsRest: boolean;
}

/** A text that is the same in every call, and hardly meant: it is the name of a parameter. */
export function checkLiteral(place: CheckContext, value: ScalarModel<string>, use: Use): void {
  const text = literalIn(value);
  checkCallerText(place, value);
  const name = text && nameIn(text);
  if (value.kind !== "template" || name === undefined || !isUsed(place, name, use)) return;
  if (!lookUp(place.tool.parameters, [name]).types.some(isScalar)) return;
  place.report.add({
    code: `${place.kind}/literal-parameter`,
    span: value.template.span,
    message: `\`${shown(text ?? name)}\` is text here, not the parameter with that name`,
    help: `write \`"{${shown(name)}}"\``,
  });
}

function literalIn(value: ScalarModel<string>): string | undefined {
  return value.kind === "template" ? literalText(value.template) : undefined;
}

/** Reports a field of the caller without braces: `caller.tenant`. */
function checkCallerText({ kind, report, tool }: CheckContext, value: ScalarModel<string>): void {
  const text = literalIn(value);
  const field = text === undefined ? undefined : callerFieldIn(text);
  if (value.kind !== "template" || field === undefined) return;
  // If a parameter is called `caller`, the text means the parameter.
  if (propertyNames(tool.parameters, []).includes(callerRoot.name)) return;
  report.add({
    code: `${kind}/literal-parameter`,
    span: value.template.span,
    ...callerAsText(text ?? "", field),
  });
}

/**
 * The name in a text that consists of one, in the syntax of skillc or other tools: `:id`, `$.id`,
 * `$id`, `@id`, `<id>`, `[id]`, `%id%`.
 */
export function nameIn(text: string): string {
  const found = /^(?::|\$\.?|@|<(?=.*>$)|\[(?=.*\]$)|%(?=.*%$))(?<name>[\w-]+)[>\]%]?$/.exec(text);
  return found?.groups?.["name"] ?? text;
}

/**
 * Checks the literals of JSON. There, only a property with the parameter's own name shows that the
 * parameter is meant.
 */
export function checkLiteralsBelow(place: CheckContext, node: ValueNode<string>, use: Use): void {
  if (node.kind === "list") node.items.forEach((item) => checkLiteralsBelow(place, item, use));
  if (node.kind !== "map") return;
  for (const { name, value } of node.entries) {
    if (value.kind === "list" || value.kind === "map") checkLiteralsBelow(place, value, use);
    else checkNamed(place, name, value, use);
  }
}

/** Checks an entry of a query. */
export function checkNamed(
  place: CheckContext,
  name: string,
  value: ScalarModel<string>,
  use: Use,
): void {
  if (nameIn(literalIn(value) ?? "") === name) checkLiteral(place, value, use);
  else checkCallerText(place, value);
}

/** Checks if the parameter is used; an unused one is reported as an error elsewhere. */
function isUsed({ tool }: CheckContext, name: string, { sendsRest }: Use): boolean {
  if (!propertyNames(tool.parameters, []).includes(name)) return false;
  return (
    sendsRest ||
    tool.unused.some((each) => each.name === name) ||
    tool.binding.references.some(({ path }) => path[0] === name)
  );
}
