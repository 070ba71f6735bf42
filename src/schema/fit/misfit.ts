import type { JsonObject, JsonSchema } from "../../core/json.js";

/** What is known of a value that is given, where sentences differ by it. Words are of its type, `an integer`, or of its size, `3 items`. */
export type Known =
  { readonly kind: "any-text" } | { readonly kind: "type" | "size"; readonly words: string };

/** A value that one schema allows and the other does not. */
export interface Misfit {
  /** Where it is in the value: names of properties, indices of lists (0 where all items are alike), `*` for the values of a map. */
  readonly path: readonly (string | number)[];
  /** `missing`: a required property that isn't declared; `absent`: one that may be left out; `unknown`: a property that has no place;
   * `exclusive`: one that is always there together with another, of which only one may be. */
  readonly kind: "value" | "missing" | "absent" | "unknown" | "exclusive";
  /** `no`: no value that is given fits, null aside; `some`: some do, and some don't; `unsure`: the schema doesn't say enough to know. */
  readonly fit: "no" | "some" | "unsure";
  /** What is given, after the value's name: `may be text`. */
  readonly given: string;
  readonly known?: Known;
  /** What is wanted there: `takes an integer`. */
  readonly wanted: string;
  readonly help?: string;
  /** Set where null is given and not taken: that is told of null alone, whatever fits beside it. */
  readonly ofNull?: true;
  /** Set where the given schema says nothing of what is at fault. */
  readonly isUnsaid?: true;
  /** Set where nothing was looked at: the schemas are too large. */
  readonly unseen?: true;
  /** Keywords that make it fit, where the given schema states them. */
  readonly state?: JsonObject;
  /** Of an exclusive property, the other one. */
  readonly beside?: string;
  /** Of a missing property: what the union's other forms miss in its place. */
  readonly others?: readonly (readonly string[])[];
}

/** A schema within a normalized document. */
export interface SchemaIn {
  readonly schema: JsonSchema;
  readonly root: JsonSchema;
}

/** What belongs to comparing two schemas at one place. */
export interface Comparing {
  /** Compares two schemas of the same value. */
  readonly compare: (given: JsonSchema, wanted: JsonSchema) => readonly Misfit[];
  /** The documents. */
  readonly given: JsonSchema;
  readonly wanted: JsonSchema;
}

/** What is given. */
export type Given = Pick<Misfit, "given" | "known">;

/** A fault at the value itself. */
export type FaultHere = Omit<Misfit, "path" | "kind">;

/** Whether a value that doesn't fit is known, be there others that do. */
export function isCertain({ fit }: Misfit): boolean {
  return fit !== "unsure";
}

/** What is at fault with some of the values, where others fit. */
export function ofSome(found: readonly Misfit[]): readonly Misfit[] {
  return found.map((each) =>
    each.kind === "value" && each.fit === "no" && !each.ofNull ? { ...each, fit: "some" } : each,
  );
}
