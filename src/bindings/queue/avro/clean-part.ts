import { quote } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import { type MapNode, type SyntaxNode, textOf, valueOf } from "../../../core/syntax-node.js";

/** A schema with what Avro gives a meaning and nothing else. */
export type CleanSchema = string | readonly CleanSchema[] | CleanObject;

export interface CleanObject {
  readonly [attribute: string]: unknown;
}

export interface CleanContext {
  readonly report: Report;
  /** Whether fields keep their defaults. */
  readonly withDefaults: boolean;
  readonly clean: (node: SyntaxNode) => CleanSchema | undefined;
}

/** What stands under a key that has a schema. */
export function cleanUnder(
  node: MapNode,
  key: string,
  context: CleanContext,
): CleanSchema | undefined {
  const value = valueOf(node, key);
  if (value !== undefined) return context.clean(value);
  const type = textOf(valueOf(node, "type")) ?? "field";
  return fault(node, `the ${type} has no ${quote(key)}`, context);
}

/** `name`, `namespace` and `aliases`. */
export function cleanNames(node: MapNode, context: CleanContext): CleanObject {
  const named = ["name", "namespace"].flatMap((key) => {
    const value = valueOf(node, key);
    const text = textOf(value);
    if (value === undefined && key === "namespace") return [];
    if (text !== undefined && fullName.test(text) && !text.split(".").includes("__proto__"))
      return [[key, text] as const];
    if (text === "" && key === "namespace") return [[key, text] as const];
    reportName(value ?? node, key, context);
    return [];
  });
  return { ...Object.fromEntries(named), ...cleanAliases(node, context) };
}

export const simpleName = /^[A-Za-z_]\w*$/;
const fullName = /^\.?[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$/;

function reportName(node: SyntaxNode, key: string, context: CleanContext): void {
  const text = textOf(node);
  const message =
    text === undefined
      ? `a named type has a ${quote(key)}`
      : `${quote(text)} can't be a ${quote(key)}`;
  fault(node, message, context, nameHelp(text ?? ""));
}

/** Why a text is no name, or none that can be kept. */
export function nameHelp(text: string): string {
  return text.split(".").includes("__proto__")
    ? "the library has no room for it"
    : "names are letters, digits and `_`, and start with no digit";
}

export function cleanAliases(node: MapNode, context: CleanContext): CleanObject {
  const aliases = valueOf(node, "aliases");
  if (aliases === undefined) return {};
  const texts = aliases.kind === "list" ? aliases.items.map(textOf) : [undefined];
  if (texts.every((text) => text !== undefined && fullName.test(text))) return { aliases: texts };
  fault(aliases, "`aliases` is a list of names", context);
  return {};
}

/** Reports it, and gives nothing. */
export function fault(
  node: SyntaxNode,
  message: string,
  { report }: CleanContext,
  help?: string | undefined,
): undefined {
  report.add({ code: "queue/bad-avro-schema", span: node.span, message, help });
  return undefined;
}
