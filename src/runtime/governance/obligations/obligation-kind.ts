import type { JsonValue } from "../../json/json.js";
import type { AnyResult } from "../../result.js";
import type { ObligedAnswers, ObligedProperties, ObligedValues } from "./obliged-types.js";

/**
 * The forms of an obligation's keys, with the type of their values in `generated/policy.ts`.
 *
 * - `place`: a JSON Pointer into the data, as a list of steps: property names, or `*`
 * - `pattern`: a regular expression in the syntax of RE2
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
  /** JSON Schema of the key's value. Kinds with a key of the same name share the schema. */
  readonly schema: { readonly [keyword: string]: JsonValue };
}

export interface ObligationKeys {
  readonly [name: string]: ObligationKey;
}

/** Keys of a kind that changes a place in the data. */
export interface PlacedKeys extends ObligationKeys {
  readonly at: ObligationKey<"place">;
}

/** The values of keys. `Forms` maps each form to a type. */
export type ValuesOf<
  Keys extends ObligationKeys,
  Forms extends Record<keyof KeyForms, unknown> = KeyForms,
> = { readonly [Name in keyof Keys]: Forms[Keys[Name]["form"]] };

/** The place of an obligation, and what a tool's schema says about it. */
export interface CheckedPlace {
  readonly steps: readonly string[];
  /** The place, in words for a message. */
  readonly words: string;
  /** Facts from one tool's schema; absent in the check that is independent of tools. */
  readonly of?: {
    /** The tool, in words for a message. */
    readonly tool: string;
    /** JSON types that the value may have. */
    readonly types: readonly string[];
    /** True if the last step leads to the items of a list. */
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

/** Helpers of an effect. */
export interface EffectContext extends ObligedCall {
  /** Replaces each match of a pattern in a text, in linear time. */
  replaceAll(text: string, pattern: string, by: string): string;
  /**
   * Checks the depth of data. Call it at each level that an effect visits.
   *
   * @throws TooDeep if there are more levels than JSON may have
   */
  requireLevel(depth: number): void;
}

interface ObligationKind<Do extends string, Keys extends ObligationKeys> {
  readonly do: Do;
  /** One clause for the description of `do` in skillc.yaml. */
  readonly summary: string;
  readonly keys: Keys;
  /** Set if the effect needs `ObligedCall.key`. Without a `key`, `governance()` throws. */
  readonly needsKey?: true;
}

interface PlacedKind<Do extends string, Keys extends PlacedKeys> extends ObligationKind<Do, Keys> {
  /**
   * Checks a place. It is called once without a tool, and once for each tool that declares the
   * place.
   */
  check(place: CheckedPlace): PlaceFault | undefined;
}

/** Replaces a value. */
export interface ValueKind<
  Do extends string = string,
  Keys extends PlacedKeys = PlacedKeys,
> extends PlacedKind<Do, Keys> {
  readonly changes: "value";
  /**
   * Types of the value afterwards, for JSON Schemas. `text`: always text. `text-or-null`: null stays
   * null. `texts-inside`: other text in place of each text in the value.
   */
  readonly leaves: "text" | "text-or-null" | "texts-inside";
  /** @param depth number of levels above the value */
  effect(value: unknown, action: ValuesOf<Keys>, context: EffectContext, depth: number): unknown;
}

/** Changes a property of an object, or the items of a list, as a whole. */
export interface PropertyKind<
  Do extends string = string,
  Keys extends PlacedKeys = PlacedKeys,
> extends PlacedKind<Do, Keys> {
  readonly changes: "property";
  /**
   * @param isMeant returns whether to change the property with this name; all items of a list are
   * changed
   */
  effect(
    holder: readonly unknown[] | object,
    isMeant: (name: string) => boolean,
    action: ValuesOf<Keys>,
    context: EffectContext,
  ): unknown;
}

/** Changes fields beside the data. */
export interface AnswerKind<
  Do extends string = string,
  Keys extends ObligationKeys = ObligationKeys,
> extends ObligationKind<Do, Keys> {
  readonly changes: "answer";
  effect(answer: AnyResult, action: ValuesOf<Keys>, context: EffectContext): AnyResult;
}

type Parts<Kind> = Omit<Kind, "changes">;

/** Makes a kind that replaces a value. Its type is a member of `ObligedValues`. */
export function valueKind<
  Do extends keyof ObligedValues<unknown, unknown>,
  Keys extends PlacedKeys,
>(parts: Parts<ValueKind<Do, Keys>>): ValueKind<Do, Keys> {
  return { ...parts, changes: "value" };
}

/** Makes a kind that changes whole properties. Its type is a member of `ObligedProperties`. */
export function propertyKind<
  Do extends keyof ObligedProperties<unknown, string>,
  Keys extends PlacedKeys,
>(parts: Parts<PropertyKind<Do, Keys>>): PropertyKind<Do, Keys> {
  return { ...parts, changes: "property" };
}

/** Makes a kind that changes fields beside the data. Its type is a member of `ObligedAnswers`. */
export function answerKind<Do extends keyof ObligedAnswers<unknown>, Keys extends ObligationKeys>(
  parts: Parts<AnswerKind<Do, Keys>>,
): AnswerKind<Do, Keys> {
  return { ...parts, changes: "answer" };
}

/** The key `at` of every kind that changes a place in the data. */
export const place = {
  form: "place",
  schema: {
    description:
      "Place in the data, as a JSON Pointer with `*` for every item of a list or property of an object: `/customer/email`.",
    type: "string",
    pattern: "^(?:/(?:[^~/]|~[01])*)*$",
  },
} as const satisfies ObligationKey;

/** Returns the fault of a place that never holds text, for kinds that change only text. */
export function neverText(
  { of, words }: CheckedPlace,
  kind: string,
  fitting: readonly string[],
): PlaceFault | undefined {
  if (of === undefined || of.types.some((type) => fitting.includes(type))) return undefined;
  return {
    code: "governance/no-text",
    message: `\`${kind}\` changes only text, but ${words} of ${of.tool} is never text`,
    help: "remove it with `do: drop`",
  };
}

/** Replaces masked values and redacted text. */
export const obligedText = "***";
