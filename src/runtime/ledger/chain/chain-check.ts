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

/** Hostile files can hold a problem a byte; this many are told. */
const maxProblems = 1000;

/** Gathers what a verification finds. */
export interface VerificationState {
  readonly problems: LedgerProblem[];
  readonly tornLines: TornLine[];
  /** What writers said of others' chains, by file. */
  readonly claims: Map<string, Claim[]>;
  /** What was removed to make room, by file. */
  readonly pruned: Map<string, PrunedFile>;
  readonly prunings: PastPruning[];
  readonly attachments: { intact: number; expired: number; pruned: number };
  leftOut: number;
}

export interface Claim extends SeenHead {
  /** The file that says so. */
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

/** A write whose outcome isn't known, and where the record that says so stands. */
export interface Unknown {
  readonly record: BeginRecord | EndRecord;
  readonly file: string;
  readonly line: number;
}

/** A whole result that a record names, or bytes that its call produced. */
export interface Attached {
  readonly line: number;
  readonly isBytes: boolean;
  readonly attachment: KeptAttachment;
}

/** Where lines stand: a file of a writer; in a table, the writer's rows. */
export interface ChainPart {
  readonly name: string;
  readonly writer: string;
  /** Its place among its writer's, from 1. */
  readonly part: number;
}

/** A line as it is kept, its line feed taken off. */
export interface KeptLine {
  /** From 1. */
  readonly number: number;
  readonly bytes: Buffer;
  /** False for what its writer didn't finish. */
  readonly ended: boolean;
  /** Longer than any line that a writer makes. */
  readonly tooLong: boolean;
}

/** Follows one writer's chain, line by line, file by file. */
export class ChainCheck {
  readonly #state: VerificationState;
  #head: ChainHead = chainStart;
  /**
   * After a line that can't be read, whatever comes next is taken as it is: one problem is one
   * problem.
   */
  #lost = false;
  #closed: CloseReason | undefined;
  #file: ChainPart | undefined;
  #claims: readonly Claim[] = [];
  /** By the number of the begin record. */
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

  /** How the last file was left; undefined when it wasn't in order. */
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

  /** In the order in which they were written. */
  get settlements(): readonly SettleRecord[] {
    return this.#settlements;
  }

  /** Goes on with the writer's next file. */
  enter(file: ChainPart, claims: readonly Claim[]): void {
    this.#file = file;
    this.#closed = undefined;
    this.#claims = claims;
  }

  /** The files before were pruned: the next line follows the last one of theirs. */
  resume({ hash, seq }: SeenHead): void {
    this.#head = { seq: seq + 1, hash };
  }

  /** What records name as kept, since this was asked last. */
  takeAttached(): readonly Attached[] {
    return this.#attached.splice(0);
  }

  /** When a file of the chain can't be read, the next line is taken as it is. */
  lose(): void {
    this.#lost = true;
  }

  /** What other writers saw at the end of this file must still be there. */
  leave(): void {
    for (const claim of this.#claims) {
      if (claim.seq < this.#head.seq) continue;
      this.#problem(
        0,
        "missing-lines",
        `\`${claim.by}\` saw record ${claim.seq} here, which is gone`,
      );
    }
  }

  check(line: KeptLine): void {
    const link = line.tooLong ? undefined : readLink(line.bytes);
    const record = link && parseRecord(line.bytes.toString("utf8"));
    if (!link || !record) return this.#unreadable(line);
    if (this.#closed)
      this.#problem(line.number, "after-close", "stands after the record that closed the file");
    if (!isIntact(line.bytes, link)) {
      this.#problem(line.number, "changed-line", `record ${link.seq} is not what was written`);
    }
    this.#checkPlace(line.number, link);
    this.#checkClaims(line.number, link);
    this.#checkOpening(line.number, record);
    this.#count(line.number, record, link);
    this.#head = { seq: link.seq + 1, hash: link.hash };
    this.#lost = false;
  }

  /** What a killed writer leaves is the start of a line. More than that is damage. */
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
      line.tooLong ? "is too long for a record" : "is not a record",
    );
    this.#lost = true;
  }

  #checkPlace(line: number, link: ChainHead & { readonly prev: string | null }): void {
    if (this.#lost) return;
    if (link.seq === this.#head.seq && link.prev === this.#head.hash) return;
    const expected = `record ${link.seq} stands where record ${this.#head.seq} belongs`;
    const follows = `record ${link.seq} doesn't follow the record before it`;
    this.#problem(line, "broken-chain", link.seq === this.#head.seq ? follows : expected);
  }

  #checkClaims(line: number, link: { readonly seq: number; readonly hash: string }): void {
    for (const claim of this.#claims) {
      if (claim.seq !== link.seq || claim.hash === link.hash) continue;
      this.#problem(
        line,
        "changed-line",
        `record ${link.seq} is not the one that \`${claim.by}\` saw`,
      );
    }
  }

  #checkOpening(line: number, record: ChainRecord): void {
    if (line === 1 && record.type !== "open")
      this.#problem(line, "broken-chain", "the file's first record is missing");
    if (record.type !== "open") return;
    this.#opening = record;
    if (line !== 1)
      this.#problem(line, "broken-chain", "the first record of a file stands inside one");
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
    // It tells more than the one before.
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
 * Whether it can be the start of a line that was never finished: no line feed, and not a whole
 * record with something behind it.
 */
function isStartOfLine(bytes: Buffer): boolean {
  const start = bytes.toString("latin1", 0, opening.length);
  if (!opening.startsWith(start)) return false;
  return !/,"hash":"[\w-]{43}"\}./s.test(bytes.toString("latin1", Math.max(0, bytes.length - 256)));
}
