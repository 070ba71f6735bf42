import type { Span } from "../../core/span.js";
import type { TextNode } from "../text-template.js";
import type { Touched } from "./analysis/touched.js";
import type { Chain, ReferenceCount } from "./builder/chain.js";
import type { SqlType } from "./types/sql-type.js";

/** How many rows the author says there are. */
export type RowCount = "many" | "one" | "optional";

/** A SQL binding as its author wrote it, and, once it is analyzed, what PostgreSQL makes of it. */
export interface SqlConfig {
  readonly connection: { readonly name: string; readonly span: Span };
  readonly query: TextNode;
  /** Where names of placeholders and parameters differ. */
  readonly mapping: readonly MappedPlaceholder[];
  readonly rows: RowCount;
  /** Where the author says how many rows there are; absent when nothing is said. */
  readonly rowsSpan?: Span;
  /** Absent when nothing is said. */
  readonly readOnly?: { readonly value: boolean; readonly span: Span };
  readonly maxRows: number;
  readonly maxRowsSpan?: Span;
  /** Absent before the analysis, and where it came to nothing. */
  readonly statement?: StatementModel;
}

export interface MappedPlaceholder {
  readonly placeholder: string;
  readonly parameter: string;
  /** Of the placeholder's name. */
  readonly keySpan: Span;
  /** Of the parameter's name. */
  readonly span: Span;
}

/** A statement that PostgreSQL has described. */
export interface StatementModel {
  readonly chain: Chain;
  /** Why the statement is a template of its own text; absent when it is builder code, proved to say the same. */
  readonly notTranslated?: string;
  /** How many references `tsc` sees. */
  readonly references: ReferenceCount;
  /** The values of `$1`, `$2`… as they are sent, in order. */
  readonly parameters: readonly SentParameter[];
  /** Where parameters go to columns, or are compared with them. */
  readonly uses: readonly ColumnUseModel[];
  /** Conditions that can't come true while a parameter that may be null is NULL. */
  readonly neverTrue: readonly NeverTrue[];
  /** None for a statement without a result. */
  readonly columns: readonly ResultColumnModel[];
  /** Why it is a write; none for a read. */
  readonly writes: readonly WriteReason[];
  readonly touched: Touched;
}

export interface SentParameter {
  readonly placeholder: string;
  /** The tool's parameter. */
  readonly parameter: string;
  readonly type: SqlType;
  /** The first place of the placeholder where it has that type. */
  readonly span: Span;
}

export interface ColumnUseModel {
  /** The tool's parameter. */
  readonly parameter: string;
  /** Of the placeholder. */
  readonly span: Span;
  readonly how: "stored" | "compared";
  /** `orders.note`. */
  readonly column: string;
  /** The column's type. */
  readonly type: SqlType;
  /** How many characters the column holds; absent where nothing limits it, or a cast comes between. */
  readonly maxLength?: number;
  /** The column takes no NULL. */
  readonly notNull: boolean;
}

export interface NeverTrue {
  readonly parameter: string;
  readonly placeholder: string;
  /** Of the placeholder. */
  readonly span: Span;
}

export interface ResultColumnModel {
  /** Without the author's mark. */
  readonly name: string;
  /** As PostgreSQL names it, the mark included. */
  readonly label: string;
  readonly type: SqlType;
  readonly nullable: boolean;
  /** The author says that it is never NULL, and it always is. */
  readonly contradicted: boolean;
  readonly span: Span;
}

export interface WriteReason {
  /** `INSERT`, `the function nextval`. */
  readonly what: string;
  readonly span: Span;
}

/** What PostgreSQL made of a binding, for stages that come after the analysis. */
export function analyzed({ statement }: SqlConfig): StatementModel {
  if (statement === undefined) throw new Error("a statement that was not analyzed is asked for");
  return statement;
}
