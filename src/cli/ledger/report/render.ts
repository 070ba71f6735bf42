import type { Counted, ModeSummary } from "./mode-summary.js";
import type { LedgerReport } from "./report.js";
import type { ReportFinding } from "./findings.js";
import type { ParameterComparison, ParameterSide } from "./parameters.js";
import {
  type Colors,
  type ConsoleStyle,
  colorsOf,
  paintStatus,
  printable,
  renderTable,
} from "../console-style.js";
import { formatMs, formatNumber, formatShare, formatTime } from "../quantities.js";

const maxParameters = 20;

/** Renders the shadow calls of each tool beside its active ones. */
export function renderReport(reports: readonly LedgerReport[], style: ConsoleStyle): string {
  const colors = colorsOf(style);
  if (reports.length === 0) return colors.dim("no calls");
  return reports.map((each) => renderTool(each, style, colors)).join("\n\n\n");
}

function renderTool(report: LedgerReport, style: ConsoleStyle, colors: Colors): string {
  const name = printable(`${report.skill}/${report.tool}`);
  return [
    `${colors.bold(name)} ${colors.dim(`${printable(report.kind)}, ${report.effect}`)}`,
    "",
    overview(report.shadow, report.active, colors),
    ...findings(report.findings, colors),
    ...parameters(report, style, colors),
  ].join("\n");
}

function overview(shadow: ModeSummary, active: ModeSummary, colors: Colors): string {
  const row = (name: string, of: (summary: ModeSummary) => string) => [
    colors.dim(name),
    of(shadow),
    of(active),
  ];
  const rows = [
    row("calls", (side) => formatNumber(side.calls)),
    row("first", (side) => (side.first === null ? "" : formatTime(side.first))),
    row("last", (side) => (side.last === null ? "" : formatTime(side.last))),
    row("p50", ({ latency }) => (latency ? formatMs(latency.p50) : "")),
    row("p95", ({ latency }) => (latency ? formatMs(latency.p95) : "")),
    row("max", ({ latency }) => (latency ? formatMs(latency.max) : "")),
    row("retried", (side) => formatNumber(side.retried)),
    ...paired(shadow.statuses, active.statuses).map(([value, s, a]) => [
      paintStatus(value, printable(value, 24), colors),
      s,
      a,
    ]),
  ];
  const columns = [
    { head: "" },
    { head: "shadow", align: "right" as const },
    { head: "active", align: "right" as const },
  ];
  return renderTable(columns, rows, colors);
}

function paired(
  shadow: readonly Counted[],
  active: readonly Counted[],
): readonly (readonly [string, string, string])[] {
  const names = [...new Set([...shadow, ...active].map((each) => each.value))];
  return names.map((name) => [name, sayCount(shadow, name), sayCount(active, name)]);
}

function sayCount(side: readonly Counted[], name: string): string {
  const found = side.find((each) => each.value === name);
  return found ? `${formatNumber(found.count)}  ${formatShare(found.share).padStart(5)}` : "";
}

function findings(all: readonly ReportFinding[], colors: Colors): readonly string[] {
  const marks = { stop: colors.red("✗"), look: colors.yellow("!"), note: colors.dim("·") };
  const lines = all.map((each) => {
    const text = printable(each.message);
    return `${marks[each.level]} ${each.level === "note" ? colors.dim(text) : text}`;
  });
  return lines.length === 0 ? [] : ["", ...lines];
}

function parameters(report: LedgerReport, style: ConsoleStyle, colors: Colors): readonly string[] {
  const shown = report.parameters.slice(0, maxParameters);
  if (shown.length === 0) return [];
  const longest = Math.max(...shown.map((each) => Math.min(each.path.length, 32)), 9);
  const room = Math.max(16, Math.floor((style.width - longest - 11 - 2 * 5 - 10) / 2));
  const rows = shown.map((each) => [
    printable(each.path, 32),
    paintVerdict(each, colors),
    share(each.shadow),
    values(each.shadow, room),
    share(each.active),
    values(each.active, room),
  ]);
  const columns = [
    { head: "parameter" },
    { head: "" },
    { head: "shadow", align: "right" as const },
    { head: "" },
    { head: "active", align: "right" as const },
    { head: "" },
  ];
  const left = report.parameters.length - shown.length + report.parametersLeftOut;
  const more =
    left === 0 ? [] : [colors.dim(`… and ${formatNumber(left)} more: --json and --html have them`)];
  return ["", renderTable(columns, rows, colors), ...more];
}

function paintVerdict({ verdict }: ParameterComparison, colors: Colors): string {
  if (verdict === "uncompared") return "";
  if (verdict === "alike") return colors.green(verdict);
  return verdict === "types" ? colors.red(verdict) : colors.yellow(verdict);
}

function share(side: ParameterSide): string {
  return side.calls === 0 ? "–" : formatShare(side.share);
}

function values(side: ParameterSide, room: number): string {
  return printable(describeValues(side), room);
}

/** Describes one side's values in a few words. */
function describeValues(side: ParameterSide): string {
  if (side.calls === 0) return "";
  const [top] = side.top;
  const varied = top !== undefined && side.distinct > 8 && top.share < 0.2;
  if (varied && side.min !== null && side.max !== null) return `${side.min} to ${side.max}`;
  if (varied)
    return `${formatNumber(side.distinct)}${side.distinctMore ? "+" : ""} different ${side.types.join(", ")}s`;
  return side.top.map((each) => `${each.value} ${formatShare(each.share)}`).join(", ");
}
