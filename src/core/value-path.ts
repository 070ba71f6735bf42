/** Paths to values that a tool reads from parameters and from answers of other tools. */
import type { JsonValue } from "./json.js";
import type { Span } from "./span.js";

/** A fixed value. */
export interface LiteralValue {
  readonly kind: "literal";
  readonly value: JsonValue;
  readonly span: Span;
}

/** Name of a property, index of an item, or `each` for every item. */
export type PathStep = string | number | EachItem;

export interface EachItem {
  readonly each: true;
}

/** A step as code takes it. */
export interface LinkedPathStep {
  readonly step: PathStep;
  /** Set if the value to the left may be absent or null. */
  readonly optional: boolean;
}
