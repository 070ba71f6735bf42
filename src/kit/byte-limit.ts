import type { JsonObject } from "../core/json.js";
import { quote } from "../core/names.js";
import { amountOf, byteSize, faultOf, patternOf } from "../core/quantities.js";
import type { Report } from "../core/report.js";
import type { Span } from "../core/span.js";
import { type MapNode, valueOf } from "../core/syntax-node.js";
import { forEditors } from "../schema/editor-marks.js";

/** The content is in memory, and some runtimes' buffers can't hold more. */
const most = { bytes: 1_073_741_824, written: "1GiB" } as const;

/** JSON Schema of a key that limits a content, or one item of an answer, in bytes. */
export function byteLimitSchema(description: string, usual: number): JsonObject {
  return {
    description: `${description} A number of bytes, or a size such as \`1MiB\`.`,
    type: ["integer", "string"],
    // `readByteLimit` checks texts.
    ...forEditors({ pattern: patternOf(byteSize) }),
    minimum: 1,
    maximum: most.bytes,
    default: usual,
  };
}

/** Reads a byte limit. The span is that of the author's value, if there is one. */
export function readByteLimit(
  node: MapNode,
  key: string,
  { report, usual }: { readonly report: Report; readonly usual: number },
): { readonly bytes: number; readonly span?: Span } {
  const value = valueOf(node, key);
  if (value?.kind !== "scalar") return { bytes: usual, ...(value && { span: value.span }) };
  const { span, value: written } = value;
  const bytes = amountOf(byteSize, written);
  if (bytes !== undefined && bytes <= most.bytes) return { bytes, span };
  // The schema has reported other values.
  if (typeof written === "string") {
    const isTooLarge = bytes !== undefined;
    const { help, problem } = isTooLarge
      ? { problem: "is larger than a limit can be", help: `write ${quote(most.written)} at most` }
      : faultOf(byteSize, written);
    const message = `${quote(key)} ${problem}`;
    report.add({ code: "binding/wrong-value", span, message, help });
  }
  return { bytes: usual, span };
}
