import type { ObligationAction } from "@skillc/runtime/internal";

/** What a project's obligation does to the answers of a tool, in the runtime's own form. */
export interface LoweredObligation {
  readonly name: string;
  readonly action: ObligationAction;
  /** Callers who hold one of these scopes get the data as it is. */
  readonly unless: readonly string[];
  /** Whether the type of the tool's data has such a place, so that the type can say it. */
  readonly isTyped: boolean;
}
