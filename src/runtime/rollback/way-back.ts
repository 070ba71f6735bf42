import type { KeptAttachment, SealOmission } from "../ledger/attachments.js";

/** The way back of one call, as its end record contains it. */
export type WayBack =
  | {
      readonly strategy: "compensate";
      /** Id of the tool that undoes the call. */
      readonly tool: string;
      /** The tool's parameters; encrypted with governance's key if the ledger would mask them. */
      readonly parameters: WayBackParameters;
    }
  | {
      readonly strategy: "backup" | "effects";
      /** Number of kept files, links and folders. */
      readonly paths: number;
      /** Size of the kept files, in bytes. */
      readonly bytes: number;
      /** SHA-256 of the list of the copies, in hexadecimal. */
      readonly sha256: string;
      /** Changes that this call ended before it kept its own copies. */
      readonly recovered?: readonly RecoveredCall[];
    }
  | { readonly strategy: "none"; readonly reason: string }
  | {
      /** The call changed no file, so there is nothing to undo. */
      readonly strategy: "unchanged";
      /** Changes that this call ended. */
      readonly recovered?: readonly RecoveredCall[];
    };

/** A call whose changes a killed process had begun. Another call has completed or undone them. */
export interface RecoveredCall {
  readonly call: string;
  readonly end: "completed" | "undone";
}

/** The way back that a tool declares, as an approver sees it before the call. */
export type DeclaredWayBack =
  | { readonly strategy: "compensate"; readonly tool: string }
  | { readonly strategy: "backup" | "effects" }
  | { readonly strategy: "none"; readonly reason: string };

/** Parameters of a compensation. */
export type WayBackParameters =
  | { readonly json: string }
  | { readonly sealed: KeptAttachment }
  /** Reason why they were not kept. `not-built`: the answer lacks a value that they need. */
  | { readonly omitted: SealOmission | "not-built" };
