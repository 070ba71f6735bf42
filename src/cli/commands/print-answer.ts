import { hash } from "node:crypto";
import type { CommandContext } from "../command-context.js";
import { highlightJson, safeJson, safeLine } from "../console/print-json.js";

/**
 * Prints a call's result as JSON. Prints a stream item by item, one per line. Prints the size of
 * bytes, or with `whole` the bytes themselves.
 *
 * @throws ToolError if a stream fails
 */
export async function printAnswer(
  { io, out }: CommandContext,
  result: unknown,
  { whole }: { readonly whole: boolean },
): Promise<void> {
  const data = dataOf(result);
  if (isStream(data)) {
    for await (const item of data) io.stdout.write(`${safeLine(item)}\n`);
    return;
  }
  const shown =
    data instanceof Uint8Array ? { ...(result as object), data: bytesAsData(data, whole) } : result;
  const json = safeJson(shown);
  io.stdout.write(`${whole ? json : highlightJson(json, out)}\n`);
}

function dataOf(result: unknown): unknown {
  return typeof result === "object" && result !== null && "data" in result
    ? result.data
    : undefined;
}

function isStream(data: unknown): data is AsyncIterable<unknown> {
  return typeof data === "object" && data !== null && Symbol.asyncIterator in data;
}

function bytesAsData(bytes: Uint8Array, whole: boolean) {
  return {
    size: bytes.byteLength,
    sha256: hash("sha256", bytes, "hex"),
    ...(whole && { base64: Buffer.from(bytes).toString("base64") }),
  };
}
