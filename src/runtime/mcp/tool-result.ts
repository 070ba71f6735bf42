/** Turns the ends of calls into results of MCP: text, and the value for programs. */
import type { CallToolResult } from "@modelcontextprotocol/server";
import type { CatalogTool } from "../model/catalog.js";
import type { ValueForModel } from "../model/model-result.js";
import { keptUri } from "./kept-results.js";
import { failedResult } from "./own-result.js";
import type { Owner } from "./owner.js";
import { keptResultMs } from "./results/result-store.js";
import type { Served } from "./served.js";

/** Maximum length of the beginning of a result that is too long, in characters. */
const previewChars = 2000;

/**
 * Turns the end of a call into a result. If the result is too long, the client gets its beginning
 * and a link to the whole.
 *
 * @param owner the caller, who alone can read the whole
 */
export async function toolResult(
  served: Served,
  tool: CatalogTool,
  owner: Owner,
  { isError, value }: ValueForModel,
): Promise<CallToolResult> {
  const text = jsonOf(value, served.onError);
  if (text === undefined) return unwritable;
  if (text.length > served.maxResultChars) return truncated(served, owner, text, isError);
  if (isError) return { content: [{ type: "text", text }], isError };
  // A handler's value may have another form in JSON, such as a date, and the client gets JSON.
  const sent = JSON.parse(text) as { readonly [name: string]: unknown };
  if (await served.fits(tool, sent))
    return { content: [{ type: "text", text }], structuredContent: sent };
  return { content: [{ type: "text", text: `${misfit}: ${text}` }], isError: true };
}

/** Returns undefined if JSON can't hold the value, or a getter of a handler's value throws. */
function jsonOf(value: unknown, onError: Served["onError"]): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (error) {
    onError(error);
    return undefined;
  }
}

const unwritable = failedResult(
  "UNKNOWN.INTERNAL",
  "the tool's result can't be written as JSON; the change may have been made anyway: find out before you repeat the call",
);

const misfit = "the result doesn't fit the tool's `outputSchema`";

async function truncated(
  { onError, results }: Served,
  owner: Owner,
  text: string,
  isError: boolean,
): Promise<CallToolResult> {
  const kept = await results.keep(owner, text, keptResultMs).catch((error: unknown) => {
    onError(error);
    return "full" as const;
  });
  const preview = text.slice(0, previewChars).toWellFormed();
  const uri = typeof kept === "string" ? undefined : keptUri(kept.id);
  const value = {
    status: "skillc:truncated",
    ...(uri !== undefined && { uri }),
    preview,
    message: uri === undefined ? notKept : `the result has ${text.length} characters; ${keptNote}`,
  };
  return {
    content: [
      { type: "text", text: JSON.stringify(value) },
      ...(uri === undefined ? [] : [linkTo(uri, text)]),
    ],
    ...(isError ? { isError } : { structuredContent: value }),
  };
}

const keptNote = "the resource of this URI has all of them for 15 minutes";
const notKept = "the result is too long to keep; ask for less, such as one page";

function linkTo(uri: string, text: string) {
  return {
    type: "resource_link" as const,
    uri,
    name: "The whole result",
    mimeType: "application/json",
    size: Buffer.byteLength(text),
  };
}
