import type { Node } from "@pgsql/types";
import type { TextRange } from "../../../core/span.js";

export type { TextRange };

/** One parsed SQL statement: PostgreSQL's own tree of it. */
export interface Statement {
  /** The author's text, each `:name` replaced by `$n`: what PostgreSQL's parser read. */
  readonly sql: string;
  /** The statement node: `{ SelectStmt: … }`, `{ InsertStmt: … }`. Locations in it are UTF-8 byte offsets into `sql`. */
  readonly tree: Node;
  /** By number: `placeholders[0]` is `$1`. A name has one number, however often it stands in the text. */
  readonly placeholders: readonly Placeholder[];
}

export interface Placeholder {
  /** Without the colon. */
  readonly name: string;
  /** Where it stands, in UTF-16 units of the author's text, the colon included; one entry an occurrence. */
  readonly at: readonly TextRange[];
}
