import { neverText, obligedText, place, valueKind } from "./obligation-kind.js";

/** Replaces a value by `***`. */
export const mask = valueKind({
  do: "mask",
  summary: "`***` instead of a text",
  keys: { at: place },
  leaves: "text",
  check: (at) => neverText(at, "mask", ["string"]),
  effect: () => obligedText,
});

declare const masked: unique symbol;

/** The text `***`, which replaces a masked value. */
export type Masked = "***" & { readonly [masked]: true };

declare module "./obliged-types.js" {
  interface ObligedValues<Value, Obligation> {
    /** `Masked`, or also the value's own type if a scope exempts callers. */
    readonly mask: MaskedValue<Value, Obligation>;
  }
}

type MaskedValue<Value, Obligation> =
  IsUnknown<Value> extends true
    ? Obligation extends { readonly unless: true }
      ? unknown
      : Masked
    : Value extends undefined
      ? Value
      : Masked | (Obligation extends { readonly unless: true } ? Value : never);

type IsUnknown<Value> = unknown extends Value ? true : false;
