import { quote } from "../../../core/names.js";
import {
  type MapNode,
  type SyntaxNode,
  textOf,
  toJson,
  valueOf,
} from "../../../core/syntax-node.js";
import {
  cleanAliases,
  cleanNames,
  type CleanContext as Context,
  type CleanObject,
  cleanUnder,
  fault,
  nameHelp,
  simpleName,
} from "./clean-part.js";

/** A record, without its `type`. */
export function cleanFields(node: MapNode, context: Context): CleanObject {
  const names = cleanNames(node, context);
  const fields = valueOf(node, "fields");
  if (fields?.kind === "list")
    return { ...names, fields: fields.items.flatMap((each) => cleanField(each, context) ?? []) };
  fault(fields ?? node, "a record has `fields`, a list", context);
  return names;
}

function cleanField(node: SyntaxNode, context: Context): CleanObject | undefined {
  if (node.kind !== "map")
    return fault(node, "a field is an object with `name` and `type`", context);
  const name = valueOf(node, "name");
  const text = textOf(name) ?? "";
  if (!simpleName.test(text) || text === "__proto__") {
    const message =
      name === undefined ? "a field has a `name`" : `${quote(text)} can't be a field's name`;
    return fault(name ?? node, message, context, nameHelp(text));
  }
  const type = cleanUnder(node, "type", context);
  const order = valueOf(node, "order");
  if (order !== undefined && !["ascending", "descending", "ignore"].includes(textOf(order) ?? ""))
    fault(order, "the `order` of a field is `ascending`, `descending` or `ignore`", context);
  const field = { name: text, type, ...cleanAliases(node, context) };
  return { ...field, ...cleanDefault(node, context) };
}

function cleanDefault(node: MapNode, context: Context): CleanObject {
  const value = valueOf(node, "default");
  if (value === undefined || !context.withDefaults) return {};
  if (holdsPrototype(value)) fault(value, "`__proto__` can't be a key of a default", context);
  return { default: toJson(value) };
}

function holdsPrototype(node: SyntaxNode): boolean {
  if (node.kind === "list") return node.items.some(holdsPrototype);
  if (node.kind === "scalar") return false;
  return node.entries.some(({ key, value }) => key.value === "__proto__" || holdsPrototype(value));
}
