import type { JsonValue } from "@skillc/runtime/executor";
import type { Text } from "./text.js";

/** What the generated module of a GraphQL tool hands to the executor. */
export interface GraphqlContract<Arguments> {
  /** The URL: literal, or a setting that starts it. */
  readonly endpoint: Text;
  /** The document, as its author wrote it. */
  readonly query: string;
  /** Builds what depends on the parameters. Pure: credentials stay references. */
  readonly request: (args: Arguments) => GraphqlRequest;
}

export interface GraphqlRequest {
  /** Text, or scalars; those that are absent or null are dropped. */
  readonly headers?: readonly (readonly [name: string, value: unknown])[];
  /** JSON, or text with credentials in it; absent ones are left out. */
  readonly variables?: { readonly [name: string]: unknown };
}

/**
 * What shadow mode records: the request as it would be sent, `${NAME}` in place of every
 * credential.
 */
export interface GraphqlRecord {
  readonly endpoint: string;
  readonly query: string;
  readonly variables: { readonly [name: string]: JsonValue };
  readonly headers: { readonly [name: string]: string };
}

/**
 * What an answer with GraphQL errors carries: their messages. Data that came along is partial, and
 * dropped.
 */
export interface GraphqlFault {
  readonly error: readonly string[];
}
