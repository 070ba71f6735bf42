/** Lays out what a call would change, for its approver. */
import type { ShownEffect, TrialDetails } from "@skillc/runtime/governance";
import { effectCounts } from "@skillc/runtime/internal/governance";
import { type Colors, printable } from "../ledger/console-style.js";

/**
 * Renders all effects of a trial, a line each, and the diffs of texts below their files. Paths and
 * contents come from the call.
 */
export function renderEffects({ effects, more = 0 }: TrialDetails, colors: Colors): string {
  const lines = effects.flatMap((effect) => [lineOf(effect, colors), ...diffOf(effect, colors)]);
  const rest =
    more === 0 ? [] : [`    and ${more} more created or changed entries, which are not listed`];
  const none = effects.length === 0 ? ["    nothing changes"] : [];
  return [`  ${colors.dim("effects")}`, ...lines, ...rest, ...none].join("\n");
}

function lineOf({ change, path, what }: ShownEffect, colors: Colors): string {
  return `    ${paint(change, colors)}  ${printable(path)}  ${colors.dim(printable(what))}`;
}

function paint(change: ShownEffect["change"], colors: Colors): string {
  switch (change) {
    case "created":
      return colors.green("created");
    case "changed":
      return colors.yellow("changed");
    case "deleted":
      return colors.red("deleted");
  }
}

function diffOf({ diff }: ShownEffect, colors: Colors): readonly string[] {
  if (diff === undefined) return [];
  return diff.split("\n").map((line) => {
    const safe = `      ${printable(line)}`;
    if (line.startsWith("+")) return colors.green(safe);
    return line.startsWith("-") ? colors.red(safe) : safe;
  });
}

/** Summarizes a trial in a line. */
export function summarize(trial: TrialDetails): string {
  const { host, status } = trial;
  return `${effectCounts(trial)}; the answer will be \`${status}\`; kept on the machine \`${host}\``;
}
