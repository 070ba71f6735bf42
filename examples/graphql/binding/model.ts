import type { JsonType, Span, TemplateLanguage, TextTemplate } from "skillc/binding";

/** What its templates refer to: parameters, and credentials. */
export const graphqlTemplates: TemplateLanguage = { kind: "graphql" };

/**
 * A GraphQL binding as its author meant it: plain data, a place for everything that a diagnostic or
 * a type error can be about.
 */
export interface GraphqlConfig {
  readonly endpoint: TextTemplate;
  readonly query: { readonly text: string; readonly span: Span };
  readonly variables: readonly VariableModel[];
  readonly headers: readonly HeaderModel[];
  /** False when a damaged placeholder hides what the request uses. */
  readonly whole: boolean;
}

/** A variable that the operation declares. */
export interface VariableModel {
  readonly name: string;
  /** `$by: Int!`, as messages show it. */
  readonly declaration: string;
  /** Of the variable in the operation's head. */
  readonly span: Span;
  readonly type: VariableType;
  readonly hasDefault: boolean;
  /** Absent: neither `variables` nor a parameter of the same name gives one. */
  readonly value?: ValueModel;
}

export interface VariableType {
  readonly nonNull: boolean;
  /** Of a list. */
  readonly items?: VariableType;
  /**
   * JSON types that the server takes; absent for lists, and for types that only the server knows.
   */
  readonly json?: readonly JsonType[];
}

export interface HeaderModel {
  readonly name: string;
  readonly span: Span;
  readonly value: ValueModel;
}

export type ValueModel =
  | {
      readonly kind: "literal";
      readonly value: string | number | boolean | null;
      readonly span: Span;
    }
  | { readonly kind: "template"; readonly template: TextTemplate };
