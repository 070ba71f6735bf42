import type { ToolError } from "../errors.js";
import type { Handler, HandlerContext, Served } from "../handler.js";
import type { AnyResult } from "../result.js";

/**
 * What answers in the place of services, by `"skill/tool"`.
 *
 * @typeParam Handlers the `Handlers` type of generated/handlers.ts, which a catalog carries
 */
export type Fakes<Handlers> = unknown extends Handlers
  ? { readonly [tool: string]: Fake<never, AnyResult> | undefined }
  : { readonly [Id in keyof Handlers]?: FakeOf<Handlers[Id]> };

/** What may answer for the tool that a handler would serve. */
export type FakeOf<ToolHandler> =
  NonNullable<ToolHandler> extends Handler<infer Params, infer _Data, infer Result>
    ? Fake<Params, Result>
    : never;

/** An answer of the tool, an error in its place, or a function that gives either. */
export type Fake<Params, Result extends AnyResult> =
  | FakeAnswer<Result>
  | ToolError
  | ((
      params: Params,
      context: FakeContext,
    ) => FakeAnswer<Result> | ToolError | Promise<FakeAnswer<Result> | ToolError>);

/**
 * Any answer of the tool but `shadow`, which only the runtime gives. A stream may be a list of its
 * items.
 */
export type FakeAnswer<Result extends AnyResult> = Listed<Served<Result>>;

type Listed<Result> = Result extends { readonly data: AsyncIterable<infer Item> }
  ? Result | (Omit<Result, "data"> & { readonly data: readonly Item[] })
  : Result;

/** What a fake is told of the call. */
export interface FakeContext extends HandlerContext {
  /** 1 for the first: after a timeout or a broken connection, a read is tried again. */
  readonly attempt: number;
}

/** A fake as the runtime keeps it: exact types are checked where the test writes them. */
export type AnyFake = Fake<never, AnyResult>;
