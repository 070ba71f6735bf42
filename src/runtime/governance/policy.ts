/**
 * What `generated/policy.ts` holds: all that a project says of who may call what, checked and
 * compiled when it was generated. The runtime reads no YAML. Every list is in a fixed order, so
 * that the same project gives the same bytes.
 */
import type { JsonValue } from "../json/json.js";
import type { Effect } from "../tool.js";
import type { ObligationAction } from "./obligations/obligation-action.js";

export type Risk = "low" | "medium" | "high" | "critical";

/** @typeParam ToolId `skill/tool` of every tool of the project */
export interface ProjectPolicy<ToolId extends string = string> {
  /** Of all the rest; stands in the ledger beside each decision. */
  readonly hash: string;
  /** Without the implicit permit for calls that a model asks for, or whose origin nobody tells. */
  readonly strict: boolean;
  /** Absent where the project has no policies and no conditions. */
  readonly cedar?: CedarPolicies;
  readonly tools: { readonly [Id in ToolId]: GovernedTool };
  /** Absent: nothing is said of who holds what, and callers hold what they say. */
  readonly grants?: readonly Grant[];
  readonly quotas: readonly Quota[];
  readonly obligations: readonly Obligation[];
  /** What the deployment lets tools reach; absent: whatever their manifests say. */
  readonly capabilities?: readonly string[];
}

/** Policies in Cedar's own language. */
export interface CedarPolicies {
  /** Cedar's JSON form of the schema that the manifests give. */
  readonly schema: JsonValue;
  /** By id: `policies/refunds.cedar#2`, or what `@id("…")` says. */
  readonly policies: { readonly [id: string]: string };
  /**
   * The conditions of `governance.approval.when`, by tool: a policy each, that permits where
   * approval is needed.
   */
  readonly approvals: { readonly [toolId: string]: string };
}

/** As much of a tool's manifest as decides about its calls. */
export interface GovernedTool {
  /** `version.manifest` of the contract: a call of another version is refused. */
  readonly manifest: string;
  readonly effect: Effect;
  readonly risk: Risk;
  readonly tags: readonly string[];
  readonly scopes: readonly string[];
  /** What the tool may reach: its declared capabilities, else those of its binding. */
  readonly capabilities: readonly string[];
  readonly approval?: ApprovalRule;
  readonly limits: Limits;
  /** `keyed`: a call with a key is made once. */
  readonly idempotency?: "keyed";
  readonly concurrency?: "serial";
  readonly deprecated: boolean;
  /** How its arguments become a Cedar record, field by field. */
  readonly context: ContextField;
}

export interface ApprovalRule {
  /** Whether `CedarPolicies.approvals` has a condition for it; else every call needs one. */
  readonly conditional: boolean;
  /** Milliseconds from the approval to the call; a day when the author doesn't say. */
  readonly ttlMs: number;
}

/** Per tenant and tool. Absent: no limit. */
export interface Limits {
  readonly callsPerMinute?: number;
  readonly concurrent?: number;
  /** Of the arguments, as JSON. */
  readonly bytesIn?: number;
  /** Of the answer, as JSON. */
  readonly bytesOut?: number;
  /** What one call costs, in units of the project's own; 1 when not given. */
  readonly cost?: number;
}

/**
 * How a JSON value becomes a Cedar value. What Cedar has no type for is in no field; null is said by
 * leaving a field out.
 */
export type ContextField =
  | { readonly as: "boolean" | "string" }
  /** An integer: beyond the safe ones, the largest or least of these. */
  | { readonly as: "long" }
  /**
   * Any other number: Cedar's `decimal`, four digits behind the point; beyond its range, the largest
   * or least.
   */
  | { readonly as: "decimal" }
  | { readonly as: "set"; readonly of: ContextField }
  | {
      readonly as: "record";
      readonly fields: readonly {
        readonly name: string;
        readonly field: ContextField;
        readonly required: boolean;
      }[];
    };

/** Scopes that somebody holds: a caller's own count as far as they are among these. */
export interface Grant {
  readonly to: { readonly subject?: string; readonly role?: string; readonly tenant?: string };
  readonly scopes: readonly string[];
  /** Ids of the tools that it is for; absent: all. */
  readonly tools?: readonly string[];
}

export interface Quota {
  /** As it is told in refusals. */
  readonly name: string;
  /** What each budget is counted for. */
  readonly per: readonly ("tenant" | "tool" | "caller")[];
  /** Ids of the tools that it is for; absent: all. */
  readonly tools?: readonly string[];
  readonly callsPerMinute?: number;
  readonly callsPerDay?: number;
  readonly costPerDay?: number;
  readonly bytesInPerDay?: number;
  readonly bytesOutPerDay?: number;
  readonly concurrent?: number;
}

/** What is done to the data of an answer before its caller has it. */
export interface Obligation {
  readonly name: string;
  /** Ids of the tools whose answers it changes. */
  readonly tools: readonly string[];
  readonly action: ObligationAction;
  /** Callers who hold one of these scopes get the data as it is. */
  readonly unless: readonly string[];
}
