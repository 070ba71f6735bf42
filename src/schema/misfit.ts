import type { JsonSchema } from "../core/json.js";

/** A value that one schema allows and the other does not. */
export interface Misfit {
  /** Where it is in the value: names of properties, indices of lists (0 where all items are alike), `*` for the values of a map. */
  readonly path: readonly (string | number)[];
  /** `missing`: a required property that isn't declared; `absent`: one that may be left out; `unknown`: a property that has no place. */
  readonly kind: "value" | "missing" | "absent" | "unknown";
  /** `no`: the schema asks for what can't be taken; `unsure`: it doesn't say enough to know. */
  readonly fit: "no" | "unsure";
  /** What is given, after the value's name: `may be text`. */
  readonly given: string;
  /** What is wanted there: `takes an integer`. */
  readonly wanted: string;
  readonly help?: string;
}

/** A schema within a normalized document. */
export interface SchemaIn {
  readonly schema: JsonSchema;
  readonly root: JsonSchema;
}

/** A fault at the value itself. */
export type FaultHere = Omit<Misfit, "path" | "kind">;
