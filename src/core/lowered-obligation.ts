import type { ObligationAction } from "@skillc/runtime/internal";

/** Effect of an obligation on a tool's results, in the runtime's form. */
export interface LoweredObligation {
  readonly name: string;
  readonly action: ObligationAction;
  /** Callers with one of these scopes get the data unchanged. */
  readonly unless: readonly string[];
  /** True if the type of the tool's data has the path, so that the type can show the change. */
  readonly isTyped: boolean;
}
