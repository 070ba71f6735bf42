import { quote } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import { type MapNode, type SyntaxNode, textOf, valueOf } from "../../../core/syntax-node.js";
import { didYouMean } from "../../../schema/suggestion.js";
import { namedKinds, plainNames } from "./clean-schema.js";

/**
 * Reports undefined names, names that are defined twice, and unions that repeat a branch. As in the
 * library, a type is known from its definition on, in the order of the text.
 *
 * @param root a schema that `cleanSchema` accepts
 * @returns true if nothing was reported
 */
export function checkNames(root: SyntaxNode, report: Report): boolean {
  const errorsBefore = report.errorCount();
  const scan: Scan = { report, defined: new Set(), unknown: [] };
  readSchema(root, "", scan);
  for (const each of scan.unknown.slice(0, maxReported)) reportUnknown(each, scan);
  return report.errorCount() === errorsBefore;
}

/** Limits the search for similar names, which compares each unknown name with all others. */
const maxReported = 20;

const definedOnce = "define a type at its first use, and write its name after that";

interface Scan {
  readonly report: Report;
  /** Full names of the types defined so far. */
  readonly defined: Set<string>;
  /** Names that were not defined before their use. */
  readonly unknown: Unknown[];
}

interface Unknown {
  readonly node: SyntaxNode;
  readonly fullName: string;
}

/** @returns the schema's name as a branch of a union; undefined for a union */
function readSchema(node: SyntaxNode, namespace: string, scan: Scan): string | undefined {
  if (node.kind === "scalar") return readReference(node, namespace, scan);
  if (node.kind === "list") return void readUnion(node, namespace, scan);
  const type = textOf(valueOf(node, "type")) ?? "";
  const name = namedKinds.includes(type) ? define(node, namespace, scan) : type;
  const inner =
    type === "record" || type === "error" ? namespaceWithin(node, namespace) : namespace;
  for (const each of partsOf(node, type)) readSchema(each, inner, scan);
  return name;
}

function readReference(node: SyntaxNode, namespace: string, scan: Scan): string {
  const fullName = qualified(textOf(node) ?? "", namespace);
  const isKnown = plainNames.includes(fullName) || scan.defined.has(fullName);
  if (!isKnown) scan.unknown.push({ node, fullName });
  return fullName;
}

function readUnion(
  node: Extract<SyntaxNode, { kind: "list" }>,
  namespace: string,
  scan: Scan,
): void {
  const names = new Set<string | undefined>();
  const repeated = new Set<string>();
  for (const item of node.items) {
    const name = readSchema(item, namespace, scan);
    if (name !== undefined && names.has(name)) repeated.add(name);
    names.add(name);
  }
  const [first] = repeated;
  if (first === undefined) return;
  scan.report.add({
    code: "queue/bad-avro-schema",
    span: node.span,
    message: `two branches of the union are ${quote(first)}`,
    help: "a union has at most one array, one map and one of each unnamed type, whatever their logical types",
  });
}

/** @returns the full name */
function define(node: MapNode, namespace: string, scan: Scan): string {
  const name = valueOf(node, "name") ?? node;
  const fullName = qualified(textOf(name) ?? "", textOf(valueOf(node, "namespace")) ?? namespace);
  const add = (message: string, help?: string) =>
    scan.report.add({ code: "queue/bad-avro-schema", span: name.span, message, help });
  if (plainNames.includes(fullName)) add(`${quote(fullName)} is a name of Avro itself`);
  else if (scan.defined.has(fullName))
    add(`the type ${quote(fullName)} is defined twice`, definedOnce);
  scan.defined.add(fullName);
  return fullName;
}

/** Returns the schemas directly inside a schema, in the order of the text. */
function partsOf(node: MapNode, type: string): readonly SyntaxNode[] {
  const fields = valueOf(node, "fields");
  if ((type === "record" || type === "error") && fields?.kind === "list")
    return fields.items.flatMap((field) => valueOf(field, "type") ?? []);
  const part = type === "array" ? "items" : type === "map" ? "values" : undefined;
  const found = part === undefined ? undefined : valueOf(node, part);
  return found === undefined ? [] : [found];
}

/** Returns the namespace of names without a point inside a type. */
function namespaceWithin(node: MapNode, namespace: string): string {
  const own = textOf(valueOf(node, "namespace"));
  const name = textOf(valueOf(node, "name")) ?? "";
  const end = name.lastIndexOf(".");
  return own ?? (end < 0 ? namespace : name.slice(0, end));
}

/** Returns the full name. Avro's own types are in no namespace, even if one is written. */
function qualified(name: string, namespace: string): string {
  const last = name.slice(name.lastIndexOf(".") + 1);
  if (plainNames.includes(last)) return last;
  if (name.includes(".")) return name.replace(/^\./, "");
  return namespace === "" ? name : `${namespace}.${name}`;
}

function reportUnknown({ fullName, node }: Unknown, { defined, report }: Scan): void {
  const isLater = defined.has(fullName);
  const written = textOf(node) ?? fullName;
  report.add({
    code: "queue/bad-avro-schema",
    span: node.span,
    message: `no type ${quote(written)} is defined ${isLater ? "above" : "here"}`,
    help: isLater
      ? definedOnce
      : (didYouMean(written, plainNames) ?? didYouMean(fullName, [...defined])),
  });
}
