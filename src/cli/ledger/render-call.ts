import type { EndRecord, JsonValue, WayBack } from "@skillc/runtime";
import {
  type EarlierRollback,
  isKept,
  type LedgerCall,
  statusOf,
  type Settlement,
} from "@skillc/runtime/internal/ledger";
import {
  type Colors,
  type ConsoleStyle,
  colorsOf,
  paintStatus,
  printable,
} from "./console-style.js";
import { formatCount, formatMs } from "./quantities.js";

/** Bytes that a call produced: as text if possible. */
export type Content = { readonly name: string } & (
  { readonly text: string } | { readonly base64: string }
);

/** Facts about a call that the ledger keeps outside of the call's records. */
export interface AroundCall {
  /** The whole result as JSON. */
  readonly attached?: string | undefined;
  readonly contents?: readonly Content[];
  /** The call that undid this one, or may have. */
  readonly rollback?: EarlierRollback | undefined;
}

/** Renders all records of one call. */
export function renderLedgerCall(
  call: LedgerCall,
  style: ConsoleStyle,
  { attached, contents = [], rollback }: AroundCall = {},
): string {
  const colors = colorsOf(style);
  const status = statusOf(call);
  const title = `${colors.bold(printable(`${call.skill}/${call.tool}`))}  ${paintStatus(status, printable(status), colors)}`;
  const facts = [
    ...identity(call),
    ...outcome(call),
    ...undoing(call, rollback),
    ...governed(call),
    ...produced(call),
    ...place(call),
  ];
  const width = Math.max(...facts.map(([name]) => name.length));
  const lines = facts.map(
    ([name, value]) => `  ${colors.dim(name.padEnd(width))}  ${printable(value)}`,
  );
  const blocks = [
    jsonBlock("parameters", call.parameters, colors),
    ...(call.outcome === "ended" && call.request !== undefined
      ? [jsonBlock(call.attempts === 0 ? "request, not sent" : "request", call.request, colors)]
      : []),
    ...(call.outcome === "ended" && call.result !== null
      ? [resultBlock(attached ?? call.result, colors)]
      : []),
    ...contents.flatMap((each) =>
      "text" in each ? [block(printable(each.name, 80), each.text, colors)] : [],
    ),
    ...(attached === undefined ? omitted(call) : []).map((text) => `  ${colors.dim(text)}`),
  ];
  return [title, ...lines, ...blocks].join("\n");
}

/** Tells why the whole result is missing. */
function omitted(call: LedgerCall): readonly string[] {
  if (call.outcome !== "ended" || call.attachment === undefined) return [];
  const { attachment } = call;
  const size = `the whole result, of ${attachment.bytes} bytes,`;
  if (isKept(attachment)) return [`${size} is no longer kept`];
  return [
    `${size} was ${attachment.omitted === "too-large" ? "too large to be kept" : "not written"}`,
  ];
}

/** Renders the bytes that a call produced, each with its size and what the ledger kept. */
function produced({ attachments = [] }: LedgerCall): readonly Fact[] {
  return attachments.map((each) => {
    const size = `${each.name}: ${each.type}, ${each.bytes} bytes`;
    if (isKept(each)) return ["produced", `${size}${"cut" in each ? ", then cut" : ""}`];
    return ["produced", `${size}, ${notKept[each.omitted]}`];
  });
}

const notKept = {
  "too-large": "too large to be kept",
  "not-written": "not written",
  "has-secret": "not kept: it contains a secret that skillc can't replace",
} as const;

type Fact = readonly [name: string, value: string];

function identity(call: LedgerCall): readonly Fact[] {
  return [
    ["id", call.id],
    ["time", call.time],
    ["mode", call.mode],
    ["kind", `${call.kind}, ${call.effect}`],
    ...(call.trace === undefined ? [] : [["trace", call.trace] as const]),
    ...(call.parent === undefined ? [] : [["parent", call.parent] as const]),
    ...(call.step === undefined ? [] : [["step", call.step] as const]),
    ...(call.caller === undefined ? [] : [["caller", callerOf(call.caller)] as const]),
  ];
}

const notChecked = "who was not checked";

/** Describes a caller: its subject, tenant and origin. */
export function callerOf({
  claimed,
  origin,
  subject,
  tenant,
}: NonNullable<LedgerCall["caller"]>): string {
  const named = [
    ...(subject === undefined ? [] : [subject]),
    ...(tenant === undefined ? [] : [`tenant ${tenant}`]),
    ...(origin === undefined ? [] : [`origin ${origin}`]),
    ...(claimed === true ? [notChecked] : []),
  ];
  return named.length === 0 ? "nobody said" : named.join(", ");
}

/** Decision of governance about the call. */
function governed({ decision }: LedgerCall): readonly Fact[] {
  if (decision === undefined) return [];
  const {
    approval,
    approved,
    decidedBy,
    obligations,
    policy,
    repaired = [],
    replayOf,
    spent,
    turn,
  } = decision;
  const budgets = Object.entries(spent).map(([name, amount]) => `${amount} of ${name}`);
  return [
    ...listedFact("decided by", decidedBy),
    ["policy", policy],
    ...listedFact("spent", budgets),
    ...listedFact("obligations", obligations),
    ...listedFact("dropped", repaired),
    ...(approval === undefined ? [] : [["approval", approval] as const]),
    ...(approved === undefined ? [] : [["approved by", approverOf(approved)] as const]),
    ...(turn === undefined ? [] : [["turn", turn] as const]),
    ...(replayOf === undefined ? [] : [["answer of", replayOf] as const]),
  ];
}

/** Describes who decided a request for approval, and where. */
export function approverOf({
  by,
  channel,
  claimed,
}: NonNullable<NonNullable<LedgerCall["decision"]>["approved"]>): string {
  const where = channel === undefined ? "" : ` on ${channel}`;
  return `${by}${where}${claimed === true ? `, ${notChecked}` : ""}`;
}

function listedFact(name: string, values: readonly string[]): readonly Fact[] {
  return values.length === 0 ? [] : [[name, values.join(", ")]];
}

function outcome(call: LedgerCall): readonly Fact[] {
  const { accepted, attempts, containment, durationMs, error } = call;
  const isWithoutEnd = attempts === undefined || durationMs === undefined;
  const failed = error ? "the call failed" : "the answer doesn't say";
  const unknown = isWithoutEnd
    ? "the write began, and no end is recorded; it may have happened, or still be running"
    : `${failed}, but the write may have happened anyway`;
  return [
    ...(call.outcome === "ended" ? [] : [["outcome", `unknown: ${unknown}`] as const]),
    ...(call.outcome === "settled" ? settled(call.settlement) : []),
    ...(isWithoutEnd ? [] : ending(durationMs, attempts)),
    ...(containment === undefined ? [] : [["sandbox", sandboxWords[containment]] as const]),
    ...(accepted === undefined ? [] : [["accepted", `asked for at ${accepted.at}`] as const]),
    ...(call.outcome === "ended" ? unfit(call.misfits) : []),
    ...(error ? [["error", `${error.code}: ${error.message}`] as const] : []),
  ];
}

/** How the call can be undone, whether it was, and which call it undoes itself. */
function undoing(call: LedgerCall, earlier: EarlierRollback | undefined): readonly Fact[] {
  const { forced, rollback, rollbackOf } = call;
  return [
    ...(rollbackOf === undefined ? [] : [["undoes", rollbackOf] as const]),
    ...(forced === undefined ? [] : [["forced", forced] as const]),
    ...(rollback === undefined ? [] : [["way back", wayBackWords(rollback)] as const]),
    ...recovered(rollback),
    ...(earlier === undefined
      ? []
      : [["rolled back", `${earlier.isDone ? "by" : "perhaps by"} ${earlier.by}`] as const]),
  ];
}

function wayBackWords(way: WayBack): string {
  if (way.strategy === "unchanged") return "not needed: the call changed no file";
  if (way.strategy === "none") return `none: ${way.reason}`;
  if (way.strategy !== "compensate")
    return `${formatCount(way.paths, "copy", "copies")} of ${formatCount(way.bytes, "byte")}`;
  const { parameters } = way;
  if ("omitted" in parameters)
    return `none: ${way.tool} would need parameters that were not kept (${parameters.omitted})`;
  return `a call of ${way.tool}${"sealed" in parameters ? ", with encrypted parameters" : ""}`;
}

/** Changes of other calls that this call found begun by a killed process. */
function recovered(way: WayBack | undefined): readonly Fact[] {
  if (way === undefined || !("recovered" in way)) return [];
  return (way.recovered ?? []).map(
    ({ call, end }) => ["recovered", `changes of ${call}: ${end}`] as const,
  );
}

const sandboxWords = {
  none: "none: the process ran unconfined",
  external: "that of the deployment",
} as const;

/** Renders each mismatch with its path in the result, or in the response behind the result. */
function unfit(misfits: EndRecord["misfits"] = []): readonly Fact[] {
  return misfits.map(({ message, pointer, subject }) => [
    "doesn't fit",
    `${subject}: ${pointer === "" ? "the value" : pointer} ${message}`,
  ]);
}

function settled({ as, because, correction, time }: Settlement): readonly Fact[] {
  const again = correction ? ", which replaces an earlier finding" : "";
  return [
    ["settled", `${as}, at ${time}${again}`],
    ["because", because],
  ];
}

function ending(durationMs: number, attempts: number): readonly Fact[] {
  return [
    ["took", formatMs(durationMs)],
    ["attempts", attempts === 0 ? "0, nothing was sent" : String(attempts)],
  ];
}

function place(call: LedgerCall): readonly Fact[] {
  return [
    ["skill version", call.version.skill],
    ["binding version", call.version.binding],
    ...(call.version.manifest === undefined ? [] : [["manifest", call.version.manifest] as const]),
    ["recorded", `${call.place.file ?? call.place.writer}, record ${call.place.seq}`],
  ];
}

function jsonBlock(name: string, value: JsonValue, colors: Colors): string {
  return block(name, JSON.stringify(value, undefined, 2), colors);
}

/** Renders the result. Results are cut at a fixed length, so only a short one is whole JSON. */
function resultBlock(result: string, colors: Colors): string {
  try {
    return block("result", JSON.stringify(JSON.parse(result), undefined, 2), colors);
  } catch {
    return block("result, cut", result, colors);
  }
}

function block(name: string, text: string, colors: Colors): string {
  const lines = text.split("\n").map((line) => `    ${printable(line)}`);
  return [`  ${colors.dim(name)}`, ...lines].join("\n");
}
