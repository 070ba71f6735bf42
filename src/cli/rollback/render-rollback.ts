/** Lays out what was undone, as text. */
import type { RollbackResult, TraceRollback } from "@skillc/runtime";
import {
  type Colors,
  type ConsoleStyle,
  colorsOf,
  jsonBlock,
  printable,
  renderTable,
} from "../ledger/console-style.js";

/** Renders the rollback of one call. */
export function renderRollback(result: RollbackResult, style: ConsoleStyle): string {
  const colors = colorsOf(style);
  const title = `${colors.bold(printable(result.tool))}  ${verdictOf(result, colors)}`;
  const facts = factsOf(result);
  const width = Math.max(...facts.map(([name]) => name.length));
  const lines = facts.map(
    ([name, value]) => `  ${colors.dim(name.padEnd(width))}  ${printable(value)}`,
  );
  return [title, ...lines, ...detailsOf(result, colors)].join("\n");
}

/** Renders the rollback of a trace: each call, and the calls that are left. */
export function renderTraceRollback(trace: TraceRollback, style: ConsoleStyle): string {
  const colors = colorsOf(style);
  if (trace.results.length === 0 && trace.left.length === 0)
    return colors.dim("nothing to undo: the trace has no call that changed anything");
  const left = trace.left.map(({ call, tool }) => `  ${printable(call)}  ${printable(tool)}`);
  return [
    ...trace.results.map((each) => renderRollback(each, style)),
    ...(left.length === 0 ? [] : [colors.bold("left, and not undone"), ...left]),
  ].join("\n");
}

function verdictOf(result: RollbackResult, colors: Colors): string {
  if (result.status === "rolled_back") return colors.green("rolled back");
  if (result.status === "not_rolled_back") return colors.red("not rolled back");
  return result.allow
    ? colors.green("would be rolled back")
    : colors.red("would not be rolled back");
}

type Fact = readonly [name: string, value: string];

function factsOf(result: RollbackResult): readonly Fact[] {
  const how = result.strategy === "compensate" ? "a call of another tool" : "copies of its files";
  return [
    ["call", result.call],
    ["by", "by" in result ? `${how}: ${result.by}` : how],
    ...(result.status === "would_roll_back" && result.reason !== undefined
      ? [["reason", `${result.reason.code}: ${result.reason.message}`] as const]
      : []),
  ];
}

function detailsOf(result: RollbackResult, colors: Colors): readonly string[] {
  const changes = "changes" in result ? result.changes : undefined;
  if (changes !== undefined)
    return changes.length === 0
      ? [`  ${colors.dim("no file differs from its copy")}`]
      : [
          renderTable(
            [{ head: "change" }, { head: "path" }],
            changes.map(({ change, path }) => [change, printable(path)]),
            colors,
          ),
        ];
  if (result.status === "would_roll_back")
    return result.other?.request === undefined
      ? []
      : [jsonBlock("request of the other tool", result.other.request, colors)];
  return "answer" in result && result.answer !== undefined
    ? [jsonBlock("answer of the other tool", result.answer, colors)]
    : [];
}
