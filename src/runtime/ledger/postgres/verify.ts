import { hostname } from "node:os";
import { isRunning } from "../../process.js";
import { countAttached } from "../chain/attached.js";
import {
  addProblem,
  type Attached,
  ChainCheck,
  type Claim,
  newVerificationState,
  type VerificationState,
} from "../chain/chain-check.js";
import { type ChainRecord, parseRecord, type SeenHead } from "../chain/chain-record.js";
import { bySettlement, unknownOf } from "../chain/outcomes.js";
import { isWellFormed } from "../attachment-days.js";
import type { SettleRecord } from "../record.js";
import type {
  LedgerVerification,
  UnknownOutcome,
  WriterState,
  WriterSummary,
} from "../verification.js";
import { findAttachments, keyOf } from "./attachments.js";
import { columnsOf } from "./batch.js";
import { readPrunings } from "./prunings.js";
import { type LedgerConnections, type Row, unavailable } from "./pool.js";
import { Snapshot } from "./snapshot.js";
import { clampedMs, sqlMs, type Tables, textOf } from "./tables.js";

/**
 * Checks every row and every chain in one snapshot, and lists the writes whose outcome is unknown.
 * The head that the ledger stores for each writer shows whether the last rows are missing, which a
 * chain alone can't show.
 *
 * @throws LedgerUnavailable if the tables can't be read; it never throws because of their content
 */
export async function verifyTables(
  connections: LedgerConnections,
  tables: Tables,
): Promise<LedgerVerification> {
  let snapshot: Snapshot | undefined;
  try {
    snapshot = await Snapshot.open(connections, tables);
    return await new Verifying(snapshot, tables).verify();
  } catch (error) {
    throw unavailable("the ledger can't be read", error);
  } finally {
    await snapshot?.close();
  }
}

/** A row of the table of writers. */
interface KnownWriter extends SeenHead {
  readonly pid: number;
  readonly host: string;
}

const writersTable = "writers";

class Verifying {
  readonly #snapshot: Snapshot;
  readonly #tables: Tables;
  readonly #state: VerificationState = newVerificationState();
  readonly #unknown: UnknownOutcome[] = [];
  readonly #settlements: SettleRecord[] = [];
  readonly #summaries: WriterSummary[] = [];

  constructor(snapshot: Snapshot, tables: Tables) {
    this.#snapshot = snapshot;
    this.#tables = tables;
  }

  async verify(): Promise<LedgerVerification> {
    const state = this.#state;
    await readPrunings(this.#snapshot, this.#tables, state);
    const writers = await this.#readWriters();
    await this.#collectClaims();
    await this.#followChains(writers);
    this.#reportMissing(writers);
    const { attachments, leftOut, problems, prunings } = state;
    return {
      files: await this.#countPartitions(),
      records: this.#summaries.reduce((sum, each) => sum + each.records, 0),
      problems,
      problemsLeftOut: leftOut,
      tornLines: [],
      ...bySettlement(this.#unknown, this.#settlements),
      writers: this.#summaries,
      attachments,
      prunings: prunings.toSorted((a, b) => (a.time < b.time ? -1 : 1)),
    };
  }

  async #readWriters(): Promise<ReadonlyMap<string, KnownWriter>> {
    const rows = await this.#snapshot.ask(
      `SELECT writer, pid::text, host, seq::text, hash FROM ${this.#tables.writers} ORDER BY writer`,
    );
    return new Map(
      rows.map((row) => {
        const writer = textOf(row, "writer");
        const head = { file: writer, seq: Number(textOf(row, "seq")), hash: textOf(row, "hash") };
        return [writer, { ...head, pid: Number(textOf(row, "pid")), host: textOf(row, "host") }];
      }),
    );
  }

  /** Collects from each writer's first record where it saw the other writers' chains. */
  async #collectClaims(): Promise<void> {
    const text = `SELECT writer, line FROM ${this.#tables.records} WHERE seq = 0`;
    for await (const rows of this.#snapshot.stream(text))
      for (const row of rows) {
        const record = parseRecord(textOf(row, "line"));
        if (record?.type !== "open") continue;
        for (const seen of record.seen) this.#claim({ ...seen, by: textOf(row, "writer") });
      }
  }

  #claim(claim: Claim): void {
    const { claims } = this.#state;
    claims.set(claim.file, [...(claims.get(claim.file) ?? []), claim]);
  }

  async #followChains(writers: ReadonlyMap<string, KnownWriter>): Promise<void> {
    const text = `SELECT r.writer, r.seq::text, ${sqlMs("r.at")} AS ms, r.type, r.id, r.skill, r.tool, r.mode, r.status, r.tenant, r.subject, r.trace, r.parent, r.line
      FROM ${this.#tables.records} r ORDER BY r.writer, r.seq, r.at`;
    let chain: RowChain | undefined;
    for await (const rows of this.#snapshot.stream(text)) {
      for (const row of rows) {
        const writer = textOf(row, "writer");
        if (chain?.writer !== writer) {
          await this.#leave(chain);
          chain = new RowChain(writer, writers.get(writer), this.#state);
        }
        chain.check(row);
      }
      await this.#countAttached(chain);
    }
    await this.#leave(chain);
    // Also check writers that have no rows left.
    const followed = new Set(this.#summaries.map(({ writer }) => writer));
    for (const known of writers.values())
      if (!followed.has(known.file))
        await this.#leave(new RowChain(known.file, known, this.#state));
  }

  async #leave(chain: RowChain | undefined): Promise<void> {
    if (chain === undefined) return;
    await this.#countAttached(chain);
    const summary = chain.leave();
    this.#summaries.push(summary);
    this.#unknown.push(...unknownOf(chain.lines, summary.state));
    this.#settlements.push(...chain.lines.settlements);
  }

  async #countAttached(chain: RowChain | undefined): Promise<void> {
    const attached = chain?.lines.takeAttached() ?? [];
    if (chain === undefined || attached.length === 0) return;
    const wanted = attached.map(({ attachment }: Attached) => attachment).filter(isWellFormed);
    const ask = (text: string, values: unknown[]) => this.#snapshot.ask(text, values);
    const found = await findAttachments(ask, this.#tables, wanted);
    for (const each of attached)
      countAttached(
        chain.writer,
        each,
        found.get(keyOf(each.attachment)) ?? "missing",
        this.#state,
      );
  }

  /** Reports writers that others saw, and that are gone without a pruning. */
  #reportMissing(writers: ReadonlyMap<string, KnownWriter>): void {
    const { claims, pruned } = this.#state;
    const followed = new Set(this.#summaries.map(({ writer }) => writer));
    for (const [file, those] of claims) {
      if (followed.has(file) || writers.has(file)) continue;
      const gone = pruned.get(file);
      for (const { by, hash, seq } of those) {
        if (gone !== undefined && (seq < gone.seq || (seq === gone.seq && hash === gone.hash)))
          continue;
        const message = `record ${seq}, which \`${by}\` saw here, is missing`;
        addProblem(this.#state, { file, line: 0, kind: "missing-lines", message });
      }
    }
  }

  async #countPartitions(): Promise<number> {
    const [row] = await this.#snapshot.ask(
      "SELECT count(*)::text AS count FROM pg_inherits WHERE inhparent = $1::regclass",
      [this.#tables.records],
    );
    return Number(row?.["count"] ?? 0);
  }
}

/**
 * Columns that a later version added. A process of an earlier version leaves them empty until it
 * reconnects.
 */
const laterColumns: ReadonlySet<string> = new Set(["trace", "parent"]);

/** Checks the rows of one writer, in order. */
class RowChain {
  readonly writer: string;
  readonly lines: ChainCheck;
  readonly #known: KnownWriter | undefined;
  readonly #state: VerificationState;
  #atMs: number | undefined;

  constructor(writer: string, known: KnownWriter | undefined, state: VerificationState) {
    this.writer = writer;
    this.lines = new ChainCheck(state);
    this.#known = known;
    this.#state = state;
    const claims = [...(state.claims.get(writer) ?? []), ...(known ? [headClaim(known)] : [])];
    this.lines.enter({ name: writer, writer, part: 1 }, claims);
    const pruned = state.pruned.get(writer);
    if (pruned !== undefined) this.lines.resume(pruned);
  }

  check(row: Row): void {
    const line = textOf(row, "line");
    const number = Number(textOf(row, "seq")) + 1;
    this.lines.check({ number, bytes: Buffer.from(line), ended: true, tooLong: false });
    const record = parseRecord(line);
    if (record !== undefined && !this.#areColumnsTrue(row, record))
      this.#problem(
        number,
        "changed-line",
        `the columns of record ${number - 1} differ from its text`,
      );
    this.#atMs = Number(textOf(row, "ms"));
  }

  /**
   * Returns whether the columns match the record. Queries use the columns and would otherwise miss
   * calls.
   */
  #areColumnsTrue(row: Row, record: ChainRecord): boolean {
    const columns = Object.entries(columnsOf(record));
    const isTrue = (name: string, value: string | null) =>
      (row[name] ?? null) === value || (row[name] === null && laterColumns.has(name));
    if (!columns.every(([name, value]) => isTrue(name, value))) return false;
    const ms = Number(textOf(row, "ms"));
    // The opening record has the time of the second record. After a pruning, the time of the row
    // before is unknown.
    if (record.type === "open") return this.#atMs === undefined;
    const ownMs = clampedMs(Date.parse(record.time));
    return this.#atMs === undefined ? ms >= ownMs : ms === Math.max(ownMs, this.#atMs);
  }

  /** Ends the chain, and reports whether its end is missing. */
  leave(): WriterSummary {
    this.lines.leave();
    const { hash, seq } = this.lines.head;
    const head = hash === null ? null : { seq: seq - 1, hash };
    if (this.#known === undefined)
      this.#problem(0, "wrong-head", `has records, but no row in \`${writersTable}\``);
    else if (head !== null && head.seq > this.#known.seq)
      this.#problem(
        0,
        "wrong-head",
        `\`${writersTable}\` names record ${this.#known.seq} as the last one, but record ${head.seq} exists`,
      );
    return {
      writer: this.writer,
      files: 0,
      records: this.lines.records,
      state: this.#stateOf(),
      head,
    };
  }

  #stateOf(): WriterState {
    if (this.lines.closed !== undefined) return "closed";
    const { host, pid } = this.#known ?? this.lines.opening ?? {};
    if (host === undefined || pid === undefined) return "gone";
    if (host !== hostname()) return "elsewhere";
    return isRunning(pid) ? "running" : "gone";
  }

  #problem(line: number, kind: "changed-line" | "wrong-head", message: string): void {
    addProblem(this.#state, { file: this.writer, line, kind, message });
  }
}

function headClaim({ file, hash, seq }: KnownWriter): Claim {
  return { file, hash, seq, by: writersTable };
}
