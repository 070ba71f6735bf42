import { type ChainHead, chainStart, isIntact, readLink } from "./line.js";
import { isKept, type KeptAttachment } from "../attachments.js";
import { unknownEnd } from "../ledger-call.js";
import type { BeginRecord, EndRecord, SettleRecord } from "../record.js";
import {
  type CloseReason,
  type OpenRecord,
  type PrunedFile,
  type SeenHead,
  type ChainRecord,
  parseRecord,
} from "./chain-record.js";
import type { LedgerProblem, LedgerProblemKind, PastPruning, TornLine } from "../verification.js";

/** Maximum number of reported problems. A damaged file could have one for every byte. */
const maxProblems = 1000;

/** Collects the results of a verification. */
export interface VerificationState {
  readonly problems: LedgerProblem[];
  readonly tornLines: TornLine[];
  /** Heads that writers saw of other chains, by file. */
  readonly claims: Map<string, Claim[]>;
  /** Removed files, by name. */
  readonly pruned: Map<string, PrunedFile>;
  readonly prunings: PastPruning[];
  readonly attachments: { intact: number; expired: number; pruned: number };
  leftOut: number;
}

export interface Claim extends SeenHead {
  /** The file that contains this claim. */
  readonly by: string;
}

export function newVerificationState(): VerificationState {
  return {
    problems: [],
    tornLines: [],
    claims: new Map(),
    pruned: new Map(),
    prunings: [],
    attachments: { intact: 0, expired: 0, pruned: 0 },
    leftOut: 0,
  };
}

export function addProblem(state: VerificationState, problem: LedgerProblem): void {
  if (state.problems.length < maxProblems) state.problems.push(problem);
  else state.leftOut += 1;
}

/** A write with an unknown outcome, and the location of its newest record. */
export interface Unknown {
  readonly record: BeginRecord | EndRecord;
  readonly file: string;
  readonly line: number;
}

/** A whole result that a record refers to, or bytes that its call produced. */
export interface Attached {
  readonly line: number;
  readonly isBytes: boolean;
  readonly attachment: KeptAttachment;
}

/** A part of a chain: a file of a writer, or a writer's rows in a table. */
export interface ChainPart {
  readonly name: string;
  readonly writer: string;
  /** Number among the writer's parts, from 1. */
  readonly part: number;
}

/** A stored line, without its line feed. */
export interface KeptLine {
  /** Line number, from 1. */
  readonly number: number;
  readonly bytes: Buffer;
  /** False if the writer didn't finish the line. */
  readonly ended: boolean;
  /** True if the line is longer than any that a writer writes. */
  readonly tooLong: boolean;
}

/** Checks one writer's chain, line by line and file by file. */
export class ChainCheck {
  readonly #state: VerificationState;
  #head: ChainHead = chainStart;
  /**
   * Set after a line that can't be read. The next line is then accepted in any position, so that
   * one problem is reported once.
   */
  #lost = false;
  #closed: CloseReason | undefined;
  #file: ChainPart | undefined;
  #claims: readonly Claim[] = [];
  /** Unknown outcomes by the number of the begin record. */
  readonly #unknown = new Map<number, Unknown>();
  readonly #settlements: SettleRecord[] = [];
  #records = 0;
  readonly #attached: Attached[] = [];
  #opening: OpenRecord | undefined;

  constructor(state: VerificationState) {
    this.#state = state;
  }

  get head(): ChainHead {
    return this.#head;
  }

  /** How the last file was closed; undefined if it was not closed. */
  get closed(): CloseReason | undefined {
    return this.#closed;
  }

  get records(): number {
    return this.#records;
  }

  get opening(): OpenRecord | undefined {
    return this.#opening;
  }

  get unknown(): Iterable<Unknown> {
    return this.#unknown.values();
  }

  /** Settlements in the order in which they were written. */
  get settlements(): readonly SettleRecord[] {
    return this.#settlements;
  }

  /** Continues with the writer's next file. */
  enter(file: ChainPart, claims: readonly Claim[]): void {
    this.#file = file;
    this.#closed = undefined;
    this.#claims = claims;
  }

  /** Continues after files that were pruned: the next line follows their last line. */
  resume({ hash, seq }: SeenHead): void {
    this.#head = { seq: seq + 1, hash };
  }

  /** Returns the attachments of records checked since the last call. */
  takeAttached(): readonly Attached[] {
    return this.#attached.splice(0);
  }

  /** Accepts the next line in any position, after a file of the chain could not be read. */
  lose(): void {
    this.#lost = true;
  }

  /** Ends a file, and reports records that other writers saw and that are missing. */
  leave(): void {
    for (const claim of this.#claims) {
      if (claim.seq < this.#head.seq) continue;
      this.#problem(
        0,
        "missing-lines",
        `record ${claim.seq}, which \`${claim.by}\` saw here, is missing`,
      );
    }
  }

  check(line: KeptLine): void {
    const link = line.tooLong ? undefined : readLink(line.bytes);
    const record = link && parseRecord(line.bytes.toString("utf8"));
    if (!link || !record) return this.#unreadable(line);
    if (this.#closed)
      this.#problem(line.number, "after-close", "is after the record that closed the file");
    if (!isIntact(line.bytes, link)) {
      this.#problem(line.number, "changed-line", `record ${link.seq} was changed`);
    }
    this.#checkPlace(line.number, link);
    this.#checkClaims(line.number, link);
    this.#checkOpening(line.number, record);
    this.#count(line.number, record, link);
    this.#head = { seq: link.seq + 1, hash: link.hash };
    this.#lost = false;
  }

  /**
   * Handles a line that can't be read. A killed writer leaves the beginning of a line; anything
   * else is damage.
   */
  #unreadable(line: KeptLine): void {
    if (!line.ended && !line.tooLong && isStartOfLine(line.bytes)) {
      this.#state.tornLines.push({
        file: this.#file?.name ?? "",
        line: line.number,
        bytes: line.bytes.length,
      });
      return;
    }
    this.#problem(
      line.number,
      "unreadable-line",
      line.tooLong ? "is too long to be a record" : "is not a record",
    );
    this.#lost = true;
  }

  #checkPlace(line: number, link: ChainHead & { readonly prev: string | null }): void {
    if (this.#lost) return;
    if (link.seq === this.#head.seq && link.prev === this.#head.hash) return;
    const expected = `record ${link.seq} is in the place of record ${this.#head.seq}`;
    const follows = `record ${link.seq} does not follow the record before it`;
    this.#problem(line, "broken-chain", link.seq === this.#head.seq ? follows : expected);
  }

  #checkClaims(line: number, link: { readonly seq: number; readonly hash: string }): void {
    for (const claim of this.#claims) {
      if (claim.seq !== link.seq || claim.hash === link.hash) continue;
      this.#problem(
        line,
        "changed-line",
        `record ${link.seq} differs from the one that \`${claim.by}\` saw`,
      );
    }
  }

  #checkOpening(line: number, record: ChainRecord): void {
    if (line === 1 && record.type !== "open")
      this.#problem(line, "broken-chain", "the file's first record is missing");
    if (record.type !== "open") return;
    this.#opening = record;
    if (line !== 1)
      this.#problem(line, "broken-chain", "the first record of a file is in the middle of a file");
    else if (record.writer !== this.#file?.writer || record.part !== this.#file.part) {
      this.#problem(
        line,
        "wrong-file",
        `was written as file ${record.part} of ${JSON.stringify(record.writer)}`,
      );
    }
  }

  #count(
    line: number,
    record: ChainRecord,
    link: { readonly seq: number; readonly begin: number | undefined },
  ): void {
    if (record.type === "close") this.#closed = record.reason;
    if (record.type === "open" || record.type === "close" || record.type === "prune") return;
    this.#records += 1;
    if (record.type === "settle") {
      this.#settlements.push(record);
      return;
    }
    if (record.type === "end") this.#attach(line, record);
    // This record is newer than the begin record.
    if (link.begin !== undefined) this.#unknown.delete(link.begin);
    const begin = record.type === "begin" ? link.seq : link.begin;
    if (record.type === "begin" || unknownEnd(record))
      this.#unknown.set(begin ?? link.seq, { record, file: this.#file?.name ?? "", line });
  }

  #attach(line: number, { attachment, attachments = [] }: EndRecord): void {
    if (isKept(attachment)) this.#attached.push({ line, attachment, isBytes: false });
    for (const each of attachments)
      if (isKept(each)) this.#attached.push({ line, attachment: each, isBytes: true });
  }

  #problem(line: number, kind: LedgerProblemKind, message: string): void {
    addProblem(this.#state, { file: this.#file?.name ?? "", line, kind, message });
  }
}

const opening = '{"seq":';

/**
 * Returns whether bytes can be the beginning of an unfinished line: no line feed, and no complete
 * record followed by more bytes.
 */
function isStartOfLine(bytes: Buffer): boolean {
  const start = bytes.toString("latin1", 0, opening.length);
  if (!opening.startsWith(start)) return false;
  return !/,"hash":"[\w-]{43}"\}./s.test(bytes.toString("latin1", Math.max(0, bytes.length - 256)));
}
