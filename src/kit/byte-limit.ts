import type { JsonObject } from "../core/json.js";
import type { Span } from "../core/span.js";
import { type MapNode, valueOf } from "../core/syntax-node.js";

/** JSON Schema of a key that limits an answer, or one item of an answer, in bytes. */
export function byteLimitSchema(description: string, usual: number): JsonObject {
  return {
    description,
    type: "integer",
    minimum: 1,
    // The body is in memory, and some runtimes' buffers can't hold more.
    maximum: 1_073_741_824,
    default: usual,
  };
}

/** Reads a byte limit. The span is that of the author's value, if there is one. */
export function readByteLimit(
  node: MapNode,
  key: string,
  usual: number,
): { readonly bytes: number; readonly span?: Span } {
  const value = valueOf(node, key);
  const isNumber = value?.kind === "scalar" && typeof value.value === "number";
  return { bytes: isNumber ? Number(value.value) : usual, ...(value && { span: value.span }) };
}
