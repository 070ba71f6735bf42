/** Lays out runs as text. */
import { type KeptRun, type RunStateAt, type RunSummary, stateOfRun } from "@skillc/runtime/runs";
import {
  type Colors,
  type ConsoleStyle,
  colorsOf,
  jsonBlock,
  paintStatus,
  printable,
  renderTable,
} from "../ledger/console-style.js";
import { formatTime } from "../ledger/quantities.js";
import { acceptedChanges, type RunStep, stepsOf } from "./run-steps.js";

const longestName = 44;

/** Runs as a table, one a line. */
export function renderRunList(
  runs: readonly RunSummary[],
  hasMore: boolean,
  style: ConsoleStyle,
): string {
  const colors = colorsOf(style);
  if (runs.length === 0) return colors.dim("no runs");
  const hasTenant = runs.some(({ run }) => run.tenant !== undefined);
  const hasSubject = runs.some(({ subject }) => subject !== undefined);
  const heads = [
    "run",
    ...(hasTenant ? ["tenant"] : []),
    "plan",
    "state",
    "begun (UTC)",
    "changed (UTC)",
    ...(hasSubject ? ["subject"] : []),
  ];
  const rows = runs.map((each) => [
    printable(each.run.id, longestName),
    ...(hasTenant ? [printable(each.run.tenant ?? "", longestName)] : []),
    printable(each.tool, longestName),
    paintState(each, colors),
    formatTime(each.begunAt),
    formatTime(each.changedAt),
    ...(hasSubject ? [printable(each.subject ?? "", longestName)] : []),
  ]);
  const more = hasMore ? `\n${colors.dim("there are more: --limit")}` : "";
  return `${renderTable(
    heads.map((head) => ({ head })),
    rows,
    colors,
  )}${more}`;
}

/** Everything about a run but values, unless `withValues` is set. */
export function renderRun(run: KeptRun, withValues: boolean, style: ConsoleStyle): string {
  const colors = colorsOf(style);
  const { beginning } = run;
  const title = `${colors.bold(printable(beginning.tool))}  ${paintState(stateOfRun(run), colors)}`;
  const facts = [
    ["run", run.run.id],
    ...(run.run.tenant === undefined ? [] : [["tenant", run.run.tenant]]),
    ...(beginning.subject === undefined ? [] : [["subject", beginning.subject]]),
    ["trace", beginning.trace],
    ...(beginning.driver?.name === "dbos"
      ? [["workflow", `${beginning.driver.workflow} of DBOS`]]
      : []),
    ...(run.begunAt === undefined ? [] : [["begun", run.begunAt]]),
  ];
  const width = Math.max(...facts.map(([name = ""]) => name.length));
  const lines = facts.map(
    ([name = "", value = ""]) => `  ${colors.dim(name.padEnd(width))}  ${printable(value)}`,
  );
  const steps = stepsOf(run);
  const end = run.events.findLast((each) => each.type === "ended");
  const blocks = withValues
    ? [
        jsonBlock("parameters", beginning.params, colors),
        ...steps.flatMap(({ key, result }) =>
          result === undefined ? [] : [jsonBlock(`answer of ${key}`, result, colors)],
        ),
        ...(end?.result === undefined ? [] : [jsonBlock("result", end.result, colors)]),
      ]
    : [];
  return [
    title,
    ...lines,
    ...(steps.length > 0 ? [renderSteps(steps, colors)] : []),
    ...acceptedChanges(run).map(
      ({ at = "", text }) =>
        `  ${colors.dim("accepted changes")}  ${formatTime(at)}  ${printable(text)}`,
    ),
    ...blocks,
  ].join("\n");
}

function renderSteps(steps: readonly RunStep[], colors: Colors): string {
  const hasError = steps.some(({ error }) => error !== undefined);
  const hasSettled = steps.some(({ settled }) => settled !== undefined);
  const rows = steps.map(({ at = "", call = "", error = "", key, settled = "", state }) => [
    printable(key, longestName),
    paintStep(state, colors),
    printable(call, longestName),
    formatTime(at),
    ...(hasError ? [colors.red(printable(error, longestName))] : []),
    ...(hasSettled ? [printable(settled)] : []),
  ]);
  const heads = [
    "step",
    "state",
    "call",
    "time (UTC)",
    ...(hasError ? ["error"] : []),
    ...(hasSettled ? ["settled because"] : []),
  ];
  return renderTable(
    heads.map((head) => ({ head })),
    rows,
    colors,
  )
    .split("\n")
    .map((line) => `  ${line}`)
    .join("\n");
}

function paintState({ state, status }: RunStateAt, colors: Colors): string {
  if (state === "ended") return paintStatus(status ?? "", printable(status ?? state, 20), colors);
  return state === "suspended" ? colors.yellow(state) : colors.magenta(state);
}

function paintStep(state: RunStep["state"], colors: Colors): string {
  if (state === "answered") return colors.green(state);
  return state === "begun" ? colors.magenta(state) : colors.yellow(state);
}
