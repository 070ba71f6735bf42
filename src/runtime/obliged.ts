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
 * The data of a stream are its items, or the data of its events. The type walks the data once, with
 * the obligations below each place, so that its depth does not grow with their number.
 */
export type Obliged<
  Answer,
  Obligations extends readonly ObligationType[],
> = Obligations extends readonly [] ? Answer : ObligedAnswer<Answer, Obligations>;

/** Applies the obligations to each member of a union of answers. */
type ObligedAnswer<Answer, Obligations extends readonly ObligationType[]> = Answer extends {
  readonly data: unknown;
}
  ? WithAnswerKinds<
      {
        [Key in keyof Answer]: Key extends "data"
          ? ObligedData<Answer[Key], ChangesOf<Obligations>>
          : Answer[Key];
      },
      Obligations
    >
  : Answer;

/** Applies each kind that changes whole answers once: a repetition would not change the type. */
type WithAnswerKinds<
  Answer,
  Obligations extends readonly ObligationType[],
  Done extends AnswerName = never,
> = Obligations extends readonly [
  infer First extends ObligationType,
  ...infer Others extends readonly ObligationType[],
]
  ? First["do"] extends Exclude<AnswerName, Done>
    ? WithAnswerKinds<ObligedAnswers<Answer>[First["do"]], Others, Done | First["do"]>
    : WithAnswerKinds<Answer, Others, Done>
  : Answer;

/** An obligation, and the rest of its path from the place in question. */
interface Change {
  readonly path: readonly string[];
  readonly obligation: ObligationType;
}

/** Obligations with a place, in their order. */
type ChangesOf<
  Obligations extends readonly ObligationType[],
  Found extends readonly Change[] = [],
> = Obligations extends readonly [
  infer First extends ObligationType,
  ...infer Others extends readonly ObligationType[],
]
  ? ChangesOf<
      Others,
      First extends { readonly at: infer Path extends readonly string[] }
        ? [...Found, { path: Path; obligation: First }]
        : Found
    >
  : Found;

/** Changes data. In a stream each item, or each event's data, is changed. Bytes stay as they are. */
type ObligedData<Data, Changes extends readonly Change[]> = Data extends Uint8Array
  ? Data
  : Data extends AsyncIterable<unknown>
    ? StreamOf<Data, Changed<StreamedData<Data>, Changes>>
    : Changed<Data, Changes>;

/**
 * Applies the changes in their order: those inside the value up to the first change of the value
 * itself, then that one, and then the others.
 */
type Changed<Value, Changes extends readonly Change[]> =
  FirstHere<Changes> extends {
    readonly before: infer Before extends readonly Change[];
    readonly obligation: infer Obligation;
    readonly after: infer After extends readonly Change[];
  }
    ? Changed<ChangedHere<ChangedInside<Value, Before>, Obligation>, After>
    : ChangedInside<Value, Changes>;

/** Finds the first change whose place is reached. */
type FirstHere<
  Changes extends readonly Change[],
  Before extends readonly Change[] = [],
> = Changes extends readonly [infer First extends Change, ...infer After extends readonly Change[]]
  ? First["path"] extends readonly []
    ? { readonly before: Before; readonly obligation: First["obligation"]; readonly after: After }
    : FirstHere<After, [...Before, First]>
  : undefined;

type ChangedHere<Value, Obligation> = Obligation extends {
  readonly do: infer Do extends keyof ObligedValues<Value, Obligation>;
}
  ? ObligedValues<Value, Obligation>[Do]
  : Value;

type ChangedInside<Value, Changes extends readonly Change[]> = Changes extends readonly []
  ? Value
  : Value extends readonly unknown[]
    ? { [Index in keyof Value]: Changed<Value[Index], Below<Changes, "*">> }
    : Value extends object
      ? WithPropertyKinds<
          { [Key in keyof Value]: Changed<Value[Key], Below<Changes, Key>> },
          Changes
        >
      : Value;

/**
 * Changes below a property, with the rest of their paths. Filtering a list is slow for TypeScript,
 * and only the order of several changes needs the list.
 */
type Below<Changes extends readonly Change[], Key> =
  IsSingle<OneBelow<Changes[number], Key>> extends true
    ? [OneBelow<Changes[number], Key>]
    : ListBelow<Changes, Key>;

/** A change below the property; never if its path leads elsewhere. */
type OneBelow<One extends Change, Key> = One extends {
  readonly path: readonly [infer Step extends string, ...infer Rest extends readonly string[]];
}
  ? IsMeant<Key, Step> extends true
    ? { path: Rest; obligation: One["obligation"] }
    : never
  : never;

/** False for a union, and for never. */
type IsSingle<One> = [One] extends [never]
  ? false
  : (One extends unknown ? (one: One) => void : never) extends (one: infer All) => void
    ? [One] extends [All]
      ? true
      : false
    : false;

type ListBelow<Changes extends readonly Change[], Key, Found extends readonly Change[] = []> = [
  OneBelow<Changes[number], Key>,
] extends [never]
  ? Found
  : Changes extends readonly [infer First extends Change, ...infer Others extends readonly Change[]]
    ? ListBelow<
        Others,
        Key,
        [OneBelow<First, Key>] extends [never] ? Found : [...Found, OneBelow<First, Key>]
      >
    : Found;

type IsMeant<Key, Step extends string> = Step extends "*" ? true : Key extends Step ? true : false;

/** Applies the kinds that change properties of an object, each to all of its properties at once. */
type WithPropertyKinds<
  Value,
  Changes extends readonly Change[],
  All extends Change = Changes[number],
  Done extends PropertyName = never,
> = Changes extends readonly [infer First, ...infer Others extends readonly Change[]]
  ? First extends PropertyChange<infer Do extends Exclude<PropertyName, Done>>
    ? WithPropertyKinds<
        ObligedProperties<Value, Extract<All, PropertyChange<Do>>["path"][0]>[Do],
        Others,
        All,
        Done | Do
      >
    : WithPropertyKinds<Value, Others, All, Done>
  : Value;

type PropertyName = keyof ObligedProperties<unknown, string>;

/** Change of a property of the object in question. */
interface PropertyChange<Do extends PropertyName> {
  readonly path: readonly [string];
  readonly obligation: { readonly do: Do };
}
