import { neverText, obligedText, place, valueKind } from "./obligation-kind.js";

/** Puts `***` in place of a value. */
export const mask = valueKind({
  do: "mask",
  summary: "`***` in place of a text",
  keys: { at: place },
  check: (at) => neverText(at, "mask", ["string"]),
  effect: () => obligedText,
});

declare const masked: unique symbol;

/** What stands in place of a masked value: the text `***`. */
export type Masked = "***" & { readonly [masked]: true };

declare module "./obliged-types.js" {
  interface ObligedValues<Value, Obligation> {
    /** `Masked` in place of the value, beside its own type if a scope frees callers. */
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
