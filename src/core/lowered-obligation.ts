/** What a project's obligation does to the answers of a tool, in the runtime's own form. */
export interface LoweredObligation {
  readonly name: string;
  readonly action: LoweredAction;
  /** Callers who hold one of these scopes get the data as it is. */
  readonly unless: readonly string[];
  /** Whether the type of the tool's data has such a place, so that the type can say it. */
  readonly isTyped: boolean;
}

export type LoweredAction =
  | { readonly do: "mask" | "drop"; readonly at: readonly string[] }
  /** The pattern is in the language of RE2. */
  | { readonly do: "redact"; readonly at: readonly string[]; readonly pattern: string }
  | { readonly do: "watermark"; readonly text: string };
