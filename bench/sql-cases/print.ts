import Table from "cli-table3";
import { type Bar, isMet } from "./bars.js";
import type { Verdict } from "./judge.js";

export function verdictTable(verdicts: readonly Verdict[]): string {
  const table = plainTable(["case", "expected", "became", "at", "references", "notes"]);
  for (const each of verdicts) {
    const { became, expect, id, place = "", references } = each;
    const seen = references.all === 0 ? "" : `${references.seen}/${references.all}`;
    table.push([id, expect, became, place, seen, notesOn(each).join("\n")]);
  }
  return table.toString();
}

export function barTable(bars: readonly Bar[]): string {
  const table = plainTable(["what", "count", "of", "share", "at least", ""]);
  for (const bar of bars) {
    const { count, least, name, of } = bar;
    const share = of === 0 ? "" : `${((100 * count) / of).toFixed(1)} %`;
    table.push([name, count, of, share, `${least * 100} %`, isMet(bar) ? "" : "missed"]);
  }
  return table.toString();
}

function notesOn({ reason, wrongColumns, wrongNulls }: Verdict): readonly string[] {
  return [
    ...(reason === "" ? [] : [reason]),
    ...wrongColumns,
    ...wrongNulls.map((name) => `${name} was NULL`),
  ];
}

function plainTable(head: string[]): Table.Table {
  // Leaves out lines between rows, which would double the table's length.
  const chars = { mid: "", "left-mid": "", "mid-mid": "", "right-mid": "" };
  return new Table({ head, chars, style: { head: [], border: [] } });
}
