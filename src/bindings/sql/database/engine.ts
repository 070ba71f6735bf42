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
  close(): Promise<void>;
}

/** An engine in this process. */
export interface EmbeddedEngine extends Engine {
  /** All of it, compressed (about 5 MB), for `openEmbedded` in another process with the same files and the same version of PGlite. */
  image(): Promise<Uint8Array<ArrayBuffer>>;
}

export type Described =
  | {
      readonly kind: "described";
      readonly parameters: readonly number[];
      readonly columns: readonly DescribedColumn[];
    }
  | { readonly kind: "fault"; readonly fault: SqlFault };

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
