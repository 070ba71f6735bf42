import type { Span } from "../../core/span.js";
import { spanWithin } from "../../core/syntax-node.js";
import type { SqlConfig } from "./model.js";
import type { TextRange } from "./statement/statement.js";

/** A stretch of the query's text in the author's file. */
export function within({ query }: SqlConfig, { start, end }: TextRange): Span {
  return spanWithin(query, start, end);
}
