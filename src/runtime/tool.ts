import type { CallerField } from "./caller.js";
import type { Binding } from "./call/binding.js";
import type { Defaults } from "./call/defaults.js";
import type { FileRules } from "./files/tool-file.js";
import type { AnyResult } from "./result.js";
import type { ToolRollback } from "./rollback/tool-rollback.js";
import type { Validator } from "./validation/validation.js";

/** `active`: calls are made. `shadow`: writes are only recorded. */
export type Mode = "active" | "shadow";

/** `read`: a call changes nothing. `write`: a call may change something. */
export type Effect = "read" | "write";

/**
 * Handling of a service's answer that doesn't match its schema: the call throws (`refuse`) or
 * returns it and reports the mismatch (`report`).
 */
export type Misfits = "refuse" | "report";

/**
 * Everything that a generated module declares about one tool: data, validators, and the binding
 * that makes the call.
 *
 * @typeParam Result all answers of the binding, and of a handler that replaces the binding
 * @typeParam Given the answers that callers get, if a project's obligations change them
 */
export interface ToolContract<
  Params,
  Arguments,
  Result extends AnyResult,
  Given extends AnyResult = Result,
> {
  /** Name of the skill. */
  readonly skill: string;
  /** Name of the tool. */
  readonly name: string;
  /** Hashes that every ledger record contains. */
  readonly version: ToolVersion;
  /** Effect of a call: read or write. */
  readonly effect: Effect;
  /** Mode of the tool; `RuntimeOptions.mode` and `CallOptions.mode` override it. */
  readonly mode: Mode;
  /** Time limit of one attempt, connecting included, in milliseconds; absent for no limit. */
  readonly timeoutMs?: number;
  /** How failed attempts are repeated. */
  readonly retry: RetryPolicy;
  /** Prerequisites of the skill. */
  readonly prerequisites?: Prerequisites;
  /** Validates the parameters. */
  readonly params: Validator<Params>;
  /** Default values of parameters. */
  readonly defaults?: Defaults;
  /**
   * Paths of parameters that the ledger must not contain. A path is a list of property names; `*`
   * stands for every item.
   */
  readonly maskedParams?: MaskedPaths;
  /** Parameters that are files, and which of them the runtime reads. */
  readonly files?: FileRules;
  /** Validates `data`. */
  readonly returns?: Validator;
  /** Statuses whose `data` has another type, which `returns` doesn't validate. */
  readonly ownData?: readonly string[];
  /** Fields that the binding needs from the caller. A call without them is denied. */
  readonly caller?: readonly CallerField[];
  /**
   * Set if the project's obligations change the answers, and the types show that. A runtime without
   * governance denies the call, because it would return unchanged answers.
   */
  readonly obliged?: true;
  /** Paths in `data` that the ledger must not contain. */
  readonly maskedResult?: MaskedPaths;
  /** Paths in the `data` of statuses in `ownData` that the ledger must not contain, by status. */
  readonly maskedOwnData?: { readonly [status: string]: MaskedPaths };
  /** Paths in `error` that the ledger must not contain, for every failed status. */
  readonly maskedErrors?: MaskedPaths;
  /** How a call is undone; absent if the skill says nothing. */
  readonly rollback?: ToolRollback<Arguments>;
  /** Makes the call. */
  readonly binding: Binding<Arguments, Result>;
  /** Exists only in types. */
  readonly [given]?: Given;
}

declare const given: unique symbol;

/** Hashes in hex of the parts of a tool. Each hash changes if and only if its part changes. */
export interface ToolVersion {
  /** Hash of the skill's description, text and prerequisites. */
  readonly skill: string;
  /**
   * Hash of everything that decides what a call does: parameters, binding, result, and the types
   * that a database reported for the statement.
   */
  readonly binding: string;
  /**
   * SHA-256 of the tool's manifest: everything that its skill declares about it, description and
   * risk level included. It is not shortened, so that a grant to one manifest can't match another.
   * If a database reported types of parameters, a hash of these types follows after a `-`.
   */
  readonly manifest: string;
}

/**
 * Paths of values that the ledger must not contain: lists of property names; `*` for every item.
 */
export type MaskedPaths = readonly (readonly string[])[];

/** How often and how fast failed attempts are repeated. */
export interface RetryPolicy {
  /** Maximum number of attempts, including the first. */
  readonly maxAttempts: number;
  /** Delay before the second attempt, in milliseconds, before jitter. */
  readonly backoffMs: number;
  /** Factor by which each further delay grows. */
  readonly backoffMultiplier: number;
}

/** Requirements of a skill on the machine and the application. */
export interface Prerequisites {
  /** Names of settings that must have a value. */
  readonly env?: readonly string[];
  /** Programs that must be in `PATH`. */
  readonly bins?: readonly string[];
  /** Paths that must be set in `RuntimeOptions.config`. */
  readonly config?: readonly string[];
  /** Operating systems that the skill supports. */
  readonly os?: readonly string[];
}

/** Default values of a contract. The compiler leaves defaults out of generated modules. */
export const contractDefaults = {
  mode: "active",
  /** Time limit of one attempt, in milliseconds. */
  timeoutMs: 5000,
  /** One attempt, because a write must not be repeated. */
  maxAttempts: 1,
  backoffMs: 1000,
  backoffMultiplier: 2,
} as const;

/** A contract as a generated module writes it, without the values that equal their defaults. */
export interface ToolDeclaration<
  Params,
  Arguments,
  Result extends AnyResult,
  Given extends AnyResult = Result,
> extends Omit<ToolContract<Params, Arguments, Result, Given>, "mode" | "retry" | "timeoutMs"> {
  readonly mode?: Mode;
  readonly retry?: Partial<RetryPolicy>;
  /**
   * Time limit of one attempt, connecting included, in milliseconds; 0 for no limit. The default is
   * the binding's own limit, else that of `contractDefaults`.
   */
  readonly timeoutMs?: number;
}

/** Makes a tool's contract: checks that the types of its parts agree, and adds the defaults. */
export function defineTool<
  Params,
  Arguments,
  Result extends AnyResult,
  Given extends AnyResult = Result,
>(
  tool: ToolDeclaration<Params, Arguments, Result, Given>,
): ToolContract<Params, Arguments, Result, Given> {
  const { maxAttempts, backoffMs, backoffMultiplier } = contractDefaults;
  const usualMs = tool.binding.timeoutMs ?? contractDefaults.timeoutMs;
  const { mode = contractDefaults.mode, retry, timeoutMs = usualMs, ...rest } = tool;
  return {
    ...rest,
    mode,
    retry: { maxAttempts, backoffMs, backoffMultiplier, ...retry },
    ...(timeoutMs > 0 && { timeoutMs }),
  };
}

/**
 * Rejects an unknown mode. Modes often come from environment variables, and a misspelt `Shadow`
 * must not send requests.
 *
 * @throws TypeError
 */
export function requireMode(mode: Mode | null | undefined): void {
  if (mode != null && mode !== "active" && mode !== "shadow")
    throw new TypeError('`mode` must be "active" or "shadow"');
}

/**
 * Rejects an unknown value of `misfits`.
 *
 * @throws TypeError
 */
export function requireMisfits(misfits: Misfits | null | undefined): void {
  if (misfits != null && misfits !== "refuse" && misfits !== "report")
    throw new TypeError('`misfits` must be "refuse" or "report"');
}
