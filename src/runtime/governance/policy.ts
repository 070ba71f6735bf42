/**
 * The content of `generated/policy.ts`: a project's rules for calls, checked and compiled by
 * `skillc generate`. The runtime reads no YAML. All lists have a fixed order, so that the same
 * project always generates the same bytes.
 */
import type { JsonValue } from "../json/json.js";
import type { Effect } from "../tool.js";
import type { ObligationAction } from "./obligations/obligation-action.js";

/** Risk level of a tool. */
export type Risk = "low" | "medium" | "high" | "critical";

/**
 * The compiled policy of a project.
 *
 * @typeParam ToolId ids (`skill/tool`) of all tools of the project
 */
export interface ProjectPolicy<ToolId extends string = string> {
  /** Hash of the rest of the policy. The ledger records it with each decision. */
  readonly hash: string;
  /** True if calls need a permitting policy if a model asks for them or their origin is unknown. */
  readonly strict: boolean;
  /** Cedar policies; absent if the project has no policies and no approval conditions. */
  readonly cedar?: CedarPolicies;
  /** Tools of the project, by id. */
  readonly tools: { readonly [Id in ToolId]: GovernedTool };
  /** Granted scopes. If absent, callers hold all the scopes that they state. */
  readonly grants?: readonly Grant[];
  /**
   * Channels on which a caller may confirm its own calls, for tools with `by: "person"`;
   * `terminal` and `elicitation` if absent.
   */
  readonly approvalChannels?: readonly string[];
  /** Quotas of the project. */
  readonly quotas: readonly Quota[];
  /** Obligations of the project, in the order in which they are applied. */
  readonly obligations: readonly Obligation[];
  /** Capabilities that the deployment allows. If absent, only the manifests limit the tools. */
  readonly capabilities?: readonly string[];
}

/** Policies in the Cedar language. */
export interface CedarPolicies {
  /** Schema from the manifests, in Cedar's JSON form. */
  readonly schema: JsonValue;
  /** Policies by id: `policies/refunds.cedar#2`, or the value of `@id("…")`. */
  readonly policies: { readonly [id: string]: string };
  /**
   * Conditions of `governance.approval.when`, by tool. Each is a policy that permits the calls that
   * need approval.
   */
  readonly approvals: { readonly [toolId: string]: string };
  /**
   * Reasons of policies that forbid calls, by id: the values of `@message("…")`. Callers and models
   * get them. Absent if no policy has one.
   */
  readonly messages?: { readonly [id: string]: string };
}

/** The parts of a tool's manifest that decide about its calls. */
export interface GovernedTool {
  /**
   * Hash of the manifest (`version.manifest` of the contract). A call of another version is denied.
   */
  readonly manifest: string;
  /** Effect of a call: read or write. */
  readonly effect: Effect;
  /** Risk level of the tool. */
  readonly risk: Risk;
  /** Tags of the tool. */
  readonly tags: readonly string[];
  /** Scopes that a caller must hold. */
  readonly scopes: readonly string[];
  /** Capabilities of the tool: the declared ones, else those of its binding. */
  readonly capabilities: readonly string[];
  /** Approval rule; absent if no call needs approval. */
  readonly approval?: ApprovalRule;
  /** Limits that the author sets for each tenant. */
  readonly limits: Limits;
  /** `keyed`: a call with a key is made only once. */
  readonly idempotency?: "keyed";
  /** `serial`: calls run one at a time for each tenant. */
  readonly concurrency?: "serial";
  /** State of the tool as long as nobody has set one in the store; enabled if absent. */
  readonly state?: "paused";
  /** True if models are not offered the tool. */
  readonly deprecated: boolean;
  /** How the arguments become a Cedar record, field by field. */
  readonly context: ContextField;
  /** True if policies read the paths of its calls, as `context.paths` and `context.within`. */
  readonly namesPaths?: true;
}

/** Which calls of a tool need approval. */
export interface ApprovalRule {
  /**
   * True if `CedarPolicies.approvals` has a condition for the tool. If not, every call needs
   * approval.
   */
  readonly conditional: boolean;
  /** Lifetime of an approval, in milliseconds; one day if the author sets none. */
  readonly ttlMs: number;
  /** Who may approve; `other` if absent. */
  readonly by?: ApprovalBy;
}

/**
 * Who may approve a call. `other`: somebody else than the caller's subject. `person`: also the
 * caller's own subject, on one of the project's approval channels; so a person confirms what a
 * model asked for.
 */
export type ApprovalBy = "other" | "person";

/** Limits for each tenant and tool. An absent field is no limit. */
export interface Limits {
  /** Maximum number of calls in each minute. */
  readonly callsPerMinute?: number;
  /** Maximum number of calls at the same time. */
  readonly concurrent?: number;
  /** Maximum size of the arguments as JSON, in bytes. */
  readonly bytesIn?: number;
  /** Maximum size of the answer as JSON, in bytes. */
  readonly bytesOut?: number;
  /** Cost of one call, in units of the project; 1 by default. */
  readonly cost?: number;
}

/**
 * How a JSON value becomes a Cedar value. Values that Cedar has no type for have no field, and null
 * becomes an absent field.
 */
export type ContextField =
  | { readonly as: "boolean" | "string" }
  /** An integer. Values beyond the safe integers become the largest or smallest safe integer. */
  | { readonly as: "long" }
  /**
   * Another number, as Cedar's `decimal` with four decimal places. Values beyond its range become
   * the largest or smallest `decimal`.
   */
  | { readonly as: "decimal" }
  | { readonly as: "set"; readonly of: ContextField }
  | {
      readonly as: "record";
      /** Fields of the Cedar record. */
      readonly fields: readonly {
        /** Name of the property in JSON and in Cedar. */
        readonly name: string;
        /** Conversion of the property's value. */
        readonly field: ContextField;
        /** True if the property is always present. */
        readonly required: boolean;
      }[];
    };

/**
 * Scopes that are granted to a subject, role or tenant. A caller's own scopes count only if
 * granted.
 */
export interface Grant {
  /** Receiver of the scopes: one subject, role or tenant. */
  readonly to: { readonly subject?: string; readonly role?: string; readonly tenant?: string };
  /** Granted scopes. */
  readonly scopes: readonly string[];
  /** Ids of the tools for which the grant holds; all tools if absent. */
  readonly tools?: readonly string[];
}

/** Limits on calls, counted in budgets. */
export interface Quota {
  /** Name of the quota, as denials report it. */
  readonly name: string;
  /** Each combination of these has its own budget. */
  readonly per: readonly ("tenant" | "tool" | "caller")[];
  /** Ids of the tools that the quota counts; all tools if absent. */
  readonly tools?: readonly string[];
  /** Maximum number of calls in each minute. */
  readonly callsPerMinute?: number;
  /** Maximum number of calls in each day, UTC. */
  readonly callsPerDay?: number;
  /** Maximum cost of the calls of each day, in units of the project. */
  readonly costPerDay?: number;
  /** Maximum size of the arguments of each day as JSON, in bytes. */
  readonly bytesInPerDay?: number;
  /** Maximum size of the answers of each day as JSON, in bytes. */
  readonly bytesOutPerDay?: number;
  /** Maximum number of calls at the same time. */
  readonly concurrent?: number;
}

/** A change to an answer's data before the caller gets it. */
export interface Obligation {
  /** Name of the obligation, as ledger records report it. */
  readonly name: string;
  /** Ids of the tools whose answers it changes. */
  readonly tools: readonly string[];
  /** The change to the data. */
  readonly action: ObligationAction;
  /** Callers who hold one of these scopes get the data unchanged. */
  readonly unless: readonly string[];
}
