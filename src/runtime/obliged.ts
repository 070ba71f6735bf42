/**
 * Types of answers after a project's obligations. They describe in types what
 * `governance/oblige.ts` does to values.
 */
import type { ObligationName } from "./governance/obligations/obligation-action.js";
import type {
  ObligedAnswers,
  ObligedProperties,
  ObligedValues,
} from "./governance/obligations/obliged-types.js";
import type { StreamedData, StreamOf } from "./stream.js";

/** The parts of an obligation that affect types. */
export type ObligationType =
  | {
      readonly do: Exclude<ObligationName, AnswerName>;
      /**
       * Path of property names; `*` stands for every item of a list or every property of an object.
       */
      readonly at: readonly string[];
      /** Set if callers with a certain scope get the data unchanged. */
      readonly unless?: true;
    }
  | { readonly do: AnswerName; readonly unless?: true };

type AnswerName = keyof ObligedAnswers<unknown>;

/**
 * A tool's answers after all obligations are applied to their data. Each file in
 * `governance/obligations` defines how its kind changes a type.
 *
 * The data of a stream are its items, or the data of its events.
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

/** Applies one obligation to each member of a union of answers. */
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

/**
 * Changes the data at a path. In a stream each item, or each event's data, is changed. Bytes stay
 * as they are.
 */
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
