import * as kinds from "./kinds.js";
import type { AnswerKind, KeyForms, PropertyKind, ValueKind, ValuesOf } from "./obligation-kind.js";

/** Values of `do:` of an obligation. */
export type ObligationName = keyof typeof kinds;

/**
 * Action of an obligation, with the values of its keys. `Forms` maps each form of key to a type.
 */
export type ObligationAction<Forms extends Record<keyof KeyForms, unknown> = KeyForms> = {
  [Do in ObligationName]: { readonly do: Do } & ValuesOf<(typeof kinds)[Do]["keys"], Forms>;
}[ObligationName];

/** Any kind of obligation. */
export type AnyObligationKind = ValueKind | PropertyKind | AnswerKind;

/** All kinds, by their own names. */
export const obligationKinds = kinds satisfies {
  readonly [Do in ObligationName]: AnyObligationKind & { readonly do: Do };
};
