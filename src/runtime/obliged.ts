/**
 * Types of what a project's obligations make of answers: what `governance/oblige.ts` does to a
 * value, said of its type.
 */
import type { ObligationName } from "./governance/obligations/obligation-action.js";
import type {
  ObligedAnswers,
  ObligedProperties,
  ObligedValues,
} from "./governance/obligations/obliged-types.js";
import type { StreamedData, StreamOf } from "./stream.js";

/** As much of an obligation as a type can say. */
export type ObligationType =
  | {
      readonly do: Exclude<ObligationName, AnswerName>;
      /** Names of properties, and `*` for every item of a list, or property of an object. */
      readonly at: readonly string[];
      /** Callers who hold a certain scope get the data as it is. */
      readonly unless?: true;
    }
  | { readonly do: AnswerName; readonly unless?: true };

type AnswerName = keyof ObligedAnswers<unknown>;

/**
 * A tool's answers as callers have them: of those that carry data, the data with each obligation
 * met. The file of each kind in `governance/obligations` says what that makes of the type.
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
    : Obligation extends { readonly do: infer Do extends AnswerName }
      ? ObligedAnswers<Answer>[Do]
      : never
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
        ? Obligation extends { readonly do: infer Do extends keyof ObligedProperties<Value, Step> }
          ? ObligedProperties<Value, Step>[Do]
          : Within<Value, Step, Rest, Obligation>
        : Within<Value, Step, Rest, Obligation>
      : Value
  : Obligation extends { readonly do: infer Do extends keyof ObligedValues<Value, Obligation> }
    ? ObligedValues<Value, Obligation>[Do]
    : Value;

type Within<Value, Step extends string, Rest extends readonly string[], Obligation> = {
  [Key in keyof Value]: IsMeant<Key, Step> extends true
    ? Along<Value[Key], Rest, Obligation>
    : Value[Key];
};

type IsMeant<Key, Step extends string> = Step extends "*" ? true : Key extends Step ? true : false;
