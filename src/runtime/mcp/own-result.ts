import type { CallToolResult } from "@modelcontextprotocol/server";

/** Makes a result that the server itself gives: the value, and its JSON as text. */
export function valueResult(value: { readonly [name: string]: string }): CallToolResult {
  return { content: [{ type: "text", text: JSON.stringify(value) }], structuredContent: value };
}

/** Makes the result of a call that failed, in the form of `valueForModel`. */
export function failedResult(code: string, message: string): CallToolResult {
  const text = JSON.stringify({ status: "failed", code, message });
  return { content: [{ type: "text", text }], isError: true };
}
