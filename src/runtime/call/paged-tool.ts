import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import { currentCaller } from "../caller.js";
import { ToolError } from "../errors.js";
import type { AnyResult } from "../result.js";
import { defaultRuntime } from "../runtime.js";
import type { ToolContract } from "../tool.js";
import { itemsAt } from "../values/items.js";
import { type CallOptions, copyOptions } from "./call-options.js";
import { callTool } from "./call-tool.js";
import { copyParameters } from "./copy-parameters.js";

/**
 * The answers of a tool with pages. Answers with `data` also have `next`, which you pass in the
 * options of a call with the same parameters; null on the last page.
 */
export type WithNext<Result> = Result extends { readonly data: unknown }
  ? Result & { readonly next: string | null }
  : Result;

/**
 * Type of the items of a page.
 *
 * @typeParam Path property names from a success's `data` to the list of items
 */
export type PageItem<Result, Path extends readonly string[] = []> = Result extends {
  readonly status: "success";
  readonly data: infer Data;
}
  ? ItemAt<Data, Path>
  : never;

type ItemAt<Value, Path extends readonly string[]> = unknown extends Value
  ? unknown
  : Path extends readonly [infer Step extends string, ...infer Rest extends readonly string[]]
    ? Value extends { readonly [Key in Step]?: infer Inner }
      ? ItemAt<Inner, Rest>
      : never
    : Value extends readonly (infer Item)[]
      ? Item
      : never;

/** Options of `all`. */
export interface AllOptions extends CallOptions {
  /** Maximum number of items; no limit by default. */
  readonly limit?: number;
}

/**
 * A tool with pages. A call returns the first page, or the page that `next` in the options names.
 *
 * @typeParam Given parameters as a tuple of arguments
 * @typeParam Item type of a page's items
 */
export interface PagedTool<
  Given extends readonly [params?: object],
  Result extends AnyResult,
  Item,
> {
  (...call: [...Given, options?: CallOptions]): Promise<Result>;
  /**
   * Yields the pages, each fetched when the loop reaches it. An answer without data is the last
   * page. The runtime, caller and parameters are fixed at the call of this method; all calls share
   * a trace.
   *
   * @throws ToolError in the loop, if a call has no answer to return
   */
  pages(...call: [...Given, options?: CallOptions]): AsyncGenerator<Result, void, undefined>;
  /**
   * Yields the items of all pages, in the same way.
   *
   * @throws ToolError in the loop, also for an answer without data, which becomes its `cause`
   */
  all(...call: [...Given, options?: AllOptions]): AsyncGenerator<Item, void, undefined>;
  /** Name of the extra parameter by which models ask for the next page. */
  readonly nextParameter: string;
}

/** Makes the function of a tool with pages from its contract. */
export function pagedTool<
  Given extends readonly [params?: object],
  Params,
  Arguments,
  Answer extends AnyResult,
  Result extends AnyResult,
  Item,
>(contract: ToolContract<Params, Arguments, Answer, Result>): PagedTool<Given, Result, Item> {
  const { paging } = contract.binding;
  if (paging === undefined) throw new TypeError("the tool's binding has no pages");
  const tool = {
    id: `${contract.skill}/${contract.name}`,
    call: (params: unknown, options: CallOptions) => callTool(contract, params as Params, options),
    items: paging.items,
  };
  const call = (params: object = {}, options: CallOptions = {}) => tool.call(params, options);
  return Object.assign(call, {
    pages: (params: object = {}, options: CallOptions = {}) => pagesOf(tool, params, options),
    all: (params: object = {}, { limit, ...options }: AllOptions = {}) =>
      // The compiler has checked that the items are at this path.
      itemsOf(tool, pagesOf(tool, params, options), requireLimit(limit)) as AsyncGenerator<Item>,
    nextParameter: paging.next,
  }) as PagedTool<Given, Result, Item>;
}

interface Paged<Result extends AnyResult> {
  readonly id: string;
  readonly call: (params: unknown, options: CallOptions) => Promise<Result>;
  /** Path of the items in the data. */
  readonly items: readonly string[];
}

/** Fixes options, caller and parameters now, for all calls. */
function pagesOf<Result extends AnyResult>(
  tool: Paged<Result>,
  given: unknown,
  options: CallOptions,
): AsyncGenerator<Result, void, undefined> {
  const { runtime = defaultRuntime(), ...own } = copyOptions(options);
  const caller = own.caller ?? currentCaller() ?? runtime.caller;
  const trace = own.trace ?? caller?.trace ?? randomUUID();
  const all = { ...own, runtime, trace, ...(caller && { caller }) };
  const run = AsyncLocalStorage.snapshot();
  const params = ownParameters(given);
  return turn((each) => run(() => tool.call(params, each)), all);
}

/** If the parameters can't be copied, the first call rejects them and names the place. */
function ownParameters(given: unknown): unknown {
  try {
    return copyParameters(given);
  } catch {
    return given;
  }
}

async function* turn<Result extends AnyResult>(
  call: (options: CallOptions) => Promise<Result>,
  first: CallOptions,
): AsyncGenerator<Result, void, undefined> {
  // An approval is for one call, so later pages don't get it.
  let options: CallOptions = first;
  for (;;) {
    const page = await call(options);
    yield page;
    const next = "data" in page && "next" in page ? page.next : null;
    if (typeof next !== "string") return;
    const { approval: _used, ...others } = first;
    options = { ...others, next };
  }
}

async function* itemsOf(
  tool: Paged<AnyResult>,
  pages: AsyncIterable<AnyResult>,
  limit: number,
): AsyncGenerator<unknown, void, undefined> {
  let left = limit;
  if (left === 0) return;
  for await (const page of pages) {
    for (const item of listOf(tool, page)) {
      yield item;
      left -= 1;
      if (left === 0) return;
    }
  }
}

function listOf({ id, items }: Paged<AnyResult>, page: AnyResult): readonly unknown[] {
  if (!("data" in page)) throw noPage(id, `\`${page.status}\` instead of a page`, page);
  const list = itemsAt(page.data, items);
  if (list === undefined) throw noPage(id, "a page without a list of items", page);
  return list;
}

function noPage(tool: string, what: string, cause: AnyResult): ToolError {
  const reason = `it answered with ${what}`;
  return new ToolError(
    tool,
    { code: "PROVIDER.PROTOCOL", reason },
    `\`${tool}\` has no next page: ${reason}`,
    { cause },
  );
}

function requireLimit(limit = Infinity): number {
  if (limit === Infinity || (Number.isSafeInteger(limit) && limit >= 0)) return limit;
  throw new TypeError("`limit` must be a whole number of items, 0 or more");
}
