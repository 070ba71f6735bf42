import type { Attempt, WriteOutcome } from "../../../runtime/sink.js";

/** What is sent at once: our own commands around the author's statement. */
export interface Exchange {
  readonly before: readonly string[];
  readonly statement?: Statement;
  readonly after: readonly string[];
}

/** What an exchange ends with that keeps what it wrote. */
export const commit = "COMMIT";

/** The author's statement, every value beside it. */
export interface Statement {
  readonly sql: string;
  /** As PostgreSQL reads them. */
  readonly parameters: readonly (string | null)[];
  /** Rows that the server is asked for; 0: all there are. */
  readonly mostRows: number;
  /** Whether it calls functions that may leave something in the session: a setting, a lock. */
  readonly marksSession: boolean;
  /** What names without a schema mean in it. A server's sessions are set to that already. */
  readonly searchPath: readonly string[];
}

/** What the author's statement gave. */
export interface Reply {
  /** None when it gives no rows. */
  readonly columns: readonly ReplyColumn[];
  /** Values as PostgreSQL prints them. */
  readonly rows: readonly (readonly (string | null)[])[];
  /** Its command tag: `UPDATE 3`. Empty when it had more rows than were asked for. */
  readonly tag: string;
}

export interface ReplyColumn {
  readonly name: string;
  /** OID. */
  readonly type: number;
}

/** A PostgreSQL session that one call has to itself. */
export interface Session {
  /**
   * One round trip. What follows a command that fails is not run.
   *
   * @throws ServerFault | LostConnection
   */
  exchange(exchange: Exchange): Promise<Reply>;
  /** What is known of a write if nothing more is heard: `unknown` once a COMMIT has left. */
  readonly outcome: WriteOutcome;
  /** Set where PostgreSQL runs in this process: it must not end the session, there is no other. */
  readonly isInProcess?: true;
}

/** What is behind a connection's URL. */
export interface Database {
  /** Gives the work a session. A transaction that it leaves open is rolled back; nothing is committed once the attempt is over. */
  run<Result>(attempt: Attempt, work: (session: Session) => Promise<Result>): Promise<Result>;
  /** Waits for calls under way. */
  close(): Promise<void>;
}
