import { createRequire } from "node:module";
import type * as JsonP3 from "json-p3";
import { deepestJson } from "../../../runtime/json-depth.js";

const require = createRequire(import.meta.url);

/**
 * Finds every value that a JSONPath query (RFC 9535) leads to, in order; empty when there is none. The query is compiled once. The engine is
 * loaded by the first module that asks for it: most response paths are singular, need `pick` alone, and should not pay for it at start.
 *
 * @typeParam Found what the query finds in a body that has passed its validator. The compiler that wrote the query read it off the schema.
 * @throws when the path is not one; the compiler has checked it
 */
export function selector<Found = unknown>(path: string): (body: unknown) => readonly Found[] {
  // `require` is untyped; the package's own types describe what it gives.
  const { JSONPathEnvironment } = require("json-p3") as typeof JsonP3;
  const query = new JSONPathEnvironment({ maxRecursionDepth: deepestJson + 2 }).compile(path);
  // A response body is JSON: `parseBody` made it. See `Found`.
  return (body) =>
    query.query(body as JsonP3.JSONValue).values() as readonly unknown[] as readonly Found[];
}
