import avro from "avsc";
import { quote, shown } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import { type SyntaxNode, textOf, valueOf } from "../../../core/syntax-node.js";
import { didYouMean } from "../../../schema/suggestion.js";
import type { CleanSchema } from "./clean-schema.js";

/** A schema, or part of one, that the library is busy with. */
interface Frame {
  readonly node: SyntaxNode;
  /** The schemas directly within. */
  readonly parts: readonly SyntaxNode[];
  /** How many of them it has begun. */
  begun: number;
}

/** The library's own type of the schema. What it refuses is reported where it was written. */
export function libraryType(
  schema: CleanSchema,
  root: SyntaxNode,
  report: Report,
): avro.Type | undefined {
  const frames: Frame[] = [];
  let refusal: Refusal | undefined;
  let entering: unknown;
  const typeHook = (inner: unknown, options: object): avro.Type | undefined => {
    // The hook asks the library itself, which asks the hook first.
    if (entering === inner) return void (entering = undefined);
    entering = inner;
    const around = frames.at(-1);
    const node = around === undefined ? root : (around.parts[around.begun++] ?? around.node);
    frames.push({ node, parts: schemasIn(node), begun: 0 });
    try {
      return typeFor(inner, options);
    } catch (error) {
      refusal ??= { message: messageOf(error), node, begun: frames.at(-1)?.begun ?? 0 };
      throw error;
    } finally {
      frames.pop();
    }
  };
  try {
    return typeFor(schema, { typeHook, registry: emptyRegistry(), wrapUnions: "always" });
  } catch (error) {
    reportRefusal(refusal ?? { message: messageOf(error), node: root, begun: 0 }, root, report);
    return undefined;
  }
}

function typeFor(schema: unknown, options: object): avro.Type {
  // The library reads whatever it is given, and throws where it can't.
  return avro.Type.forSchema(schema as avro.Type, options);
}

/** One without a prototype: the library takes inherited names for types. */
function emptyRegistry(): { [name: string]: avro.Type } {
  // `Object.create` gives `any`.
  return Object.create(null) as { [name: string]: avro.Type };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : "";
}

/** What stands where a type belongs, one step below a schema. */
function schemasIn(node: SyntaxNode): readonly SyntaxNode[] {
  if (node.kind === "scalar") return [];
  if (node.kind === "list") return node.items;
  const fields = valueOf(node, "fields");
  const types = fields?.kind === "list" ? fields.items.map((field) => valueOf(field, "type")) : [];
  return [...types, valueOf(node, "items"), valueOf(node, "values")].filter(
    (each) => each !== undefined,
  );
}

/** What the library threw, and where it was. */
export interface Refusal {
  readonly message: string;
  /** Of the innermost schema. */
  readonly node: SyntaxNode;
  /** Schemas within it that were begun: of a record, the fields up to the one to blame. */
  readonly begun: number;
}

interface Told {
  readonly message: string;
  readonly node: SyntaxNode;
  readonly help?: string | undefined;
}

type Teller = (found: string, refusal: Refusal, root: SyntaxNode) => Told;

/** The library's words, up to what varies; the rest of its message is what the teller gets. */
const tellers: readonly (readonly [start: string, tell: Teller])[] = [
  ["undefined type name: ", tellUndefined],
  [
    "duplicate type name: ",
    (name, { node }) => ({
      message: `the type ${quote(name)} is defined twice`,
      node: nameIn(node),
      help: "a type is defined where it stands first, and named by its name from there on",
    }),
  ],
  [
    "cannot rename primitive type: ",
    (name, { node }) => ({ message: `${quote(unquoted(name))} is Avro's own`, node: nameIn(node) }),
  ],
  [
    "duplicate union branch name: ",
    (name, { node }) => ({
      message: `two branches of the union are ${quote(unquoted(name))}`,
      node,
      help: "a union has one array, one map and one of each type without a name at most, whatever their logical types",
    }),
  ],
  [
    "unions cannot be directly nested",
    (_, { node }) => ({ message: "a branch of the union is a union", node }),
  ],
  ["incompatible field default ", tellDefault],
  [
    "duplicate field name: ",
    (_, { node }) => {
      const names = namesOfFields(node);
      const twice = names.findLast((name, index) => twin(names, name) < index) ?? node;
      return { message: `the field ${quote(textOf(twice) ?? "")} stands twice`, node: twice };
    },
  ],
];

/** Says in our words what the library refuses, at the place that shows it. */
function reportRefusal(refusal: Refusal, root: SyntaxNode, report: Report): void {
  const [start = "", tell = tellOther] =
    tellers.find(([words]) => refusal.message.startsWith(words)) ?? [];
  const { node, ...told } = tell(refusal.message.slice(start.length), refusal, root);
  report.add({ code: "queue/bad-avro-schema", span: node.span, ...told });
}

function tellOther(_: string, { message, node }: Refusal): Told {
  return { message: `avsc refuses the schema: ${shown(message)}`, node };
}

function tellUndefined(name: string, { node }: Refusal, root: SyntaxNode): Told {
  const names = definedNames(root);
  const isLater = names.includes(name);
  const written = textOf(node) ?? name;
  return {
    message: `no type ${quote(written)} is defined ${isLater ? "above" : "here"}`,
    node,
    help: isLater
      ? "a type is defined where it stands first, and named by its name from there on"
      : (didYouMean(written, plain) ?? didYouMean(name, names)),
  };
}

const plain = ["null", "boolean", "int", "long", "float", "double", "bytes", "string"];

function tellDefault(_: string, { node, begun }: Refusal): Told {
  const fields = valueOf(node, "fields");
  const field = fields?.kind === "list" ? fields.items[begun - 1] : undefined;
  const isUnion = valueOf(field, "type")?.kind === "list";
  return {
    message: `the default does not fit the field's type`,
    node: valueOf(field, "default") ?? node,
    help: isUnion
      ? "the default of a union is one of its first branch"
      : "a default is written as Avro encodes it in JSON: `bytes` as text with a character for each byte, dates and decimals as the numbers and bytes below them",
  };
}

/** Qualified and not, every name that a schema defines. */
function definedNames(node: SyntaxNode, namespace = ""): readonly string[] {
  if (node.kind === "scalar") return [];
  if (node.kind === "list") return node.items.flatMap((item) => definedNames(item, namespace));
  const name = textOf(valueOf(node, "name"));
  const type = textOf(valueOf(node, "type"));
  const isNamed = type !== undefined && ["record", "error", "enum", "fixed"].includes(type);
  const space = textOf(valueOf(node, "namespace")) ?? namespace;
  const full = name === undefined || name.includes(".") || space === "" ? name : `${space}.${name}`;
  const inner = full?.includes(".") && isNamed ? full.slice(0, full.lastIndexOf(".")) : space;
  const within = node.entries
    .filter(({ key }) => ["type", "fields", "items", "values"].includes(key.value))
    .flatMap(({ value }) => definedNames(value, inner));
  return isNamed && full !== undefined ? [full, ...within] : within;
}

function nameIn(node: SyntaxNode): SyntaxNode {
  return valueOf(node, "name") ?? node;
}

function namesOfFields(node: SyntaxNode): readonly SyntaxNode[] {
  const fields = valueOf(node, "fields");
  return fields?.kind === "list"
    ? fields.items.flatMap((field) => valueOf(field, "name") ?? [])
    : [];
}

function twin(names: readonly SyntaxNode[], name: SyntaxNode): number {
  return names.findIndex((each) => textOf(each) === textOf(name));
}

function unquoted(text: string): string {
  return text.replace(/^"|"$/g, "");
}
