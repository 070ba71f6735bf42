/** A PostgreSQL that holds the schema: the embedded one, or the server behind a connection. Nothing it is asked changes anything. */
export interface Engine {
  /** What the server would send and expect for a statement with `$n` parameters. */
  describe(sql: string): Promise<Described>;
  /** Plans a statement for any parameters; undefined when it can be planned, or when this engine or this kind of statement has no such plan. */
  plan(sql: string): Promise<SqlFault | undefined>;
  /** Rows of a catalogue query; every value as text or null. */
  rows(sql: string): Promise<readonly Readonly<Record<string, string | null>>[]>;
  /**
   * Why it answers nothing any more: the connection was lost, or the server stalls. Absent, or undefined, while it answers; from then on every fault
   * is this one, and says nothing of what was asked.
   */
  readonly silence?: () => SqlFault | undefined;
  /** Gives back its memory until the next question, which then takes about a second more. Absent where there is nothing to give back. */
  readonly rest?: () => Promise<void>;
  close(): Promise<void>;
}

/** An engine in a thread of this process. */
export interface EmbeddedEngine extends Engine {
  readonly rest: () => Promise<void>;
  /** All of it, compressed (about 5 MB), for `openEmbedded` in another process with the same files and the same version of PGlite. */
  image(): Promise<Uint8Array<ArrayBuffer>>;
}

export type Described =
  | ({ readonly kind: "described" } & StatementTypes)
  | { readonly kind: "fault"; readonly fault: SqlFault };

export interface StatementTypes {
  /** OIDs of their types. */
  readonly parameters: readonly number[];
  readonly columns: readonly DescribedColumn[];
}

export interface DescribedColumn {
  readonly name: string;
  /** OID of its type. */
  readonly type: number;
}

/** What PostgreSQL says of a statement that it refuses. */
export interface SqlFault {
  /** SQLSTATE: `42703`; `08006` when there was no answer. */
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly detail?: string;
  /** 1-based, in characters (code points) of the statement sent. */
  readonly position?: number;
}

/** SQLSTATE of a statement that was ended because it took too long: `query_canceled`. */
export const TIMED_OUT = "57014";
