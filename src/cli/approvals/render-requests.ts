/** Lays out requests for approval as text. */
import type { Approval, StoredRequest } from "@skillc/runtime/governance";
import { origins } from "@skillc/runtime/internal";
import { type Caller, withdrawnBy } from "@skillc/runtime/internal/governance";
import {
  type Colors,
  type ConsoleStyle,
  colorsOf,
  jsonBlock,
  printable,
  renderTable,
} from "../ledger/console-style.js";
import { formatTime } from "../ledger/quantities.js";
import { approverOf, callerOf } from "../ledger/render-call.js";

import { renderEffects, summarize } from "./render-effects.js";

const longestName = 40;
const longestRequest = 60;

/**
 * Number of characters of a digest that `show` prints, and that approve. With fewer, a caller could
 * search for two effects whose digests begin alike.
 */
export const shownDigest = 32;

/** A request with what the command line knows about it. */
export interface ShownRequest {
  readonly request: StoredRequest;
  /** Description of the tool; undefined if the catalog lacks the tool. */
  readonly description?: string | undefined;
  /** The approval, if the request is approved. */
  readonly approval?: Approval | undefined;
  /** The whole request; undefined if it was not asked for. */
  readonly whole?: unknown;
}

/** Renders requests as a table, one a line. */
export function renderRequestList(
  requests: readonly StoredRequest[],
  ids: ReadonlyMap<string, string>,
  hasMore: boolean,
  style: ConsoleStyle,
): string {
  const colors = colorsOf(style);
  if (requests.length === 0) return colors.dim("no requests");
  const hasTenant = requests.some(({ tenant }) => tenant !== undefined);
  const heads = [
    "request",
    "tool",
    "subject",
    ...(hasTenant ? ["tenant"] : []),
    "risk",
    "state",
    "asked (UTC)",
    "expires (UTC)",
    "sends",
  ];
  const rows = requests.map(({ at, details, expiresAt, id, state, subject, tenant, tool }) => [
    ids.get(id) ?? id,
    printable(tool, longestName),
    printable(subject ?? "", longestName),
    ...(hasTenant ? [printable(tenant ?? "", longestName)] : []),
    details?.risk ?? "",
    paintState(state, colors),
    timeOf(at),
    timeOf(expiresAt),
    details?.request === undefined
      ? ""
      : printable(JSON.stringify(details.request), longestRequest),
  ]);
  const more = hasMore ? `\n${colors.dim("there are more: --limit")}` : "";
  return `${renderTable(
    heads.map((head) => ({ head })),
    rows,
    colors,
  )}${more}`;
}

type WayBack = NonNullable<NonNullable<StoredRequest["details"]>["rollback"]>;

/** Says how the call can be undone, or why nothing undoes it. */
function wayBackWords(way: WayBack): string {
  if (way.strategy === "none") return `none: ${way.reason}`;
  return way.strategy === "compensate" ? `a call of ${way.tool}` : "copies of the files it changes";
}

/** Renders everything about a request. */
export function renderRequest(shown: ShownRequest, style: ConsoleStyle): string {
  const colors = colorsOf(style);
  const { request, whole } = shown;
  const title = `${colors.bold(printable(request.tool))}  ${paintState(request.state, colors)}`;
  const facts = [...factsOf(shown), ...decisionOf(shown)];
  const width = Math.max(...facts.map(([name]) => name.length));
  const lines = facts.map(
    ([name, value]) => `  ${colors.dim(name.padEnd(width))}  ${printable(value)}`,
  );
  const sent = whole ?? request.details?.request;
  const name = whole === undefined ? "request" : "whole request";
  const trial = request.details?.trial;
  return [
    title,
    ...lines,
    ...(sent === undefined ? [] : [jsonBlock(name, sent, colors)]),
    ...(trial === undefined ? [] : [renderEffects(trial, colors)]),
  ].join("\n");
}

type Fact = readonly [name: string, value: string];

function factsOf({ description, request, whole }: ShownRequest): readonly Fact[] {
  const { at, details, expiresAt, id, subject, tenant } = request;
  const { call, effect, origin, risk, rollback, run, sealed, step, trace, trial } = details ?? {};
  const caller = callerOf({
    ...(subject !== undefined && { subject }),
    ...(tenant !== undefined && { tenant }),
    ...(isOrigin(origin) && { origin }),
  });
  return [
    ["id", id],
    ...fact("for", description),
    ...fact("risk", risk && `${risk}, ${effect ?? ""}`),
    ...fact("way back", rollback && wayBackWords(rollback)),
    ["caller", caller],
    ...fact("call", call),
    ...fact("trace", trace),
    ...fact("run", run),
    ...fact("step", step),
    ["asked", `${timeOf(at)} UTC`],
    ["expires", `${timeOf(expiresAt)} UTC`],
    ...fact(
      "approver",
      details &&
        (details.by === "person"
          ? "also the caller in person, on a channel of `approval_channels`"
          : "somebody other than the caller"),
    ),
    ...fact("changes", trial && summarize(trial)),
    ...fact("digest", trial && trial.sha256.slice(0, shownDigest)),
    ...fact("masked", sealed && whole === undefined ? wholeWords(request) : undefined),
  ];
}

function wholeWords({ details, id }: StoredRequest): string {
  const { sealed } = details ?? {};
  return sealed !== undefined && "omitted" in sealed
    ? "the request below is masked or shortened, and the whole one was not kept"
    : `the request below is masked or shortened: \`skillc approvals show ${id} --full\``;
}

/** Returns whether the text is an origin: a later version may store others. */
function isOrigin(text: string | undefined): text is NonNullable<Caller["origin"]> {
  return origins.some((each) => each === text);
}

function decisionOf({ approval, request }: ShownRequest): readonly Fact[] {
  const { decision, state } = request;
  if (decision === undefined) return [];
  return [
    [`${state} by`, approverOf(decision)],
    [state, `${timeOf(decision.at)} UTC`],
    ...fact("note", decision.note),
    ...fact("approval", approval && `${approval.id}, ${approvalWords(approval)}`),
  ];
}

/** Returns the state of an approval as words. */
export function approvalWords({ isExpired, usedBy }: Approval): string {
  if (usedBy?.startsWith(withdrawnBy) === true) return usedBy;
  if (usedBy !== undefined) return `used by the call ${usedBy}`;
  return isExpired === true ? "expired" : "unused";
}

function fact(name: string, value: string | undefined): readonly Fact[] {
  return value === undefined ? [] : [[name, value]];
}

function paintState(state: StoredRequest["state"], colors: Colors): string {
  if (state === "approved") return colors.green(state);
  return state === "denied" ? colors.red(state) : colors.yellow(state);
}

function timeOf(ms: number): string {
  return formatTime(new Date(ms).toISOString());
}
