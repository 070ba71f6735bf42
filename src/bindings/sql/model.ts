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

/** What `parameter_mapping` and `set_config` refer to beside parameters. */
export const sqlTemplates: TemplateLanguage<"caller"> = { kind: "sql", roots: [callerRoot] };

/** How many rows the author says there are. */
export type RowCount = "many" | "one" | "optional";

/** A SQL binding as its author wrote it, and, once it is analyzed, what PostgreSQL makes of it. */
export interface SqlConfig {
  readonly connection: { readonly name: string; readonly span: Span };
  readonly query: TextNode;
  /** Where names of placeholders and parameters differ, or a value is the caller's. */
  readonly mapping: readonly MappedPlaceholder[];
  readonly rows: RowCount;
  /** Where the author says how many rows there are; absent when nothing is said. */
  readonly rowsSpan?: Span;
  /** Absent when nothing is said. */
  readonly readOnly?: { readonly value: boolean; readonly span: Span };
  /** Whether the author says that every row of a table is meant; absent when nothing is said. */
  readonly allRows?: { readonly value: boolean; readonly span: Span };
  readonly maxRows: number;
  readonly maxRowsSpan?: Span;
  /** Absent before the analysis, and where it came to nothing. */
  readonly statement?: StatementModel;
  /** What is set before the statement; absent where skillc.yaml names nothing. */
  readonly setConfig?: readonly SessionSetting[];
}

/**
 * Where a placeholder takes its value from: the parameter's name; or, in its braces, what is the caller's: `{caller.tenant}`. No parameter
 * that a statement can name has braces.
 */
export type ValueSource = string;

/** A setting, and what it is made of. Plain data that has no place: it is kept with tools. */
export interface SessionSetting {
  /** `app.tenant` */
  readonly name: string;
  readonly parts: readonly SettingPart[];
}

/** Text, or the name of a field of the caller. */
export type SettingPart = string | { readonly caller: string };

export interface MappedPlaceholder {
  readonly placeholder: string;
  /** What gives its value. */
  readonly parameter: ValueSource;
  /** Of the placeholder's name. */
  readonly keySpan: Span;
  /** Of the source. */
  readonly span: Span;
}

/** A statement that PostgreSQL has described. */
export interface StatementModel {
  readonly chain: Chain;
  /**
   * Why the statement is a template of its own text; absent when it is builder code, proved to say
   * the same.
   */
  readonly notTranslated?: string;
  /** How many references `tsc` sees. */
  readonly references: ReferenceCount;
  /** The values of `$1`, `$2`… as they are sent, in order. */
  readonly parameters: readonly SentParameter[];
  /** Where parameters go to columns, or are compared with them. */
  readonly uses: readonly ColumnUseModel[];
  /** What insertions lack. */
  readonly leftOut: readonly LeftOutModel[];
  readonly writtenNulls: readonly WrittenNullModel[];
  /** Tables of whose new rows Kysely doesn't see whether a column is missing. */
  readonly filled: readonly FilledTableModel[];
  /** Conditions that can't come true while a parameter that may be null is NULL. */
  readonly neverTrue: readonly NeverTrue[];
  /** What changes or removes every row of a table. */
  readonly unrestrictedWrites: readonly UnrestrictedWriteModel[];
  /** Comparisons with a NULL that is written out. */
  readonly nullComparisons: readonly NullComparison[];
  /** Placeholders that rows are sorted by. */
  readonly sortedBy: readonly PlacedPlaceholder[];
  /** Placeholders of LIMIT and OFFSET, if there are any. */
  readonly limitedBy?: readonly PlacedPlaceholder[];
  /** Placeholders that a value is compared with, for equality or as the only one of a list. */
  readonly comparedWith: readonly ComparedPlaceholder[];
  /** None for a statement without a result. */
  readonly columns: readonly ResultColumnModel[];
  /** What Kysely's types must say of a row, in the order of the columns. */
  readonly selected: readonly SelectedColumnModel[];
  /** Why it is a write; none for a read. */
  readonly writes: readonly WriteReason[];
  /** Whether it may leave a setting or a lock in its session. */
  readonly marksSession: boolean;
  /**
   * Where names without a schema were looked up, in order; `pg_catalog` where it comes first goes
   * without saying.
   */
  readonly searchPath: readonly string[];
  readonly touched: Touched;
}

export interface SentParameter {
  readonly placeholder: string;
  /** What gives its value. */
  readonly parameter: ValueSource;
  readonly type: SqlType;
  /** Those of the texts that the parameter's schema lists that are no values of that type. */
  readonly refused: readonly string[];
  /** The first place of the placeholder where it has that type. */
  readonly span: Span;
}

export interface ColumnUseModel {
  /** What gives the value. */
  readonly parameter: ValueSource;
  /** Of the placeholder. */
  readonly span: Span;
  readonly how: "stored" | "compared";
  /** `orders.note`. */
  readonly column: string;
  /** The column's type. */
  readonly type: SqlType;
  /**
   * How many characters the column holds; absent where nothing limits it, or a cast comes between.
   */
  readonly maxLength?: number;
  /** Of a `numeric(p, s)`, the same. */
  readonly digits?: { readonly precision: number; readonly scale: number };
  /** The column takes no NULL. */
  readonly notNull: boolean;
}

/** Columns that take no NULL and have no default, and that an insertion gives nothing. */
export interface LeftOutModel {
  readonly table: string;
  readonly columns: readonly string[];
  /** A trigger or a rule may fill them. */
  readonly mayBeFilled: boolean;
  /** Of the table's name. */
  readonly span: Span;
}

/** NULL, as it is written, where a column takes none; or DEFAULT, where that is NULL. */
export interface WrittenNullModel {
  /** `orders.note`. */
  readonly column: string;
  readonly word: "NULL" | "DEFAULT";
  readonly span: Span;
}

/** The columns that a statement gives to every row that it adds to a table. */
export interface FilledTableModel {
  /** As the Database interface has it. */
  readonly table: string;
  readonly columns: readonly string[];
}

export interface NeverTrue {
  readonly parameter: ValueSource;
  readonly placeholder: string;
  /** Of the placeholder. */
  readonly span: Span;
}

export interface UnrestrictedWriteModel {
  readonly verb: UnrestrictedWrite["verb"];
  readonly table: string;
  readonly why: UnrestrictedWrite["why"];
  /** The parameters whose absence makes it so. */
  readonly without: readonly string[];
  /** Those that make it so by being empty. */
  readonly empty: readonly string[];
  /** Of the verb where there is no condition, else of the condition's first word. */
  readonly span: Span;
}

interface NullComparison {
  /** What tests for NULL instead; absent where it is not plain what was meant. */
  readonly instead?: "IS NULL" | "IS NOT NULL";
  /** Of the NULL. */
  readonly span: Span;
}

interface PlacedPlaceholder {
  readonly placeholder: string;
  readonly span: Span;
}

export interface ComparedPlaceholder extends PlacedPlaceholder {
  /** What compares with the elements of an array instead. */
  readonly each: "= ANY" | "<> ALL";
}

export interface ResultColumnModel {
  /** Without the author's mark. */
  readonly name: string;
  /** As PostgreSQL names it, the mark included. */
  readonly label: string;
  readonly type: SqlType;
  readonly nullable: boolean;
  /** It would be nullable without the NOT NULL of columns and domains. */
  readonly byConstraint: boolean;
  /** The author says that it is never NULL, and it always is. */
  readonly contradicted: boolean;
  readonly span: Span;
}

/** A column whose type Kysely takes from the Database interface. */
export interface SelectedColumnModel {
  /** As PostgreSQL names it, the mark included. */
  readonly label: string;
  readonly type: SqlType;
  /** Whether the tool still fits when Kysely's type has null. */
  readonly nullable: boolean;
  readonly span: Span;
}

export interface WriteReason {
  /** `has INSERT`, `calls nextval, which may change something`. */
  readonly what: string;
  /** What would make a read of it. */
  readonly remedy?: Remedy;
  readonly span: Span;
}

/** What PostgreSQL made of a binding, for stages that come after the analysis. */
export function analyzed({ statement }: SqlConfig): StatementModel {
  if (statement === undefined) throw new Error("a statement that was not analyzed is asked for");
  return statement;
}

/** A stretch of the query's text in the author's file. */
export function within({ query }: SqlConfig, { start, end }: TextRange): Span {
  return spanWithin(query, start, end);
}
