import type { ToolError } from "../errors.js";
import type { Handler, HandlerContext, Served } from "../handler.js";
import type { AnyResult } from "../result.js";

/**
 * Answers in place of services, by `"skill/tool"`.
 *
 * @typeParam Handlers the `Handlers` type of generated/handlers.ts, which a catalog carries
 */
export type Fakes<Handlers> = unknown extends Handlers
  ? { readonly [tool: string]: Fake<never, AnyResult> | undefined }
  : { readonly [Id in keyof Handlers]?: FakeOf<Handlers[Id]> };

/** The fake of a tool, from the type of its handler. */
export type FakeOf<ToolHandler> =
  NonNullable<ToolHandler> extends Handler<infer Params, infer _Data, infer Result>
    ? Fake<Params, Result>
    : never;

/** An answer of the tool, an error, or a function that returns either. */
export type Fake<Params, Result extends AnyResult> =
  | FakeAnswer<Result>
  | ToolError
  | ((
      params: Params,
      context: FakeContext,
    ) => FakeAnswer<Result> | ToolError | Promise<FakeAnswer<Result> | ToolError>);

/**
 * Any answer of the tool except `shadow`, which only the runtime makes. A stream may be a list of
 * its items.
 */
export type FakeAnswer<Result extends AnyResult> = Listed<Served<Result>>;

type Listed<Result> = Result extends { readonly data: AsyncIterable<infer Item> }
  ? Result | (Omit<Result, "data"> & { readonly data: readonly Item[] })
  : Result;

/** Facts about the call that a fake answers. */
export interface FakeContext extends HandlerContext {
  /** Number of the attempt, from 1. A read is repeated after a timeout or a lost connection. */
  readonly attempt: number;
}

/** A fake as the runtime stores it. The test's own code has the exact types. */
export type AnyFake = Fake<never, AnyResult>;
