/**
 * Governance of skills and skillc.yaml, resolved to plain data. Every value that an author may get
 * wrong has a span.
 */
import type { ObligationAction } from "@skillc/runtime/internal";
import type { Span } from "./span.js";
import type { ScalarNode } from "./syntax-node.js";

export interface Written<Value> {
  readonly value: Value;
  readonly span: Span;
}

/** A text for which positions inside may have to be reported. */
export interface WrittenText extends Written<string>, Pick<ScalarNode, "origin"> {}

/** `governance:` of a tool. */
export interface GovernanceModel {
  readonly span: Span;
  /** Scopes that callers need. */
  readonly scopes: readonly Written<string>[];
  /** Declared only to narrow; absent: those of the binding. */
  readonly capabilities?: readonly Written<string>[];
  readonly approval?: ApprovalModel;
  readonly limits: LimitsModel;
  readonly idempotency?: Written<"keyed">;
  readonly concurrency?: Written<"serial">;
  /** State of the tool until somebody sets one; enabled if absent. */
  readonly state?: Written<"paused">;
  readonly displayName?: string;
  readonly group?: string;
  /** Names of models that the tool is meant for, with `*` for any text. */
  readonly models: readonly string[];
}

export interface ApprovalModel {
  readonly span: Span;
  /** A condition in Cedar's language; absent: every call. */
  readonly when?: WrittenText;
  /** Milliseconds. */
  readonly ttlMs?: number;
  /** Set if the caller's own subject may approve too; `by: other` is the default. */
  readonly by?: "person";
}

/** Limits per tenant and tool; sizes are in bytes. */
export interface LimitsModel {
  readonly callsPerMinute?: Written<number>;
  readonly concurrent?: Written<number>;
  readonly bytesIn?: Written<number>;
  readonly bytesOut?: Written<number>;
  readonly cost?: Written<number>;
}

/** Governance in skillc.yaml. */
export interface ProjectGovernance {
  /** `governance: strict`. */
  readonly strict: boolean;
  /** Capabilities of the deployment; if absent, nothing is restricted. */
  readonly capabilities?: readonly Written<string>[];
  readonly grants?: readonly GrantModel[];
  /** Channels on which callers may confirm their own calls; absent: the runtime's default. */
  readonly approvalChannels?: readonly Written<string>[];
  readonly quotas: readonly QuotaModel[];
  readonly obligations: readonly ObligationModel[];
  /**
   * `${NAME}` of the URL of the store that processes share, for the command line: `redis://…`,
   * `postgres://…`.
   */
  readonly store?: Written<string>;
  /** `${NAME}` of the URL of a PostgreSQL ledger, for the command line. */
  readonly ledger?: Written<string>;
}

/**
 * Selects tools for an entry of skillc.yaml: named tools, and tools with one of the tags; all tools
 * if both lists are empty.
 */
export interface ToolSelection {
  /** `order-desk/refund`, `order-desk/*`. */
  readonly tools: readonly Written<string>[];
  readonly tags: readonly Written<string>[];
}

export interface GrantModel extends ToolSelection {
  readonly span: Span;
  readonly to: { readonly kind: "subject" | "role" | "tenant"; readonly name: string };
  readonly scopes: readonly Written<string>[];
}

export interface QuotaModel extends ToolSelection {
  readonly span: Span;
  readonly name: string;
  readonly per: readonly ("tenant" | "tool" | "caller")[];
  readonly callsPerMinute?: number;
  readonly callsPerDay?: number;
  readonly costPerDay?: number;
  readonly bytesInPerDay?: number;
  readonly bytesOutPerDay?: number;
  readonly concurrent?: number;
}

export interface ObligationModel extends ToolSelection {
  readonly span: Span;
  readonly name: string;
  readonly action: WrittenAction;
  readonly unless: readonly Written<string>[];
}

/** An obligation's change of result data, as written in skillc.yaml. */
export type WrittenAction = ObligationAction<WrittenForms>;

/** Values of the keys of an obligation, by the form of the key. */
export interface WrittenForms {
  readonly place: WrittenPath;
  readonly pattern: Written<string>;
  readonly text: string;
}

/** A JSON Pointer into the data of an answer, and its steps: names of properties, or `*`. */
export interface WrittenPath extends Written<string> {
  readonly steps: readonly string[];
}
