import type { Effect } from "@skillc/runtime";
import { type LedgerCall, statusOf } from "@skillc/runtime/internal/ledger";
import type { Counted, ModeSummary } from "./mode-summary.js";
import { type ReportFinding, findingsOf } from "./findings.js";
import {
  type LatencyHistogram,
  histogramOf,
  summarizeLatency,
  type Timeline,
  timelineOf,
} from "./distributions.js";
import { ParameterTally, type ParameterComparison, compareParameters } from "./parameters.js";

/** Compares the shadow calls of a tool with its active calls. All values are JSON. */
export interface LedgerReport {
  readonly skill: string;
  readonly tool: string;
  /** Binding kind of the tool, or `handler`. */
  readonly kind: string;
  readonly effect: Effect;
  readonly shadow: ModeSummary;
  readonly active: ModeSummary;
  /** Facts for the decision to switch the tool, most serious first. */
  readonly findings: readonly ReportFinding[];
  /** Parameters, the largest difference first. */
  readonly parameters: readonly ParameterComparison[];
  /** Number of parameter paths that the report does not follow. */
  readonly parametersLeftOut: number;
  readonly latency: LatencyHistogram;
  readonly timeline: Timeline;
}

/** Maximum number of different names. Others count as `(others)`. */
const maxNames = 200;

/** Collects the calls of one mode. */
class ModeTally {
  calls = 0;
  firstMs = Number.POSITIVE_INFINITY;
  lastMs = Number.NEGATIVE_INFINITY;
  retried = 0;
  readonly statuses = new Map<string, number>();
  readonly errors = new Map<string, number>();
  readonly bindings = new Map<string, number>();
  readonly deniedBy = new Map<string, number>();
  readonly durations: number[] = [];
  readonly times: number[] = [];
  readonly parameters = new ParameterTally();

  add(call: LedgerCall): void {
    const timeMs = Date.parse(call.time);
    this.calls += 1;
    this.firstMs = Math.min(this.firstMs, timeMs);
    this.lastMs = Math.max(this.lastMs, timeMs);
    this.times.push(timeMs);
    const status = statusOf(call);
    count(this.statuses, status);
    if (status === "denied")
      for (const each of call.decision?.decidedBy ?? []) count(this.deniedBy, each);
    count(this.bindings, call.version.binding);
    this.parameters.add(call.parameters);
    const { attempts, durationMs, error } = call;
    // A write without an end.
    if (attempts === undefined || durationMs === undefined) return;
    if (error) count(this.errors, error.code);
    if (attempts > 1) this.retried += 1;
    // A call that was rejected before anything was sent says nothing about durations.
    if (!(error && attempts === 0)) this.durations.push(durationMs);
  }

  summary(): ModeSummary {
    return {
      calls: this.calls,
      first: this.calls === 0 ? null : new Date(this.firstMs).toISOString(),
      last: this.calls === 0 ? null : new Date(this.lastMs).toISOString(),
      statuses: ranked(this.statuses, this.calls),
      ...(this.deniedBy.size > 0 && { deniedBy: ranked(this.deniedBy, this.calls) }),
      errors: ranked(this.errors, this.calls),
      retried: this.retried,
      latency: summarizeLatency(this.durations),
      bindings: ranked(this.bindings, this.calls),
    };
  }
}

function count(counts: Map<string, number>, value: string): void {
  const name = counts.has(value) || counts.size < maxNames ? value : "(others)";
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function ranked(counts: ReadonlyMap<string, number>, total: number): readonly Counted[] {
  return [...counts]
    .map(([value, number]) => ({ value, count: number, share: number / total }))
    .toSorted((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
}

interface ToolTally {
  readonly newest: LedgerCall;
  readonly shadow: ModeTally;
  readonly active: ModeTally;
}

/**
 * Makes one report for each tool among the calls, sorted by name. Needs memory for two numbers per
 * call and a bounded sample of each parameter's values.
 *
 * @param calls in the order of `queryLedger`, newest first
 */
export async function reportLedger(
  calls: AsyncIterable<LedgerCall> | Iterable<LedgerCall>,
): Promise<readonly LedgerReport[]> {
  const tools = new Map<string, ToolTally>();
  for await (const call of calls) {
    const name = `${call.skill}/${call.tool}`;
    let tally = tools.get(name);
    if (!tally)
      tools.set(name, (tally = { newest: call, shadow: new ModeTally(), active: new ModeTally() }));
    tally[call.mode].add(call);
  }
  return [...tools].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, tally]) => reportOf(tally));
}

function reportOf({ newest, shadow, active }: ToolTally): LedgerReport {
  const { skill, tool, kind, effect } = newest;
  const compared = compareParameters(shadow.parameters, active.parameters);
  const facts = {
    effect,
    shadow: shadow.summary(),
    active: active.summary(),
    parameters: compared.parameters,
  };
  return {
    skill,
    tool,
    kind,
    ...facts,
    parametersLeftOut: compared.leftOut,
    findings: findingsOf(facts),
    latency: histogramOf(shadow.durations, active.durations),
    timeline: timelineOf(shadow.times, active.times),
  };
}
