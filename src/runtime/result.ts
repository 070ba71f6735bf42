/** An answer that carries data. */
export interface Success<Status extends string, Data> {
  readonly status: Status;
  readonly data: Data;
}

/**
 * A tool's answers, told apart by `status`.
 *
 * @typeParam Data what a success carries
 * @typeParam Failed the statuses that mean something other than success: `"not_found" | "error"`
 * @typeParam Succeeded the statuses that carry `data`
 * @typeParam Fault the fields that every failed answer carries; each binding kind names its own
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
 * What shadow mode gives for a write: the request as it would have been sent, with `${NAME}` in
 * place of credentials.
 */
export interface Shadowed<Request> {
  readonly status: "shadow";
  readonly request: Request;
}

/** What the call path knows of any result. */
export interface AnyResult {
  readonly status: string;
}
