import { createRequire } from "node:module";
import type * as JsonP3 from "json-p3";
import { deepestJson } from "./depth.js";

/** A compiled RFC 9535 query. */
export interface Query {
  readonly compiled: JsonP3.JSONPathQuery;
}

const require = createRequire(import.meta.url);

/**
 * Compiles a JSONPath query (RFC 9535). The engine is loaded by the first module that asks for it: most response paths are singular, need
 * `pick` alone, and should not pay for it at start.
 *
 * @throws when the path is not one; the compiler has checked it
 */
export function query(path: string): Query {
  // `require` is untyped; the package's own types describe what it gives.
  const { JSONPathEnvironment } = require("json-p3") as typeof JsonP3;
  return {
    compiled: new JSONPathEnvironment({ maxRecursionDepth: deepestJson + 2 }).compile(path),
  };
}

/** Every value that the query finds, in order; empty when there is none. */
export function select(value: unknown, { compiled }: Query): readonly unknown[] {
  // A response body is JSON: `parseBody` made it.
  return compiled.query(value as JsonP3.JSONValue).values();
}
