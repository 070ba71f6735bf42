import type { Effect } from "@skillc/runtime";
import type { ModeSummary } from "./mode-summary.js";
import type { ParameterComparison } from "./parameters.js";

/** A fact to know before a tool is switched to active. */
export interface ReportFinding {
  /**
   * `stop`: calls would also fail in active mode. `look`: results differ, or there are too few
   * calls. `note`: explains the other findings.
   */
  readonly level: "stop" | "look" | "note";
  readonly message: string;
}

export interface FindingFacts {
  readonly effect: Effect;
  readonly shadow: ModeSummary;
  readonly active: ModeSummary;
  readonly parameters: readonly ParameterComparison[];
}

/** Minimum number of calls for meaningful shares. */
const enoughCalls = 30;

export function findingsOf(facts: FindingFacts): readonly ReportFinding[] {
  return [
    ...shadowFailures(facts),
    ...outcomes(facts),
    ...amounts(facts),
    ...parameterFindings(facts),
    ...readingHelp(facts),
  ];
}

/** Finds calls that failed before anything was sent. They would fail in both modes. */
function shadowFailures({ shadow }: FindingFacts): readonly ReportFinding[] {
  return shadow.errors.map(({ value, count }) => ({
    level: "stop",
    message: `${counted(count, "shadow call")} failed with ${value}; active calls would fail the same way`,
  }));
}

function outcomes({ active }: FindingFacts): readonly ReportFinding[] {
  const ended = (status: string) => active.statuses.find((each) => each.value === status);
  const [unknown, denied] = [ended("unknown"), ended("denied")];
  return [
    ...(unknown === undefined
      ? []
      : [
          look(
            `${counted(unknown.count, "active call")} of unknown outcome: nobody knows whether they were carried out`,
          ),
        ]),
    ...(denied === undefined
      ? []
      : [look(`${counted(denied.count, "active call")} denied, by ${deniedBy(active)}`)]),
  ];
}

function look(message: string): ReportFinding {
  return { level: "look", message };
}

/** Maximum number of findings of this kind. */
const maxDeciding = 5;

function deniedBy({ deniedBy: all = [] }: ModeSummary): string {
  const shown = all.slice(0, maxDeciding).map(({ count, value }) => `${value} (${count})`);
  const more = all.length - shown.length;
  return `${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

function amounts({ shadow, active }: FindingFacts): readonly ReportFinding[] {
  if (shadow.calls === 0)
    return [{ level: "note", message: "there are no shadow calls to compare" }];
  const few: ReportFinding[] =
    shadow.calls < enoughCalls
      ? [
          {
            level: "look",
            message: `${counted(shadow.calls, "shadow call")} ${shadow.calls === 1 ? "is" : "are"} few: shares can be chance`,
          },
        ]
      : [];
  if (shadow.bindings.length > 1) {
    const message = `shadow calls were made by ${shadow.bindings.length} versions of the binding; only the newest would go active`;
    few.push({ level: "look", message });
  }
  if (active.calls === 0)
    few.push({ level: "note", message: "there are no active calls to compare with" });
  return few;
}

function parameterFindings({ parameters }: FindingFacts): readonly ReportFinding[] {
  return parameters.flatMap((each) => {
    const message = sayParameter(each);
    return message === undefined ? [] : [{ level: "look" as const, message }];
  });
}

function sayParameter({
  path,
  verdict,
  shadow,
  active,
  newValues,
  difference,
}: ParameterComparison): string | undefined {
  switch (verdict) {
    case "types":
      return `\`${path}\` is ${shadow.types.join(" or ")} in shadow, ${active.types.join(" or ")} in active`;
    case "only-shadow":
      return `\`${path}\` was given in ${percent(shadow.share)} of shadow calls, never in active ones`;
    case "only-active":
      return `\`${path}\` was given in ${percent(active.share)} of active calls, never in shadow ones`;
    case "range":
      return `\`${path}\` runs from ${shadow.min} to ${shadow.max} in shadow, from ${active.min} to ${active.max} in active`;
    case "presence":
      return `\`${path}\` was given in ${percent(shadow.share)} of shadow calls, in ${percent(active.share)} of active ones`;
    case "values": {
      const fresh = newValues.length === 0 ? "" : `; active never had ${newValues.join(", ")}`;
      return `\`${path}\` has other values in shadow: ${percent(difference)} of them would have to change${fresh}`;
    }
    case "new-values":
      return `\`${path}\` had ${newValues.join(", ")} in shadow, never in active`;
    case "alike":
    case "uncompared":
      return undefined;
  }
}

function readingHelp({ effect, shadow }: FindingFacts): readonly ReportFinding[] {
  if (effect === "read" || shadow.calls === 0) return [];
  return [
    {
      level: "note",
      message: "shadow writes are not sent: their latency is the time to build the request",
    },
  ];
}

function counted(count: number, what: string): string {
  return `${count.toLocaleString("en-US")} ${what}${count === 1 ? "" : "s"}`;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
