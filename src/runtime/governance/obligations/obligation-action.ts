import * as kinds from "./kinds.js";
import type { AnswerKind, KeyForms, PropertyKind, ValueKind, ValuesOf } from "./obligation-kind.js";

/** What `do:` of an obligation may say. */
export type ObligationName = keyof typeof kinds;

/** What an obligation does, and the values of its keys: in each form what `Forms` has for it. */
export type ObligationAction<Forms extends Record<keyof KeyForms, unknown> = KeyForms> = {
  [Do in ObligationName]: { readonly do: Do } & ValuesOf<(typeof kinds)[Do]["keys"], Forms>;
}[ObligationName];

/** A kind of obligations, whichever it is. */
export type AnyObligationKind = ValueKind | PropertyKind | AnswerKind;

/** All kinds, by name. Each stands under its own name. */
export const obligationKinds = kinds satisfies {
  readonly [Do in ObligationName]: AnyObligationKind & { readonly do: Do };
};
