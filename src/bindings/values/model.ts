import type { Span } from "../../core/span.js";
import type { TextTemplate } from "../text-template.js";

/** What an author writes where one scalar goes. */
export type ScalarModel =
  | {
      readonly kind: "literal";
      readonly value: string | number | boolean | null;
      readonly span: Span;
    }
  | { readonly kind: "template"; readonly template: TextTemplate };

/** What an author writes where JSON goes: a body, a message. */
export type ValueNode =
  | ScalarModel
  | { readonly kind: "list"; readonly items: readonly ValueNode[]; readonly span: Span }
  | { readonly kind: "map"; readonly entries: readonly ValueEntry[]; readonly span: Span };

export interface ValueEntry {
  readonly name: string;
  readonly span: Span;
  readonly value: ValueNode;
}

/** A literal name with a scalar: of a query, of headers. */
export interface ScalarEntry {
  readonly name: string;
  readonly span: Span;
  readonly value: ScalarModel;
}
