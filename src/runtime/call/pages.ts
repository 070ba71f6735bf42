/**
 * Pages of an answer. What a page says of the one after it (a cursor, a number, an address) leaves
 * the runtime sealed, as `next` beside the data: it can be neither read nor changed, and opens for
 * the same tool, caller and arguments alone. `steps/turn-page.ts` opens it, `steps/answer.ts` seals
 * it, `paged-tool.ts` goes from page to page.
 */
import { hash, randomBytes } from "node:crypto";
import { sharedText } from "../equal.js";
import { createSeal, type Seal } from "../governance/seal.js";
import { stepInto } from "../values/pick.js";
import type { Call } from "./call.js";
import { callError } from "./call-error.js";
import type { PageName, PagePlace, UnusablePage } from "./page-place.js";

/** Characters of a page's name, and of what it is sealed to. */
const longestName = 8192;
const longestToken = 4 * longestName;

/** Where no governance has a key: what it sealed opens in this process alone. */
let own: Seal | undefined;

function sealOf({ runtime }: Call): Seal {
  return runtime.governance?.pageSeal ?? (own ??= createSeal(randomBytes(32)));
}

/** What a `next` belongs to: it opens for nothing else. */
function contextOf({ caller = {}, pagedArgs, tool, toolId }: Call): string {
  const { subject = null, tenant = null } = caller;
  return sharedText([toolId, tool.version.binding, tenant, subject, pagedArgs]);
}

/**
 * @throws ToolError for what is no `next` of this tool, caller and arguments, and where the page
 *   before named what can't be followed
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
    // Only `sealNext` writes what opens.
    return JSON.parse(text) as PagePlace | UnusablePage;
  } catch {
    throw refusedNext(
      call,
      "must be what an earlier page of the same call gave: the same tool, caller and arguments; leave it out to begin again",
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
 * The page after this one, sealed. What can't be followed is sealed as well: this page is an answer
 * all the same, and whoever asks for the next one is told.
 */
export function sealNext(call: Call, at: PageName | UnusablePage): string {
  const place = typeof at === "object" ? at : placeAfter(call, at);
  const sealed = sealOf(call).seal(JSON.stringify(place), contextOf(call));
  return Buffer.from(sealed).toString("base64url");
}

/**
 * Brent's way to find a circle: each page is compared with one before it, and which that is moves on
 * in steps of twice the length.
 */
function placeAfter(call: Call, at: PageName): PagePlace | UnusablePage {
  if (String(at).length > longestName)
    return { unusable: `it has a name of more than ${longestName} characters` };
  const { page, pagedArgs, tool } = call;
  const name = hash("sha256", String(at), "base64url");
  const { parameter } = tool.binding.paging ?? {};
  const here = page?.at ?? (parameter && stepInto(pagedArgs, parameter));
  if (here !== undefined && String(here) === String(at))
    return { unusable: "the page before names itself as the next one" };
  if (page === undefined) return { at, mark: name, steps: 0, most: 1 };
  const { mark, most } = page;
  if (name === mark) return { unusable: "it is one that was there before" };
  const steps = page.steps + 1;
  return steps === most ? { at, mark: name, steps: 0, most: most * 2 } : { at, mark, steps, most };
}

/** Of a page whose name, as the page before has it, can't be followed. */
export function unusable(call: Call, reason: string): Error {
  return callError(
    call,
    { code: "PROVIDER.PROTOCOL", reason, subject: "next-page" },
    `\`${call.toolId}\` can't go on to the next page: ${reason}`,
  );
}
