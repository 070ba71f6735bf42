import type { LinkedPathStep, LiteralValue } from "./value-path.js";
import type { Span } from "./span.js";
import type { MapNode, ScalarNode } from "./syntax-node.js";

/** The ways in which a call can be undone. */
export const rollbackStrategies = ["compensate", "effects", "backup", "none"] as const;
export type RollbackStrategy = (typeof rollbackStrategies)[number];

/** How a tool's calls are undone: by the author's word, or by the default of its kind. */
export type RollbackModel = CompensateModel | EffectsModel | BackupModel | NoRollbackModel;

/** A call of another tool undoes a call. */
export interface CompensateModel {
  readonly strategy: "compensate";
  /** Span of the tool's name. */
  readonly span: Span;
  /** Name of the other tool: one of the same skill, or `skill/tool`. */
  readonly tool: string;
  /** Parameters of the other tool as written; absent if they are found by their names. */
  readonly parameters?: MapNode;
  /** The call, once the other tool is known and the parameters fit it. */
  readonly linked?: LinkedCompensation;
}

/** The command runs over a layer, and the runtime applies what it changed there. */
export interface EffectsModel {
  readonly strategy: "effects";
  /** Span of the strategy. */
  readonly span: Span;
}

/** The runtime copies files and folders before the call changes them. */
export interface BackupModel {
  readonly strategy: "backup";
  /** Span of the strategy; of the tool's name if the kind has this strategy by default. */
  readonly span: Span;
  /** Files and folders as written; none if the binding itself names each file. */
  readonly paths: readonly ScalarNode[];
}

/** Nothing undoes a call. */
export interface NoRollbackModel {
  readonly strategy: "none";
  /** Span of the strategy. */
  readonly span: Span;
  /** The author's reason. */
  readonly reason: string;
}

/** The other tool, and its parameters as code reads them. */
export interface LinkedCompensation {
  /** Id of the other tool: `skill/tool`. */
  readonly toolId: string;
  /** Module of the other tool, as the tool's own module imports it; absent for the tool itself. */
  readonly module?: string;
  readonly functionName: string;
  /** Parameters; absent if nothing gives a required one its value. */
  readonly parameters?: readonly LinkedArgument[];
}

/** A parameter of the other tool, or a property of an object in one. */
export interface LinkedArgument {
  readonly name: string;
  readonly span: Span;
  readonly value: ArgumentValue;
}

/** The value of a parameter, or of a part of one. */
export type ArgumentValue = LiteralValue | ReadArgument | TextArgument | ListArgument | MapArgument;

/** A value of the call's parameters, of the data of its success, or of its caller. */
export interface ReadArgument {
  readonly kind: "read";
  readonly from: "params" | "result" | "caller";
  readonly steps: readonly LinkedPathStep[];
  readonly span: Span;
}

/** Returns the values that an argument reads. */
export function readsIn(value: ArgumentValue): readonly ReadArgument[] {
  switch (value.kind) {
    case "literal":
      return [];
    case "read":
      return [value];
    case "text":
      return value.parts.filter((part) => typeof part !== "string");
    case "list":
      return value.items.flatMap(readsIn);
    case "map":
      return value.entries.flatMap((each) => readsIn(each.value));
  }
}

/** Text with values in it. */
export interface TextArgument {
  readonly kind: "text";
  readonly parts: readonly (string | ReadArgument)[];
  readonly span: Span;
}

/** A list with values in it. */
export interface ListArgument {
  readonly kind: "list";
  readonly items: readonly ArgumentValue[];
  readonly span: Span;
}

/** An object with values in it. */
export interface MapArgument {
  readonly kind: "map";
  readonly entries: readonly LinkedArgument[];
  readonly span: Span;
}
