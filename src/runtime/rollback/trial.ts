/**
 * Trials. A call that needs an approval may show what it would change before anybody approves it.
 * The approved call then makes exactly these changes. `CallTrial` is the binding's part.
 */
/** How a trial is made. */
export interface TrialOptions {
  /** Time for which the changes are kept, in milliseconds. */
  readonly keepMs: number;
  /** Replaces what an approver must not see in a text. */
  readonly shown: (text: string) => string;
  /** True if no content of files may be shown. */
  readonly hidesContent: boolean;
}

/** A trial, as its request for approval has it. */
export interface TrialDetails {
  /** Id of the call that made the trial. */
  readonly call: string;
  /** Name of the machine that keeps the changes. */
  readonly host: string;
  /** SHA-256 of the request, the answer, the changes, and what they replace, in hexadecimal. */
  readonly sha256: string;
  /** Status of the answer that the approved call will get. */
  readonly status: string;
  /** What the approved call will change. */
  readonly effects: readonly ShownEffect[];
  /** Number of created and changed entries beyond `effects`, which has all deleted ones. */
  readonly more?: number;
}

/** A change as an approver sees it. */
export interface ShownEffect {
  readonly change: "created" | "changed" | "deleted";
  /** Path, relative to the project's folder if it is inside. */
  readonly path: string;
  /** What changes, in words: "a file of 12 bytes". */
  readonly what: string;
  /** Unified diff of a text; absent for others, and for long ones. */
  readonly diff?: string;
}

/** The error for kept changes that can't be made any more. Its message has no full stop. */
export class StaleTrial extends Error {
  override readonly name = "StaleTrial";
  /** True if another trial would help. */
  readonly isOver: boolean;

  constructor(message: string, { isOver = true }: { readonly isOver?: boolean } = {}) {
    super(message);
    this.isOver = isOver;
  }
}
