/**
 * Pages of answers. A provider's name of the next page (a cursor, a number, an address) leaves the
 * runtime encrypted, as `next` beside the data. It can't be read or changed, and is valid only for
 * the same tool, caller and arguments. `steps/turn-page.ts` decrypts it, `steps/answer.ts` encrypts
 * it, and `paged-tool.ts` goes from page to page.
 */
import { hash, randomBytes } from "node:crypto";
import { sharedText } from "../equal.js";
import { createSeal, type Seal } from "../seal.js";
import { stepInto } from "../values/pick.js";
import type { Call } from "./call.js";
import { callError } from "./call-error.js";
import type { PageName, PagePlace, UnusablePage } from "./page-place.js";

/** Maximum length of a page's name, in characters. */
const longestName = 8192;
const longestToken = 4 * longestName;

/** Seal for runtimes whose governance has no key. Its tokens are valid only in this process. */
let own: Seal | undefined;

function sealOf({ runtime }: Call): Seal {
  return runtime.governance?.pageSeal ?? (own ??= createSeal(randomBytes(32)));
}

/** Returns the context of a `next`, outside of which it is not valid. */
function contextOf({ caller = {}, pagedArgs, tool, toolId }: Call): string {
  const { subject = null, tenant = null } = caller;
  return sharedText([toolId, tool.version.binding, tenant, subject, pagedArgs]);
}

/**
 * Decrypts a `next`.
 *
 * @throws ToolError if it is not a `next` of this tool, caller and arguments, or the previous page
 * named a next page that can't be fetched
 */
export function openNext(call: Call, token: string): PagePlace {
  const place = opened(call, token);
  if ("unusable" in place) throw unusable(call, place.unusable);
  return place;
}

function opened(call: Call, token: string): PagePlace | UnusablePage {
  try {
    if (token.length > longestToken) throw new RangeError("too long");
    const text = sealOf(call).open(Buffer.from(token, "base64url"), contextOf(call));
    // Only `sealNext` writes texts that open.
    return JSON.parse(text) as PagePlace | UnusablePage;
  } catch {
    throw refusedNext(
      call,
      "must come from an earlier page of the same tool, caller and arguments; leave it out to start with the first page",
    );
  }
}

export function refusedNext(call: Call, message: string): Error {
  const pointer = `/${call.tool.binding.paging?.next ?? "next"}`;
  return callError(
    call,
    {
      code: "SCHEMA.VALIDATION_FAILED",
      subject: "parameters",
      problems: [{ pointer, keyword: "next", message }],
    },
    `parameters of \`${call.toolId}\` can't be sent: ${pointer} ${message}`,
  );
}

/**
 * Encrypts the name of the next page. A page that can't be fetched is encrypted too: the current
 * page is still a valid answer, and the request for the next one fails.
 */
export function sealNext(call: Call, at: PageName | UnusablePage): string {
  const place = typeof at === "object" ? at : placeAfter(call, at);
  const sealed = sealOf(call).seal(JSON.stringify(place), contextOf(call));
  return Buffer.from(sealed).toString("base64url");
}

/**
 * Detects cycles by Brent's algorithm: compares each page with a marked earlier page, and moves the
 * mark after steps of doubling length.
 */
function placeAfter(call: Call, at: PageName): PagePlace | UnusablePage {
  if (String(at).length > longestName)
    return { unusable: `its name has more than ${longestName} characters` };
  const { page, pagedArgs, tool } = call;
  const name = hash("sha256", String(at), "base64url");
  const { parameter } = tool.binding.paging ?? {};
  const here = page?.at ?? (parameter && stepInto(pagedArgs, parameter));
  if (here !== undefined && String(here) === String(at))
    return { unusable: "the previous page names itself as the next page" };
  if (page === undefined) return { at, mark: name, steps: 0, most: 1 };
  const { mark, most } = page;
  if (name === mark) return { unusable: "an earlier page had the same name" };
  const steps = page.steps + 1;
  return steps === most ? { at, mark: name, steps: 0, most: most * 2 } : { at, mark, steps, most };
}

/** Makes the error for a next page that can't be fetched. */
export function unusable(call: Call, reason: string): Error {
  return callError(
    call,
    { code: "PROVIDER.PROTOCOL", reason, subject: "next-page" },
    `\`${call.toolId}\` can't go on to the next page: ${reason}`,
  );
}
