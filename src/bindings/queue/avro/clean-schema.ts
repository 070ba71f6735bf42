import { quote } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import {
  entryOf,
  type MapNode,
  type SyntaxNode,
  textOf,
  toJson,
  valueOf,
} from "../../../core/syntax-node.js";
import { didYouMean } from "../../../schema/suggestion.js";

/** Avro's types that don't contain other types. */
export const plainNames: readonly string[] = [
  "null",
  "boolean",
  "int",
  "long",
  "float",
  "double",
  "bytes",
  "string",
];

/** Types that have names. */
export const namedKinds: readonly string[] = ["record", "error", "enum", "fixed"];

/**
 * Returns the schema for the library, and reports malformed parts. The library doesn't check the
 * form: it would crash, or return an invalid type.
 *
 * @param withDefaults true if fields keep their defaults
 */
export function cleanSchema(
  node: SyntaxNode,
  withDefaults: boolean,
  report: Report,
): CleanSchema | undefined {
  const errorsBefore = report.errorCount();
  const context: CleanContext = { report, withDefaults, clean: (inner) => clean(inner, context) };
  const schema = clean(node, context);
  return report.errorCount() > errorsBefore ? undefined : schema;
}

function clean(node: SyntaxNode, context: CleanContext): CleanSchema | undefined {
  if (node.kind === "scalar") return cleanName(node, context);
  if (node.kind === "list") return cleanUnion(node.items, node, context);
  const type = textOf(valueOf(node, "type"));
  const read = type !== undefined && Object.hasOwn(complex, type) ? complex[type] : undefined;
  if (read !== undefined) return { type, ...read(node, context) };
  if (type !== undefined && plainNames.includes(type)) return { type };
  return problemOfType(node, context);
}

function cleanName(node: SyntaxNode, context: CleanContext): string | undefined {
  const name = textOf(node);
  if (name !== undefined) return name;
  const help = node.kind === "scalar" && node.value === null ? 'write `"null"`' : undefined;
  return problem(
    node,
    "a schema must be the name of a type, an object, or a list of branches",
    context,
    help,
  );
}

function cleanUnion(items: readonly SyntaxNode[], node: SyntaxNode, context: CleanContext) {
  if (items.length === 0) return problem(node, "a union needs at least one branch", context);
  if (items.some(({ kind }) => kind === "list"))
    return problem(node, "a branch of a union can't be a union", context);
  const branches = items.map((item) => context.clean(item));
  return branches.filter((branch) => branch !== undefined);
}

const complex: {
  readonly [type: string]: (node: MapNode, context: CleanContext) => CleanObject;
} = {
  record: cleanFields,
  error: cleanFields,
  enum: cleanEnum,
  fixed: (node, context) => ({ ...cleanNames(node, context), size: cleanSize(node, context) }),
  array: (node, context) => ({ items: cleanUnder(node, "items", context) }),
  map: (node, context) => ({ values: cleanUnder(node, "values", context) }),
};

function problemOfType(node: MapNode, context: CleanContext): undefined {
  const type = entryOf(node, "type")?.value;
  if (type === undefined) return problem(node, "the schema has no `type`", context);
  const text = textOf(type);
  if (text === undefined)
    return problem(
      type,
      "the `type` of a schema must be a name",
      context,
      "write this value instead of the object around it",
    );
  const known = [...plainNames, ...Object.keys(complex)];
  const help =
    didYouMean(text, known) ??
    "write the name of a type that is defined above without an object around it";
  return problem(type, `${quote(text)} is not an Avro type`, context, help);
}

/** A schema with only the keys that have a meaning in Avro. */
export type CleanSchema = string | readonly CleanSchema[] | CleanObject;

export interface CleanObject {
  readonly [attribute: string]: unknown;
}

export interface CleanContext {
  readonly report: Report;
  /** True if fields keep their defaults. */
  readonly withDefaults: boolean;
  readonly clean: (node: SyntaxNode) => CleanSchema | undefined;
}

/** Cleans the schema under a key. */
function cleanUnder(node: MapNode, key: string, context: CleanContext): CleanSchema | undefined {
  const value = valueOf(node, key);
  if (value !== undefined) return context.clean(value);
  const type = textOf(valueOf(node, "type")) ?? "field";
  return problem(node, `the ${type} has no ${quote(key)}`, context);
}

/** Cleans `name`, `namespace` and `aliases`. */
function cleanNames(node: MapNode, context: CleanContext): CleanObject {
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

const simpleName = /^[A-Za-z_]\w*$/;
const fullName = /^\.?[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$/;

function reportName(node: SyntaxNode, key: string, context: CleanContext): void {
  const text = textOf(node);
  const message =
    text === undefined
      ? `a named type needs a ${quote(key)}`
      : `${quote(text)} can't be a ${quote(key)}`;
  problem(node, message, context, nameHelp(text ?? ""));
}

/** Explains why a text is not a usable name. */
function nameHelp(text: string): string {
  return text.split(".").includes("__proto__")
    ? "avsc can't use this name"
    : "use letters, digits and `_`, and don't start with a digit";
}

function cleanAliases(node: MapNode, context: CleanContext): CleanObject {
  const aliases = valueOf(node, "aliases");
  if (aliases === undefined) return {};
  const texts = aliases.kind === "list" ? aliases.items.map(textOf) : [undefined];
  if (texts.every((text) => text !== undefined && fullName.test(text))) return { aliases: texts };
  problem(aliases, "`aliases` must be a list of names", context);
  return {};
}

/** Reports a problem and returns undefined. */
function problem(
  node: SyntaxNode,
  message: string,
  { report }: CleanContext,
  help?: string | undefined,
): undefined {
  report.add({ code: "queue/bad-avro-schema", span: node.span, message, help });
  return undefined;
}

/** Cleans the size of a `fixed`, in bytes. */
function cleanSize(node: MapNode, context: CleanContext): number | undefined {
  const value = valueOf(node, "size");
  const size = value?.kind === "scalar" ? value.value : undefined;
  if (typeof size === "number" && size === (size | 0) && size >= 0) return size;
  return problem(value ?? node, "a `fixed` needs a `size`, a whole number of bytes", context);
}

/** The library looks symbols up in an object that inherits these names. */
const inherited: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype));

/** Cleans an enum, without its `type`. */
function cleanEnum(node: MapNode, context: CleanContext): CleanObject {
  const names = cleanNames(node, context);
  const symbols = valueOf(node, "symbols");
  if (symbols?.kind !== "list" || symbols.items.length === 0) {
    problem(symbols ?? node, "an enum needs `symbols`, a list of names", context);
    return names;
  }
  const texts = new Set<string>();
  for (const symbol of symbols.items) texts.add(cleanSymbol(symbol, texts, context));
  const initial = valueOf(node, "default");
  if (initial !== undefined && !texts.has(textOf(initial) ?? "")) {
    const help = didYouMean(textOf(initial) ?? "", [...texts]);
    problem(initial, "the enum's `default` is not one of its symbols", context, help);
  }
  return { ...names, symbols: [...texts] };
}

function cleanSymbol(node: SyntaxNode, before: ReadonlySet<string>, context: CleanContext): string {
  const text = textOf(node) ?? "";
  if (!simpleName.test(text) || inherited.has(text)) {
    const help = "use letters, digits and `_`, and don't start with a digit";
    const message =
      textOf(node) === undefined ? "a symbol must be a name" : `${quote(text)} can't be a symbol`;
    problem(node, message, context, inherited.has(text) ? "avsc can't use this name" : help);
  } else if (before.has(text)) problem(node, `the symbol ${quote(text)} is listed twice`, context);
  return text;
}

/** Cleans a record, without its `type`. */
function cleanFields(node: MapNode, context: CleanContext): CleanObject {
  const names = cleanNames(node, context);
  const fields = valueOf(node, "fields");
  if (fields?.kind === "list") {
    const cleaned = fields.items.flatMap((each) => cleanField(each, context) ?? []);
    checkRepeated(fields.items, context);
    return { ...names, fields: cleaned };
  }
  problem(fields ?? node, "a record needs `fields`, a list", context);
  return names;
}

function checkRepeated(fields: readonly SyntaxNode[], context: CleanContext): void {
  const before = new Set<string>();
  for (const field of fields) {
    const name = valueOf(field, "name");
    const text = textOf(name);
    if (name === undefined || text === undefined) continue;
    if (before.has(text)) problem(name, `the field ${quote(text)} is defined twice`, context);
    before.add(text);
  }
}

function cleanField(node: SyntaxNode, context: CleanContext): CleanObject | undefined {
  if (node.kind !== "map")
    return problem(node, "a field must be an object with `name` and `type`", context);
  const name = valueOf(node, "name");
  const text = textOf(name) ?? "";
  if (!simpleName.test(text) || text === "__proto__") {
    const message =
      name === undefined ? "a field needs a `name`" : `${quote(text)} can't be a field's name`;
    return problem(name ?? node, message, context, nameHelp(text));
  }
  const type = cleanUnder(node, "type", context);
  const order = valueOf(node, "order");
  if (order !== undefined && !["ascending", "descending", "ignore"].includes(textOf(order) ?? ""))
    problem(order, "the `order` of a field must be `ascending`, `descending` or `ignore`", context);
  const field = { name: text, type, ...cleanAliases(node, context) };
  return { ...field, ...cleanDefault(node, context) };
}

function cleanDefault(node: MapNode, context: CleanContext): CleanObject {
  const value = valueOf(node, "default");
  if (value === undefined || !context.withDefaults) return {};
  if (holdsPrototype(value)) problem(value, "`__proto__` can't be a key of a default", context);
  return { default: toJson(value) };
}

function holdsPrototype(node: SyntaxNode): boolean {
  if (node.kind === "list") return node.items.some(holdsPrototype);
  if (node.kind === "scalar") return false;
  return node.entries.some(({ key, value }) => key.value === "__proto__" || holdsPrototype(value));
}
