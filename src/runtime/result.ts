/** An answer that carries data. */
export interface Success<Status extends string, Data> {
  /** Status of the answer. */
  readonly status: Status;
  /** Data of the answer. */
  readonly data: Data;
}

/**
 * The answers of a tool. `status` tells them apart.
 *
 * @typeParam Data data of a success
 * @typeParam Failed statuses other than success, such as `"not_found" | "error"`
 * @typeParam Succeeded statuses that carry `data`
 * @typeParam Fault fields of every failed answer; each binding kind defines its own
 */
export type ToolResult<
  Data,
  Failed extends string = never,
  Succeeded extends string = "success",
  Fault extends object = { readonly error: unknown },
> =
  | { [S in Succeeded]: Success<S, Data> }[Succeeded]
  | { [F in Failed]: { readonly status: F } & Fault }[Failed];

/**
 * The answer to a write in shadow mode: the request that would have been sent, with `${NAME}` in
 * place of credentials.
 */
export interface Shadowed<Request> {
  readonly status: "shadow";
  /** The request that would have been sent. */
  readonly request: Request;
}

/** The only field that all answers share. */
export interface AnyResult {
  /** Status of the answer. */
  readonly status: string;
}
