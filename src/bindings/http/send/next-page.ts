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

/** A page that was received. */
export interface Page {
  /** The request for it, after redirects. */
  readonly request: Pick<OpenRequest, "origin" | "path">;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
  readonly data: unknown;
  /** Set if the body doesn't fit its schema but is returned anyway. */
  readonly misfit?: ToolError | undefined;
}

/** Finds the name of the page after this one; null after the last. */
export type FindNext = (page: Page, attempt: Attempt) => PageName | UnusablePage | null;

/** @param args arguments of the call, including the page's name */
export function nextPageOf<Body>(pagination: Pagination<Body>, args: unknown): FindNext {
  // Parameters are an object, because the compiler accepts no other for pages.
  const given = (args ?? {}) as { readonly [name: string]: unknown };
  return (page, attempt) => {
    // The body was validated, and the compiler ensures that the paths fit it.
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

/** The page in the `Link` header, as a whole address; unusable at another origin. */
function linkedPage({ headers, request }: Page): ReturnType<FindNext> {
  const target = linkTo("next", headers["link"]);
  if (target === undefined) return null;
  const url = sameOriginUrl(request, target);
  if (url === undefined)
    return { unusable: "it is at another origin, or its address is not a URL" };
  if (url.pathname + url.search === request.path)
    return { unusable: "the previous page names itself as the next page" };
  return `${url.origin}${url.pathname}${url.search}`;
}

/**
 * Ensures that pages don't end early because a body doesn't fit. The value that names the next page
 * must be valid. It may be absent only if no required part is missing.
 *
 * @throws ToolError the misfit of the page
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
  return { unusable: "its name is neither text nor a number" };
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
 * Makes the request for a page whose address a response gave. It is the tool's own request with
 * that address. Credentials in the tool's query are added if the address lacks them.
 *
 * @param secrets names in the query that hold credentials
 * @throws ToolError for an address of another origin, or one that the call may not reach
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
