import type { JsonValue } from "@skillc/runtime/executor";
import type { Text } from "./text.js";

/** Data that a generated module of a GraphQL tool passes to the executor. */
export interface GraphqlContract<Arguments> {
  /** A literal URL, or one that starts with a setting. */
  readonly endpoint: Text;
  /** The document, as its author wrote it. */
  readonly query: string;
  /** Builds the parts that depend on the parameters. Pure: credentials stay references. */
  readonly request: (args: Arguments) => GraphqlRequest;
}

export interface GraphqlRequest {
  /** Text or scalars. The executor drops absent and null values. */
  readonly headers?: readonly (readonly [name: string, value: unknown])[];
  /** JSON, or text that contains credentials. The executor drops absent values. */
  readonly variables?: { readonly [name: string]: unknown };
}

/** The request as shadow mode records it, with `${NAME}` in place of every credential. */
export interface GraphqlRecord {
  readonly endpoint: string;
  readonly query: string;
  readonly variables: { readonly [name: string]: JsonValue };
  readonly headers: { readonly [name: string]: string };
}

/** Messages of an answer with GraphQL errors. The executor drops partial data. */
export interface GraphqlFault {
  readonly error: readonly string[];
}
