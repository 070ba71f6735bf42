/**
 * Types of what a project's obligations make of answers: what `governance/oblige.ts` does to a
 * value, said of its type.
 */
import type { StreamedData, StreamOf } from "./stream.js";

declare const masked: unique symbol;

/** What stands in place of a masked value: the text `***`. */
export type Masked = "***" & { readonly [masked]: true };

/** As much of an obligation as a type can say. */
export type ObligationType =
  | {
      readonly do: "mask" | "redact" | "drop";
      /** Names of properties, and `*` for every item of a list, or property of an object. */
      readonly at: readonly string[];
      /** Callers who hold a certain scope get the data as it is. */
      readonly unless?: true;
    }
  | { readonly do: "watermark"; readonly unless?: true };

/**
 * A tool's answers as callers have them: of those that carry data, the data with each obligation
 * met.
 *
 * - `mask`: `Masked` in place of the value, beside its own type where a scope frees callers
 * - `redact`: any text in place of the texts that are listed
 * - `drop`: the property is optional
 * - `watermark`: a text beside the data
 *
 * Of a stream these are the items, or the data of the events.
 */
export type Obliged<
  Answer,
  Obligations extends readonly ObligationType[],
> = Obligations extends readonly [
  infer First extends ObligationType,
  ...infer Others extends readonly ObligationType[],
]
  ? Obliged<ObligedBy<Answer, First>, Others>
  : Answer;

/** Of a union, of each answer by itself. */
type ObligedBy<Answer, Obligation extends ObligationType> = Answer extends {
  readonly data: unknown;
}
  ? Obligation extends { readonly at: readonly string[] }
    ? {
        [Key in keyof Answer]: Key extends "data"
          ? DataAlong<Answer[Key], Obligation["at"], Obligation>
          : Answer[Key];
      }
    : Flat<Answer & { readonly watermark?: string }>
  : Answer;

/** Of a stream each item is changed, or the data of each event; bytes have no parts. */
type DataAlong<Data, Path extends readonly string[], Obligation> = Data extends Uint8Array
  ? Data
  : Data extends AsyncIterable<unknown>
    ? StreamOf<Data, Along<StreamedData<Data>, Path, Obligation>>
    : Along<Data, Path, Obligation>;

type Along<Value, Path extends readonly string[], Obligation> = Path extends readonly [
  infer Step extends string,
  ...infer Rest extends readonly string[],
]
  ? Value extends readonly unknown[]
    ? Step extends "*"
      ? { [Index in keyof Value]: Along<Value[Index], Rest, Obligation> }
      : Value
    : Value extends object
      ? Rest extends readonly []
        ? Obligation extends { readonly do: "drop" }
          ? Dropped<Value, Step>
          : Within<Value, Step, Rest, Obligation>
        : Within<Value, Step, Rest, Obligation>
      : Value
  : Done<Value, Obligation>;

type Within<Value, Step extends string, Rest extends readonly string[], Obligation> = {
  [Key in keyof Value]: IsMeant<Key, Step> extends true
    ? Along<Value[Key], Rest, Obligation>
    : Value[Key];
};

type IsMeant<Key, Step extends string> = Step extends "*" ? true : Key extends Step ? true : false;

type Dropped<Value, Step extends string> = Step extends "*"
  ? Partial<Value>
  : Flat<
      { [Key in keyof Value as Key extends Step ? never : Key]: Value[Key] } & {
        [Key in keyof Value as Key extends Step ? Key : never]?: Value[Key];
      }
    >;

type Done<Value, Obligation> = Obligation extends { readonly do: "mask" }
  ? IsUnknown<Value> extends true
    ? Obligation extends { readonly unless: true }
      ? unknown
      : Masked
    : Value extends undefined
      ? Value
      : Masked | (Obligation extends { readonly unless: true } ? Value : never)
  : Redacted<Value>;

type IsUnknown<Value> = unknown extends Value ? true : false;

type Redacted<Value> = Value extends string
  ? string
  : Value extends object
    ? { [Key in keyof Value]: Redacted<Value[Key]> }
    : Value;

/** One type of its properties, as an editor shows it. */
type Flat<Value> = { [Key in keyof Value]: Value[Key] };
