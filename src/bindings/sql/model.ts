import type { Span } from "../../core/span.js";
import { spanWithin } from "../../core/syntax-node.js";
import { callerRoot } from "../../kit/caller-root.js";
import type { TemplateLanguage, TextNode } from "../../kit/text-template.js";
import type { Remedy } from "./analysis/effect/side-effects.js";
import type { Touched } from "./analysis/touched.js";
import type { Chain, ReferenceCount } from "./builder/chain.js";
import type { UnrestrictedWrite } from "./conditions/unrestricted-writes.js";
import type { TextRange } from "./statement/statement.js";
import type { SqlType } from "./types/sql-type.js";

/** Template language of `set_config`: a value may refer to the caller. */
export const sqlTemplates: TemplateLanguage<"caller"> = { kind: "sql", roots: [callerRoot] };

/** Number of rows that the author declares. */
export type RowCount = "many" | "one" | "optional";

/** A SQL binding as its author wrote it; after the analysis, with PostgreSQL's description. */
export interface SqlConfig {
  readonly connection: { readonly name: string; readonly span: Span };
  readonly query: TextNode;
  /**
   * Sources of placeholders whose name is not the parameter's, or whose value comes from the
   * caller.
   */
  readonly mapping: readonly MappedPlaceholder[];
  readonly rows: RowCount;
  /** Span of the declared row count; absent if it is not declared. */
  readonly rowsSpan?: Span;
  /** Declared effect; absent if not declared. */
  readonly readOnly?: { readonly value: boolean; readonly span: Span };
  /** True if the author confirms that the statement changes every row; absent if not declared. */
  readonly allRows?: { readonly value: boolean; readonly span: Span };
  readonly maxRows: number;
  readonly maxRowsSpan?: Span;
  /** The described statement; absent before the analysis, and if it failed. */
  readonly statement?: StatementModel;
  /** Settings made before the statement; absent if skillc.yaml names none. */
  readonly setConfig?: readonly SessionSetting[];
}

/**
 * Source of a placeholder's value: the name of a parameter, or a caller field in braces such as
 * `{caller.tenant}`. Parameters in statements can't have braces in their names, so the two can't
 * collide.
 */
export type ValueSource = string;

/**
 * A setting and the parts of its value. Plain data without spans, because it is cached with tools.
 */
export interface SessionSetting {
  /** Name, such as `app.tenant`. */
  readonly name: string;
  readonly parts: readonly SettingPart[];
}

/** Text, or the name of a caller field. */
export type SettingPart = string | { readonly caller: string };

export interface MappedPlaceholder {
  readonly placeholder: string;
  /** Source of the placeholder's value. */
  readonly parameter: ValueSource;
  /** Span of the placeholder's name. */
  readonly keySpan: Span;
  /** Span of the source. */
  readonly span: Span;
}

/** A statement that PostgreSQL has described. */
export interface StatementModel {
  readonly chain: Chain;
  /** Why the statement is sent as text; absent if builder code was proved to be equivalent. */
  readonly notTranslated?: string;
  /** Number of references to the schema that `tsc` checks. */
  readonly references: ReferenceCount;
  /** Values of `$1`, `$2`… as they are sent, in order. */
  readonly parameters: readonly SentParameter[];
  /** Columns that parameters are stored in or compared with. */
  readonly uses: readonly ColumnUseModel[];
  /** Required columns that insertions leave out. */
  readonly leftOut: readonly LeftOutModel[];
  readonly writtenNulls: readonly WrittenNullModel[];
  /** Tables for whose new rows Kysely can't see a missing column. */
  readonly filled: readonly FilledTableModel[];
  /** Conditions that can't be true while a nullable parameter is NULL. */
  readonly neverTrue: readonly NeverTrue[];
  /** Writes that change or remove every row of a table. */
  readonly unrestrictedWrites: readonly UnrestrictedWriteModel[];
  /** Comparisons with a literal NULL. */
  readonly nullComparisons: readonly NullComparison[];
  /** Placeholders in ORDER BY. */
  readonly sortedBy: readonly PlacedPlaceholder[];
  /** Placeholders in LIMIT and OFFSET; absent if there are none. */
  readonly limitedBy?: readonly PlacedPlaceholder[];
  /** Placeholders compared for equality, or as the only element of a list. */
  readonly comparedWith: readonly ComparedPlaceholder[];
  /** Result columns; empty if the statement has no result. */
  readonly columns: readonly ResultColumnModel[];
  /** Columns that Kysely's types must give, in the order of the result. */
  readonly selected: readonly SelectedColumnModel[];
  /** Reasons why the statement is a write; empty for a read. */
  readonly writes: readonly WriteReason[];
  /** True if the statement may leave a setting or a lock in its session. */
  readonly marksSession: boolean;
  /**
   * Schemas in which unqualified names were looked up, in order. A leading `pg_catalog` is left
   * out.
   */
  readonly searchPath: readonly string[];
  readonly touched: Touched;
}

export interface SentParameter {
  readonly placeholder: string;
  /** Source of the value. */
  readonly parameter: ValueSource;
  readonly type: SqlType;
  /** Texts listed in the parameter's schema that PostgreSQL rejects for this type. */
  readonly refused: readonly string[];
  /** First occurrence of the placeholder with that type. */
  readonly span: Span;
}

export interface ColumnUseModel {
  /** Source of the value. */
  readonly parameter: ValueSource;
  /** Span of the placeholder. */
  readonly span: Span;
  readonly how: "stored" | "compared";
  /** Table and column, such as `orders.note`. */
  readonly column: string;
  /** The column's type. */
  readonly type: SqlType;
  /** Maximal number of characters; absent if there is no limit, or if a cast comes between. */
  readonly maxLength?: number;
  /** Precision and scale of a `numeric(p, s)` column; absent in the same cases. */
  readonly digits?: { readonly precision: number; readonly scale: number };
  /** True if the column is NOT NULL. */
  readonly notNull: boolean;
}

/** NOT NULL columns without a default that an insertion gives no value. */
export interface LeftOutModel {
  readonly table: string;
  readonly columns: readonly string[];
  /** True if a trigger or a rule may fill the columns. */
  readonly mayBeFilled: boolean;
  /** Span of the table's name. */
  readonly span: Span;
}

/** A literal NULL for a NOT NULL column, or a DEFAULT that is NULL there. */
export interface WrittenNullModel {
  /** Table and column, such as `orders.note`. */
  readonly column: string;
  readonly word: "NULL" | "DEFAULT";
  readonly span: Span;
}

/** Columns that a statement gives to every row that it inserts into a table. */
export interface FilledTableModel {
  /** Key of the table in the Database interface. */
  readonly table: string;
  readonly columns: readonly string[];
}

export interface NeverTrue {
  readonly parameter: ValueSource;
  readonly placeholder: string;
  /** Span of the placeholder. */
  readonly span: Span;
}

export interface UnrestrictedWriteModel {
  readonly verb: UnrestrictedWrite["verb"];
  readonly table: string;
  readonly why: UnrestrictedWrite["why"];
  /** Parameters whose absence leaves the write unrestricted. */
  readonly without: readonly string[];
  /** Parameters whose empty value leaves the write unrestricted. */
  readonly empty: readonly string[];
  /** Span of the first word of the condition, or of the verb if there is no condition. */
  readonly span: Span;
}

interface NullComparison {
  /** Test to write instead; absent if the intent is unclear. */
  readonly instead?: "IS NULL" | "IS NOT NULL";
  /** Span of the NULL. */
  readonly span: Span;
}

interface PlacedPlaceholder {
  readonly placeholder: string;
  readonly span: Span;
}

export interface ComparedPlaceholder extends PlacedPlaceholder {
  /** Operator that compares with the elements of an array instead. */
  readonly each: "= ANY" | "<> ALL";
}

export interface ResultColumnModel {
  /** Name without the author's nullability mark. */
  readonly name: string;
  /** Name as PostgreSQL reports it, with the mark. */
  readonly label: string;
  readonly type: SqlType;
  readonly nullable: boolean;
  /** True if only NOT NULL of columns and domains makes it never NULL. */
  readonly byConstraint: boolean;
  /** True if the author marks it as never NULL although it always is NULL. */
  readonly contradicted: boolean;
  readonly span: Span;
}

/** A column whose type Kysely takes from the Database interface. */
export interface SelectedColumnModel {
  /** Name as PostgreSQL reports it, with the mark. */
  readonly label: string;
  readonly type: SqlType;
  /** True if the tool still fits when Kysely's type includes null. */
  readonly nullable: boolean;
  readonly span: Span;
}

export interface WriteReason {
  /** Verb phrase for messages: `has INSERT`, `calls nextval, which may change something`. */
  readonly what: string;
  /** A change that would make the statement a read. */
  readonly remedy?: Remedy;
  readonly span: Span;
}

/** Returns the analyzed statement, for stages after the analysis. Throws if there is none. */
export function analyzed({ statement }: SqlConfig): StatementModel {
  if (statement === undefined) throw new Error("the statement was not analyzed");
  return statement;
}

/** Converts a range of the query's text to a span in the author's file. */
export function within({ query }: SqlConfig, { start, end }: TextRange): Span {
  return spanWithin(query, start, end);
}
