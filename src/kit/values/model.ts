import type { Span } from "../../core/span.js";
import type { TextTemplate } from "../text-template.js";

/** An author's scalar, which may be a template. */
export type ScalarModel<Root extends string = never> =
  | {
      readonly kind: "literal";
      readonly value: string | number | boolean | null;
      readonly span: Span;
    }
  | { readonly kind: "template"; readonly template: TextTemplate<Root> };

/** An author's JSON value, such as a body or a message. */
export type ValueNode<Root extends string = never> =
  | ScalarModel<Root>
  | { readonly kind: "list"; readonly items: readonly ValueNode<Root>[]; readonly span: Span }
  | { readonly kind: "map"; readonly entries: readonly ValueEntry<Root>[]; readonly span: Span };

export interface ValueEntry<Root extends string = never> {
  readonly name: string;
  readonly span: Span;
  readonly value: ValueNode<Root>;
}

/** A literal name with a scalar: of a query, of headers. */
export interface ScalarEntry<Root extends string = never> {
  readonly name: string;
  readonly span: Span;
  readonly value: ScalarModel<Root>;
}
