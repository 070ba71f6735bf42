import avro from "avsc";
import { shown } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import { type SyntaxNode, valueOf } from "../../../core/syntax-node.js";
import type { CleanSchema } from "./clean-schema.js";

/** A schema, or a part of one, that the library is reading. */
interface Frame {
  readonly node: SyntaxNode;
  /** The schemas directly inside. */
  readonly parts: readonly SyntaxNode[];
  /** Number of parts begun; for a record, the index of the field after the one being read. */
  begun: number;
}

/** The library's error, and the innermost schema that it was reading. */
interface LibraryError {
  readonly words: string;
  readonly frame: Frame;
}

/** The library's type of the schema, or its error. */
export type ReadType = { readonly type: avro.Type } | { readonly error: LibraryError };

/**
 * Reads a schema with the library. The library calls a hook for each schema, so an error's place is
 * known.
 */
export function libraryType(schema: CleanSchema, root: SyntaxNode): ReadType {
  const frames: Frame[] = [];
  let error: LibraryError | undefined;
  let entering: unknown;
  const typeHook = (inner: unknown, options: object): avro.Type | undefined => {
    // The hook calls the library for the same schema, which calls the hook again.
    if (entering === inner) return void (entering = undefined);
    entering = inner;
    const around = frames.at(-1);
    const node = around === undefined ? root : (around.parts[around.begun++] ?? around.node);
    const frame = { node, parts: schemasIn(node), begun: 0 };
    frames.push(frame);
    try {
      return typeFor(inner, options);
    } catch (thrown) {
      error ??= { words: wordsOf(thrown), frame };
      throw thrown;
    } finally {
      frames.pop();
    }
  };
  try {
    return { type: typeFor(schema, { typeHook, registry: emptyRegistry(), wrapUnions: "always" }) };
  } catch (thrown) {
    return {
      error: error ?? { words: wordsOf(thrown), frame: { node: root, parts: [], begun: 0 } },
    };
  }
}

function typeFor(schema: unknown, options: object): avro.Type {
  // The library checks its input itself, and throws for an invalid schema.
  return avro.Type.forSchema(schema as avro.Type, options);
}

/**
 * Makes a registry without a prototype, because the library would take inherited names for types.
 */
function emptyRegistry(): { [name: string]: avro.Type } {
  // `Object.create` returns `any`.
  return Object.create(null) as { [name: string]: avro.Type };
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : "";
}

/** Returns the nodes that hold types, one step below a schema. */
function schemasIn(node: SyntaxNode): readonly SyntaxNode[] {
  if (node.kind === "scalar") return [];
  if (node.kind === "list") return node.items;
  const fields = valueOf(node, "fields");
  const types = fields?.kind === "list" ? fields.items.map((field) => valueOf(field, "type")) : [];
  return [...types, valueOf(node, "items"), valueOf(node, "values")].filter(
    (each) => each !== undefined,
  );
}

/**
 * Reports the library's error about a schema without defaults in which our checks found nothing.
 */
export function reportLibraryError({ frame, words }: LibraryError, report: Report): void {
  report.add({
    code: "queue/bad-avro-schema",
    span: frame.node.span,
    message: `avsc can't read the schema: ${shown(words)}`,
  });
}

/**
 * Reports the default of the field that the library was reading. Without defaults, the library
 * accepts the schema, so the default must be at fault.
 */
export function reportDefault({ frame: { begun, node } }: LibraryError, report: Report): void {
  const fields = valueOf(node, "fields");
  const field = fields?.kind === "list" ? fields.items[begun - 1] : undefined;
  const isUnion = valueOf(field, "type")?.kind === "list";
  report.add({
    code: "queue/bad-avro-schema",
    span: (valueOf(field, "default") ?? node).span,
    message: "the default doesn't fit the type of the field",
    help: isUnion
      ? "the default of a union must fit its first branch"
      : "write a default in Avro's JSON encoding: `bytes` as text with one character for each byte, dates and decimals as their underlying numbers and bytes",
  });
}
