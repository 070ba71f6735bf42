import type { Count, Run } from "./count.js";
import { countsOfPromises, countsOfStored } from "./promises.js";
import type { End } from "./publish.js";
import { groups } from "./times.js";

/** Tolerance for late timers on a busy machine, in milliseconds. */
const lateMs = 1000;

/** The counts of a run, in the order of the report. */
export function judge(run: Run): readonly Count[] {
  return [
    ...countsOfCalls(run),
    ...countsOfPromises(run),
    ...countsOfStored(run),
    ...longestCalls(run),
    ...faultsOf(run),
  ];
}

function countsOfCalls({ published, ledger, stored }: Run): readonly Count[] {
  const ends = published.map(({ end }) => end);
  const statuses = [...ledger.byTrace.values()].flat().map(({ status }) => nameOf(status));
  return [
    { what: "published", count: published.length },
    ...groups(ends.map(tellEnd)),
    ...groups(statuses.map((status) => `ledger: ${status}`)),
    { what: "messages in the broker", count: stored.length },
  ];
}

function nameOf(status: string): string {
  return status === "success" ? "succeeded" : status;
}

function tellEnd(end: End): string {
  if (end.kind === "hung") return "hung";
  return end.kind === "resolved"
    ? `resolved: ${end.status}`
    : `rejected: ${end.code}, ${end.outcome}`;
}

/** Counts calls that took longer than their attempts may take. */
function longestCalls({ published }: Run): readonly Count[] {
  const limits = [...new Set(published.map(({ tool }) => tool.limitMs))].toSorted((a, b) => a - b);
  return limits.map((limitMs) => {
    const times = published.filter(({ tool }) => tool.limitMs === limitMs).map(({ ms }) => ms);
    const longest = Math.round(times.reduce((most, ms) => Math.max(most, ms), 0));
    return { what: `longest call of ${limitMs} ms`, count: longest, most: limitMs + lateMs };
  });
}

function faultsOf({ faults }: Run): readonly Count[] {
  return groups(faults.map((kind) => `fault: ${kind}`));
}
