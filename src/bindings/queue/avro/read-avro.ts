/*
 * Reading an Avro schema, in order: `clean-schema` checks the form of the author's tree, and
 * `check-names` the names in it. `library-type` reads it with avsc and keeps the place of an error.
 * `type-tree` converts avsc's types to ours. `check-records` finds endless records and oversized
 * defaults, and `named-unions` the unions whose branch JSON can't show. `json-schema` writes the
 * form of messages, with `text-form` for texts.
 */
import { quote } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import { type SyntaxNode, toJson } from "../../../core/syntax-node.js";
import { checkRecursion } from "../../../schema/check-recursion.js";
import { hasReadableSize } from "../../../schema/schema-size.js";
import type { MessageSchema } from "../message-schema.js";
import { checkNames } from "./check-names.js";
import { checkDefaultSizes, checkEndless } from "./check-records.js";
import { cleanSchema } from "./clean-schema.js";
import { messageForm } from "./json-schema.js";
import { libraryType, reportDefault, reportLibraryError } from "./library-type.js";
import { namedUnions, type NamedUnions } from "./named-unions.js";
import { type AvroType, nameOfType, type RecordType, typeTree } from "./type-tree.js";

/**
 * Reads the schema of messages from an Avro file.
 *
 * @param tree the schema file's JSON
 * @returns undefined if the schema can't be used; every problem is reported
 */
export function readAvro(tree: SyntaxNode, report: Report): MessageSchema | undefined {
  const root = readTypes(tree, report);
  if (root === undefined || !checkEndless(root, report)) return undefined;
  const named = namedUnions(root, report);
  if (named === undefined) return undefined;
  const { branches, places, schema, types } = messageForm(root, named);
  if (!checkRecursion({ schema, places }, report)) return undefined;
  return {
    json: { kind: "schema", schema, span: tree.span, places },
    types,
    branches,
    encoding: { kind: "avro", schema: toJson(tree), named: pointersOf(named) },
  };
}

function pointersOf(named: NamedUnions): readonly string[] {
  return [...named].flatMap((type) => (type.kind === "union" ? [type.pointer] : [])).toSorted();
}

/**
 * Reads the schema twice: the library gets the defaults only after their expanded size was checked.
 */
function readTypes(tree: SyntaxNode, report: Report): RecordType | undefined {
  if (!hasReadableSize(tree, report)) return undefined;
  const bare = cleanSchema(tree, false, report);
  if (bare === undefined || !checkNames(tree, report)) return undefined;
  const read = libraryType(bare, tree);
  if ("error" in read) return void reportLibraryError(read.error, report);
  const root = typeTree(tree, read.type, report);
  if (!checkDefaultSizes(root, report)) return undefined;
  const complete = cleanSchema(tree, true, report);
  if (complete === undefined) return undefined;
  const readAgain = libraryType(complete, tree);
  if ("error" in readAgain) return void reportDefault(readAgain.error, report);
  return recordOf(root, tree, report);
}

function recordOf(root: AvroType, tree: SyntaxNode, report: Report): RecordType | undefined {
  if (root.kind === "record") return root;
  report.add({
    code: "queue/not-a-record",
    span: tree.span,
    message: `the root of the schema is ${quote(nameOfType(root))}, but a message must be a record`,
    help: 'write `{ "type": "record", "name": …, "fields": […] }`',
  });
  return undefined;
}
