import Table from "cli-table3";
import { type Count, isKept } from "./count.js";

/** @param title title of the table: the provider and the options of the run */
export function countTable(title: string, counts: readonly Count[]): string {
  const table = new Table({
    head: [title, "", "at most", ""],
    // Leaves out lines between rows, which would double the table's length.
    chars: { mid: "", "left-mid": "", "mid-mid": "", "right-mid": "" },
    style: { head: [], border: [] },
    colAligns: ["left", "right", "right", "left"],
  });
  for (const each of counts)
    table.push([each.what, each.count, each.most ?? "", isKept(each) ? "" : "broken"]);
  return table.toString();
}
