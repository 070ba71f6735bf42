import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { CallOptions } from "../../src/runtime/index.js";
import { compileFiles } from "../support/compile.js";

/** A skill for the failing routes of the order service. */
const skill = `---
name: trouble-desk
description: Calls what goes wrong.
tools_schema:
  slow:
    description: Answers late.
    parameters: { type: object, additionalProperties: false, required: [ms], properties: { ms: { type: integer } } }
    binding:
      type: http
      method: GET
      url: \${ORDERS_URL}/slow
      timeout_ms: 500
      retry: { max_attempts: 3, backoff_ms: 1 }
      query: { ms: "{ms}" }
      headers: { Authorization: "Bearer \${ORDERS_TOKEN}" }
  patient:
    description: Waits for it.
    parameters: { type: object, additionalProperties: false, required: [ms], properties: { ms: { type: integer } } }
    binding:
      type: http
      method: GET
      url: \${ORDERS_URL}/slow
      timeout_ms: 60000
      query: { ms: "{ms}" }
      headers: { Authorization: "Bearer \${ORDERS_TOKEN}" }
      response_mapping: { path: $.data }
  broken:
    description: Breaks the connection off.
    parameters: { type: object, additionalProperties: false }
    binding:
      type: http
      method: GET
      url: \${ORDERS_URL}/broken
      retry: { max_attempts: 4, backoff_ms: 1 }
      headers: { Authorization: "Bearer \${ORDERS_TOKEN}" }
  broken-write:
    description: Breaks the connection off in a write that may not be repeated.
    parameters: { type: object, additionalProperties: false }
    binding:
      type: http
      method: POST
      url: \${ORDERS_URL}/broken
      headers: { Authorization: "Bearer \${ORDERS_TOKEN}" }
  garbage:
    description: Says that it is JSON.
    parameters: { type: object, additionalProperties: false }
    binding:
      type: http
      method: GET
      url: \${ORDERS_URL}/garbage
      headers: { Authorization: "Bearer \${ORDERS_TOKEN}" }
  huge:
    description: Sends more than anyone wants.
    parameters: { type: object, additionalProperties: false }
    binding:
      type: http
      method: GET
      url: \${ORDERS_URL}/huge
      max_response_bytes: 100000
      headers: { Authorization: "Bearer \${ORDERS_TOKEN}" }
  busy:
    description: Is busy twice.
    parameters: { type: object, additionalProperties: false, required: [key], properties: { key: { type: string } } }
    binding:
      type: http
      method: GET
      url: \${ORDERS_URL}/busy/{key}
      headers: { Authorization: "Bearer \${ORDERS_TOKEN}" }
      response_mapping: { path: $.data, status_codes: { "429": rate_limited } }
  wrong-result:
    description: Promises numbers where the service has orders.
    parameters: { type: object, additionalProperties: false }
    returns: { type: array, items: { type: number } }
    binding:
      type: http
      method: GET
      url: \${ORDERS_URL}/orders
      query: { limit: "2" }
      headers: { Authorization: "Bearer \${ORDERS_TOKEN}" }
      response_mapping: { path: $.data }
  wrong-response:
    description: Expects another body than the service's.
    parameters: { type: object, additionalProperties: false }
    binding:
      type: http
      method: GET
      url: \${ORDERS_URL}/orders
      headers: { Authorization: "Bearer \${ORDERS_TOKEN}" }
      response_schema: { type: object, required: [rows], properties: { rows: { type: array } } }
      response_mapping: { path: $.rows }
  traced:
    description: Sends a header of the caller's.
    parameters: { type: object, additionalProperties: false, required: [trace], properties: { trace: { type: string } } }
    binding:
      type: http
      method: GET
      url: \${ORDERS_URL}/orders
      headers: { Authorization: "Bearer \${ORDERS_TOKEN}", X-Trace: "{trace}" }
---
`;

/** Any result of the tools above. */
export interface Answer {
  readonly status: string;
  readonly data?: unknown;
  readonly error?: unknown;
  readonly status_code?: number;
}

type Tool = (params: unknown, options?: CallOptions) => Promise<Answer>;

const root = fileURLToPath(new URL("../..", import.meta.url));

/**
 * Compiles the skill and imports the generated functions like an application. Returns the functions
 * by name.
 */
export async function compileTroubleDesk(): Promise<{ readonly [name: string]: Tool }> {
  const { files, diagnostics } = await compileFiles({ "skills/trouble-desk/SKILL.md": skill });
  const errors = diagnostics.filter((each) => each.severity === "error");
  if (errors.length > 0) throw new Error(errors.map((each) => each.message).join("\n"));
  mkdirSync(join(root, ".skillc"), { recursive: true });
  const folder = mkdtempSync(join(root, ".skillc/trouble-desk-"));
  for (const { path, text } of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  try {
    const index = pathToFileURL(join(folder, "trouble-desk/index.ts")).href;
    // The index exports one function for each tool.
    return (await import(/* @vite-ignore */ index)) as { readonly [name: string]: Tool };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
