/** The calls that a tool makes of other tools, for people who look at them. */
export interface CallGraph {
  readonly calls: readonly GraphCall[];
  /** Where the tool's data come from; absent if it has none. */
  readonly output?: GraphValue;
}

/** One call, or one call for each item of a list. */
export interface GraphCall {
  /** Id of the call, unique in its graph. */
  readonly id: string;
  /** Id of the tool: `skill/tool`. */
  readonly tool: string;
  readonly effect: "read" | "write";
  /** Ids of the calls that must have ended before. */
  readonly after: readonly string[];
  /** Values that the call takes: its condition, its list, its parameters. */
  readonly takes: readonly (GraphValue & { readonly name: string })[];
  /** Reaction to each answer without data, by its status. */
  readonly outcomes: Readonly<Record<string, string>>;
}

/** A value, as its author wrote where it comes from. */
export interface GraphValue {
  readonly source: string;
  /** Id of the call whose answer the value is part of; absent for other values. */
  readonly from?: string;
}
