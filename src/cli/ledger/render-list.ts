import { type LedgerCall, statusOf } from "@skillc/runtime/internal/ledger";
import {
  type Colors,
  type Column,
  type ConsoleStyle,
  colorsOf,
  paintStatus,
  printable,
  renderTable,
} from "./console-style.js";
import { formatMs, formatTime } from "./quantities.js";

const longestName = 44;
const longestCaller = 32;
const longestStep = 24;
/** Minimum widths of parameters and error codes, in characters. */
const fewestForParameters = 16;
const fewestForError = 12;

interface ListColumn extends Column {
  /** Plain text for each call. Widths count visible characters. */
  readonly cells: readonly string[];
  readonly paint?: (text: string, call: LedgerCall) => string;
}

/**
 * Renders calls as a table, one per line, newest first.
 *
 * @param next cursor of the next page, if there may be more
 */
export function renderLedgerList(
  calls: readonly LedgerCall[],
  style: ConsoleStyle,
  next?: string,
): string {
  const colors = colorsOf(style);
  if (calls.length === 0) return colors.dim("no calls");
  const columns = withParameters(fitting(columnsOf(calls, colors), style.width), calls, style);
  const rows = calls.map((call, index) =>
    columns.map(({ cells, paint }) => {
      const text = cells[index] ?? "";
      return paint === undefined ? text : paint(text, call);
    }),
  );
  const more = next === undefined ? "" : `\n${colors.dim(`more: --cursor ${next}`)}`;
  return `${renderTable(columns, rows, colors)}${more}`;
}

interface CallColumns {
  readonly id: ListColumn;
  readonly time: ListColumn;
  readonly tool: ListColumn;
  readonly mode: ListColumn;
  /** Column of governed calls; absent if there are none. */
  readonly caller?: ListColumn;
  /** Column of steps; absent if no call belongs to a step. */
  readonly step?: ListColumn;
  readonly status: ListColumn;
  readonly took?: ListColumn;
  /** Column of error codes; absent if no call failed. */
  readonly error?: ListColumn;
}

function columnsOf(calls: readonly LedgerCall[], colors: Colors): CallColumns {
  const column = (head: string, cell: (call: LedgerCall) => string): ListColumn => ({
    head,
    cells: calls.map(cell),
  });
  const caller = column("caller", ({ caller: who }) => printable(callerOf(who), longestCaller));
  const step = column("step", (call) => printable(call.step ?? "", longestStep));
  const error = column("error", (call) => printable(errorOf(call), 40));
  return {
    id: { ...column("id", ({ id }) => printable(id.slice(0, 8))), paint: colors.dim },
    time: column("time (UTC)", ({ time }) => formatTime(time)),
    tool: column("tool", ({ skill, tool }) => printable(`${skill}/${tool}`, longestName)),
    mode: {
      ...column("mode", ({ mode }) => mode),
      paint: (text) => (text === "shadow" ? colors.blue(text) : text),
    },
    ...(caller.cells.some((each) => each !== "") && { caller }),
    ...(step.cells.some((each) => each !== "") && { step }),
    status: {
      ...column("status", (call) => printable(statusOf(call), 20)),
      paint: (text, call) => paintStatus(statusOf(call), text, colors),
    },
    took: {
      ...column("took", ({ durationMs }) => (durationMs === undefined ? "" : formatMs(durationMs))),
      align: "right",
    },
    ...(error.cells.some((each) => each !== "") && { error: { ...error, paint: colors.red } }),
  };
}

/** Prints a caller: `ada of acme`. */
function callerOf({ subject, tenant }: NonNullable<LedgerCall["caller"]> = {}): string {
  return [subject, ...(tenant === undefined ? [] : ["of", tenant])].filter(Boolean).join(" ");
}

function errorOf(call: LedgerCall): string {
  return call.error?.code ?? "";
}

/**
 * Fits the columns to a narrow console: drops the day first, then callers, steps and durations,
 * then cuts codes.
 */
function fitting(columns: CallColumns, width: number): readonly ListColumn[] {
  const shorter = { ...columns, time: withoutDay(columns.time) };
  const { caller: _caller, ...withoutCaller } = shorter;
  const { step: _step, ...withoutStep } = withoutCaller;
  const { took: _took, ...withoutTook } = withoutStep;
  const narrower = [columns, shorter, withoutCaller, withoutStep].map(listed);
  const found = narrower.find((each) => widthOf(each) <= width);
  if (found !== undefined) return found;
  const { error, ...others } = withoutTook;
  if (error === undefined) return narrower.at(-1) ?? [];
  const room = Math.max(fewestForError, width - widthOf(listed(others)) - gap);
  return listed({
    ...others,
    error: { ...error, cells: error.cells.map((each) => printable(each, room)) },
  });
}

function listed(columns: CallColumns): readonly ListColumn[] {
  const { id, time, tool, mode, caller, step, status, took, error } = columns;
  return [id, time, tool, mode, caller, step, status, took, error].filter(
    (each) => each !== undefined,
  );
}

function withParameters(
  columns: readonly ListColumn[],
  calls: readonly LedgerCall[],
  style: ConsoleStyle,
): readonly ListColumn[] {
  const room = style.width - widthOf(columns) - gap;
  if (room < fewestForParameters) return columns;
  const cells = calls.map((call) => printable(JSON.stringify(call.parameters), room));
  return [...columns, { head: "parameters", cells, paint: colorsOf(style).dim }];
}

/** Moves the day to the head if all calls are on the same day. */
function withoutDay(time: ListColumn): ListColumn {
  const day = time.cells[0]?.slice(0, 10) ?? "";
  if (!time.cells.every((each) => each.startsWith(`${day} `))) return time;
  return { head: `${day} UTC`, cells: time.cells.map((each) => each.slice(day.length + 1)) };
}

/** Number of characters between two columns. */
const gap = 2;

function widthOf(columns: readonly ListColumn[]): number {
  const widths = columns.map(({ head, cells }) =>
    cells.reduce((most, each) => Math.max(most, each.length), head.length),
  );
  return widths.reduce((sum, each) => sum + each + gap, -gap);
}
