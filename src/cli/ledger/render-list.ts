import { type LedgerCall, statusOf } from "../../runtime/ledger/ledger-call.js";
import {
  type ConsoleStyle,
  colorsOf,
  paintStatus,
  printable,
  renderTable,
} from "./console-style.js";
import { formatMs, formatTime } from "./quantities.js";

const longestName = 44;
/** Less than this of the parameters says nothing. */
const fewestForParameters = 16;

/**
 * Calls as a table, one a line, newest first.
 *
 * @param next the cursor to go on with, when there may be more
 */
export function renderLedgerList(
  calls: readonly LedgerCall[],
  style: ConsoleStyle,
  next?: string,
): string {
  const colors = colorsOf(style);
  if (calls.length === 0) return colors.dim("no calls");
  const names = calls.map((call) => printable(`${call.skill}/${call.tool}`, longestName));
  const statuses = calls.map((call) => printable(statusOf(call), 20));
  const durations = calls.map((call) =>
    call.outcome === "ended" ? formatMs(call.durationMs) : "",
  );
  const times = calls.map((call) => formatTime(call.time));
  const widthBeside = (time: TimeColumn): number =>
    [["xxxxxxxx"], [time.head, ...time.cells], names, ["shadow"], statuses, durations].reduce(
      (sum, each) => sum + widest(each) + 2,
      0,
    );
  const whole: TimeColumn = { head: "time (UTC)", cells: times };
  // The last column is followed by nothing.
  const time = widthBeside(whole) - 2 > style.width ? withoutDay(whole) : whole;
  const room = style.width - widthBeside(time);
  const withParameters = room >= fewestForParameters;
  const rows = calls.map((call, index) => [
    colors.dim(printable(call.id.slice(0, 8))),
    time.cells[index] ?? "",
    names[index] ?? "",
    call.mode === "shadow" ? colors.blue("shadow") : "active",
    paintStatus(statusOf(call), statuses[index] ?? "", colors),
    durations[index] ?? "",
    ...(withParameters ? [colors.dim(printable(JSON.stringify(call.parameters), room))] : []),
  ]);
  const columns = [
    { head: "id" },
    { head: time.head },
    { head: "tool" },
    { head: "mode" },
    { head: "status" },
    { head: "took", align: "right" as const },
    ...(withParameters ? [{ head: "parameters" }] : []),
  ];
  const more = next === undefined ? "" : `\n${colors.dim(`more: --cursor ${next}`)}`;
  return `${renderTable(columns, rows, colors)}${more}`;
}

interface TimeColumn {
  readonly head: string;
  readonly cells: readonly string[];
}

/** The day, when all calls are of one, is said once: in the head. */
function withoutDay(time: TimeColumn): TimeColumn {
  const day = time.cells[0]?.slice(0, 10) ?? "";
  if (!time.cells.every((each) => each.startsWith(`${day} `))) return time;
  return { head: `${day} UTC`, cells: time.cells.map((each) => each.slice(day.length + 1)) };
}

function widest(texts: readonly string[]): number {
  return texts.reduce((most, each) => Math.max(most, each.length), "status".length);
}
