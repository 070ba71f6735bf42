import type { JsonValue } from "../../json/json.js";
import type { AnyResult } from "../../result.js";
import type { ObligedAnswers, ObligedProperties, ObligedValues } from "./obliged-types.js";

/**
 * Forms of a key of an obligation, with its value in `generated/policy.ts`.
 *
 * - `place`: a JSON Pointer into the data, as its steps: names of properties, or `*`
 * - `pattern`: a regular expression, in the language of RE2
 * - `text`: any text
 */
export interface KeyForms {
  readonly place: readonly string[];
  readonly pattern: string;
  readonly text: string;
}

/** A key that an obligation needs in skillc.yaml. */
export interface ObligationKey<Form extends keyof KeyForms = keyof KeyForms> {
  readonly form: Form;
  /** JSON Schema of its value. Kinds that have a key of the same name share its schema. */
  readonly schema: { readonly [keyword: string]: JsonValue };
}

export interface ObligationKeys {
  readonly [name: string]: ObligationKey;
}

/** Keys of a kind that changes a place in the data. */
export interface PlacedKeys extends ObligationKeys {
  readonly at: ObligationKey<"place">;
}

/** The values of keys: in each form what `Forms` has for it. */
export type ValuesOf<
  Keys extends ObligationKeys,
  Forms extends Record<keyof KeyForms, unknown> = KeyForms,
> = { readonly [Name in keyof Keys]: Forms[Keys[Name]["form"]] };

/** The place of an obligation, and what the schema of a tool says about it. */
export interface CheckedPlace {
  readonly steps: readonly string[];
  /** The place in the words of a message. */
  readonly words: string;
  /** Absent for what is checked once, whatever tools there are. */
  readonly of?: {
    /** The tool in the words of a message. */
    readonly tool: string;
    /** Types of JSON that the value may have. */
    readonly types: readonly string[];
    /** Whether the last step leads to items of a list. */
    readonly isItem: boolean;
  };
}

/** A diagnostic about a place. */
export interface PlaceFault {
  readonly code: `governance/${string}`;
  readonly message: string;
  readonly help: string;
}

/** A call whose answer is changed. */
export interface ObligedCall {
  /** The `key` of `governance()`. */
  readonly key?: Uint8Array | undefined;
  /** The caller's tenant. */
  readonly tenant?: string | undefined;
}

/** What an effect may use. */
export interface EffectContext extends ObligedCall {
  /** Replaces each match of a pattern in a text, in linear time. */
  replaceAll(text: string, pattern: string, by: string): string;
  /**
   * Call it at each level of data that an effect walks through.
   *
   * @throws TooDeep for more levels than JSON may have
   */
  requireLevel(depth: number): void;
}

interface ObligationKind<Do extends string, Keys extends ObligationKeys> {
  readonly do: Do;
  /** One clause, for the description of `do` in skillc.yaml. */
  readonly summary: string;
  readonly keys: Keys;
  /** The effect needs `ObligedCall.key`: without a `key`, `governance()` throws. */
  readonly needsKey?: true;
}

interface PlacedKind<Do extends string, Keys extends PlacedKeys> extends ObligationKind<Do, Keys> {
  /** Asked once without a tool, and once for each tool that declares the place. */
  check(place: CheckedPlace): PlaceFault | undefined;
}

/** Puts another value in place of one. */
export interface ValueKind<
  Do extends string = string,
  Keys extends PlacedKeys = PlacedKeys,
> extends PlacedKind<Do, Keys> {
  readonly changes: "value";
  /** @param depth levels above the value */
  effect(value: unknown, action: ValuesOf<Keys>, context: EffectContext, depth: number): unknown;
}

/** Changes a property of an object, or the items of a list, as a whole. */
export interface PropertyKind<
  Do extends string = string,
  Keys extends PlacedKeys = PlacedKeys,
> extends PlacedKind<Do, Keys> {
  readonly changes: "property";
  /** @param isMeant whether the property of this name is changed; of a list all items are */
  effect(
    holder: readonly unknown[] | object,
    isMeant: (name: string) => boolean,
    action: ValuesOf<Keys>,
    context: EffectContext,
  ): unknown;
}

/** Changes what stands beside the data. */
export interface AnswerKind<
  Do extends string = string,
  Keys extends ObligationKeys = ObligationKeys,
> extends ObligationKind<Do, Keys> {
  readonly changes: "answer";
  effect(answer: AnyResult, action: ValuesOf<Keys>, context: EffectContext): AnyResult;
}

type Parts<Kind> = Omit<Kind, "changes">;

/** A kind that puts another value in place of one. Its type is a member of `ObligedValues`. */
export function valueKind<
  Do extends keyof ObligedValues<unknown, unknown>,
  Keys extends PlacedKeys,
>(parts: Parts<ValueKind<Do, Keys>>): ValueKind<Do, Keys> {
  return { ...parts, changes: "value" };
}

/** A kind that changes properties as a whole. Its type is a member of `ObligedProperties`. */
export function propertyKind<
  Do extends keyof ObligedProperties<unknown, string>,
  Keys extends PlacedKeys,
>(parts: Parts<PropertyKind<Do, Keys>>): PropertyKind<Do, Keys> {
  return { ...parts, changes: "property" };
}

/** A kind that changes what stands beside the data. Its type is a member of `ObligedAnswers`. */
export function answerKind<Do extends keyof ObligedAnswers<unknown>, Keys extends ObligationKeys>(
  parts: Parts<AnswerKind<Do, Keys>>,
): AnswerKind<Do, Keys> {
  return { ...parts, changes: "answer" };
}

/** The key `at`, of every kind that changes a place in the data. */
export const place = {
  form: "place",
  schema: {
    description:
      "Where in the data, as a JSON Pointer with `*` for every item of a list or property of an object: `/customer/email`.",
    type: "string",
    pattern: "^(?:/(?:[^~/]|~[01])*)*$",
  },
} as const satisfies ObligationKey;

/** The fault of a place that never holds what a kind changes, which is text. */
export function neverText(
  { of, words }: CheckedPlace,
  kind: string,
  fitting: readonly string[],
): PlaceFault | undefined {
  if (of === undefined || of.types.some((type) => fitting.includes(type))) return undefined;
  return {
    code: "governance/no-text",
    message: `${words} of ${of.tool} is never text, and \`${kind}\` changes text alone`,
    help: "leave it out with `do: drop`",
  };
}

/** What stands in place of a masked value, and of text that is redacted. */
export const obligedText = "***";
