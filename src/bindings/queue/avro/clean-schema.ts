import { quote } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import {
  type MapNode,
  type SyntaxNode,
  entryOf,
  textOf,
  valueOf,
} from "../../../core/syntax-node.js";
import { didYouMean } from "../../../schema/suggestion.js";
import { cleanEnum, cleanSize } from "./clean-named.js";
import {
  cleanNames,
  type CleanContext as Context,
  type CleanObject,
  type CleanSchema,
  cleanUnder,
  fault,
} from "./clean-part.js";
import { cleanFields } from "./clean-record.js";

const plainNames: readonly string[] = [
  "null",
  "boolean",
  "int",
  "long",
  "float",
  "double",
  "bytes",
  "string",
];

/**
 * The schema as the library is to see it. Reports what has not the form of a schema: the library takes the form for granted, and crashes or gives something
 * that is no type.
 *
 * @param withDefaults whether fields keep their defaults
 */
export function cleanSchema(
  node: SyntaxNode,
  withDefaults: boolean,
  report: Report,
): CleanSchema | undefined {
  const errorsBefore = report.errorCount();
  const context: Context = { report, withDefaults, clean: (inner) => clean(inner, context) };
  const schema = clean(node, context);
  return report.errorCount() > errorsBefore ? undefined : schema;
}

function clean(node: SyntaxNode, context: Context): CleanSchema | undefined {
  if (node.kind === "scalar") return cleanName(node, context);
  if (node.kind === "list") return cleanUnion(node.items, node, context);
  const type = textOf(valueOf(node, "type"));
  const read = type !== undefined && Object.hasOwn(complex, type) ? complex[type] : undefined;
  if (read !== undefined) return { type, ...read(node, context) };
  if (type !== undefined && plainNames.includes(type)) return { type };
  return faultOfType(node, context);
}

function cleanName(node: SyntaxNode, context: Context): string | undefined {
  const name = textOf(node);
  if (name !== undefined) return name;
  const help = node.kind === "scalar" && node.value === null ? 'write `"null"`' : undefined;
  return fault(
    node,
    "a schema is the name of a type, an object, or a list of branches",
    context,
    help,
  );
}

function cleanUnion(items: readonly SyntaxNode[], node: SyntaxNode, context: Context) {
  if (items.length === 0) return fault(node, "a union has one branch at least", context);
  const branches = items.map((item) => context.clean(item));
  return branches.filter((branch) => branch !== undefined);
}

const complex: {
  readonly [type: string]: (node: MapNode, context: Context) => CleanObject;
} = {
  record: cleanFields,
  error: cleanFields,
  enum: cleanEnum,
  fixed: (node, context) => ({ ...cleanNames(node, context), size: cleanSize(node, context) }),
  array: (node, context) => ({ items: cleanUnder(node, "items", context) }),
  map: (node, context) => ({ values: cleanUnder(node, "values", context) }),
};

function faultOfType(node: MapNode, context: Context): undefined {
  const type = entryOf(node, "type")?.value;
  if (type === undefined) return fault(node, "the schema has no `type`", context);
  const text = textOf(type);
  if (text === undefined)
    return fault(
      type,
      "the `type` of a schema is a name",
      context,
      "write what stands here in place of the object around it",
    );
  const known = [...plainNames, ...Object.keys(complex)];
  const help =
    didYouMean(text, known) ??
    "a type that was defined above is named by itself, without an object around it";
  return fault(type, `${quote(text)} is no type of Avro`, context, help);
}
