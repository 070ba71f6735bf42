import avro from "avsc";
import type { Report } from "../../../core/report.js";
import { type SyntaxNode, valueOf } from "../../../core/syntax-node.js";
import type { CleanSchema } from "./clean-part.js";
import { type Refusal, reportRefusal } from "./refusal.js";

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
