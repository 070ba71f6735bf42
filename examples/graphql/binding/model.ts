import type { JsonType, Span, TemplateLanguage, TextTemplate } from "skillc/binding";

/** Templates may refer to parameters and credentials. */
export const graphqlTemplates: TemplateLanguage = { kind: "graphql" };

/**
 * A resolved GraphQL binding: plain data, with a span for everything that a diagnostic or a type
 * error may point at.
 */
export interface GraphqlConfig {
  readonly endpoint: TextTemplate;
  readonly query: { readonly text: string; readonly span: Span };
  readonly variables: readonly VariableModel[];
  readonly headers: readonly HeaderModel[];
  /** False if an invalid placeholder hides parameters that the request uses. */
  readonly whole: boolean;
}

/** A variable that the operation declares. */
export interface VariableModel {
  readonly name: string;
  /** Declaration as messages show it: `$by: Int!`. */
  readonly declaration: string;
  /** Span of the variable in the operation's head. */
  readonly span: Span;
  readonly type: VariableType;
  readonly hasDefault: boolean;
  /** Absent if neither `variables` nor a parameter of the same name gives a value. */
  readonly value?: ValueModel;
}

export interface VariableType {
  readonly nonNull: boolean;
  /** Type of the items, if the type is a list. */
  readonly items?: VariableType;
  /**
   * JSON types that the server accepts. Absent for lists, and for types that only the server knows.
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
