import type { IncomingHttpHeaders } from "node:http";
import type { Attempt, PageName, ToolError, UnusablePage } from "../../../runtime/executor.js";
import { itemsAt } from "../../../runtime/values/items.js";
import { stepInto } from "../../../runtime/values/pick.js";
import type { Pagination } from "../contract.js";
import { protocolError, unsentError } from "./failures.js";
import { linkTo } from "./link-header.js";
import type { OpenRequest } from "./open-request.js";
import { openReachOf } from "./openers.js";
import { sameOriginUrl } from "./same-origin.js";

/** A page that came. */
export interface Page {
  /** What it was asked for by, after redirects. */
  readonly request: Pick<OpenRequest, "origin" | "path">;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
  readonly data: unknown;
  /** Why the body would have been refused: it doesn't fit its schema, and is given all the same. */
  readonly misfit?: ToolError | undefined;
}

/** Finds what names the page after one; null after the last. */
export type FindNext = (page: Page, attempt: Attempt) => PageName | UnusablePage | null;

/** @param args of the call, the page's own name among them */
export function nextPageOf<Body>(pagination: Pagination<Body>, args: unknown): FindNext {
  // Parameters are an object: the compiler lets no other name a page.
  const given = (args ?? {}) as { readonly [name: string]: unknown };
  return (page, attempt) => {
    // The compiler ties these paths to the body of a success, which was validated.
    const body = page.body as Body;
    const more = pagination.more?.(body);
    if (pagination.more !== undefined && more !== true) {
      requireTold(page, more, more === false);
      return null;
    }
    switch (pagination.by) {
      case "link_header":
        return linkedPage(page);
      case "cursor":
        return cursorIn(page, pagination.at?.(body));
      case "page":
      case "offset":
        return countedPage(pagination, given, page, attempt);
    }
  };
}

/** The whole address; none of another origin. */
function linkedPage({ headers, request }: Page): ReturnType<FindNext> {
  const target = linkTo("next", headers["link"]);
  if (target === undefined) return null;
  const url = sameOriginUrl(request, target);
  if (url === undefined) return { unusable: "it is at another origin, or its address is no URL" };
  if (url.pathname + url.search === request.path)
    return { unusable: "the page before names itself as the next one" };
  return `${url.origin}${url.pathname}${url.search}`;
}

/**
 * Pages must not end because of what doesn't fit: what tells of the next one is what it should be, or
 * isn't there where nothing is missing.
 *
 * @throws ToolError why the page doesn't fit
 */
function requireTold({ misfit }: Page, value: unknown, isUsual: boolean): void {
  if (misfit === undefined || isUsual) return;
  if (value !== undefined || lacksSomething(misfit)) throw misfit;
}

function lacksSomething({ failure }: ToolError): boolean {
  return (
    failure.code === "SCHEMA.VALIDATION_FAILED" &&
    failure.problems.some(({ keyword }) => keyword === "required")
  );
}

function cursorIn(page: Page, value: unknown): ReturnType<FindNext> {
  requireTold(page, value, value !== undefined);
  return cursorOf(value);
}

function cursorOf(value: unknown): ReturnType<FindNext> {
  if (value === undefined || value === null || value === "" || value === false) return null;
  if (typeof value === "string" || typeof value === "number") return value;
  return { unusable: "what names it is neither text nor a number" };
}

function countedPage(
  { by, items = [], limit, more, parameter = "" }: Pagination<never>,
  args: { readonly [name: string]: unknown },
  page: Page,
  attempt: Attempt,
): number | null {
  const count = itemsAt(page.data, items)?.length;
  if (count === undefined) throw protocolError(attempt, "the page has no list of items");
  const most = limit === undefined ? Number.NaN : Number(stepInto(args, limit) ?? Number.NaN);
  if (count === 0 || (more === undefined && count < most)) return null;
  const here = Number(stepInto(args, parameter) ?? (by === "page" ? 1 : 0));
  return by === "page" ? here + 1 : here + count;
}

/**
 * The request for a page whose address an answer gave: the tool's own, with that address. What it
 * proves itself by in its query is put there where the address lacks it.
 *
 * @param secrets names in the query that hold credentials
 * @throws ToolError for an address of another origin, and for a place that the call may not reach
 */
export function requestOfPage(
  request: OpenRequest,
  address: string,
  secrets: readonly string[],
  attempt: Attempt,
): OpenRequest {
  const url = sameOriginUrl(request, address);
  if (url === undefined) throw unsentError(attempt, "the page is at another origin");
  const own = new URL(`${request.origin}${request.path}`).searchParams;
  const lacking = secrets.flatMap((name) => {
    const value = url.searchParams.has(name) ? null : own.get(name);
    return value === null ? [] : [`${encodeURIComponent(name)}=${encodeURIComponent(value)}`];
  });
  const query = [url.search.slice(1), ...lacking].filter((each) => each !== "").join("&");
  const page = { ...request, path: query === "" ? url.pathname : `${url.pathname}?${query}` };
  attempt.hooks.redirecting?.(openReachOf(page));
  return page;
}
