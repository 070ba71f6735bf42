import Table from "cli-table3";
import { type Count, isKept } from "./count.js";

/** @param title over the counts: the provider, and how it was run */
export function countTable(title: string, counts: readonly Count[]): string {
  const table = new Table({
    head: [title, "", "at most", ""],
    // A line under each row would double the table's length.
    chars: { mid: "", "left-mid": "", "mid-mid": "", "right-mid": "" },
    style: { head: [], border: [] },
    colAligns: ["left", "right", "right", "left"],
  });
  for (const each of counts)
    table.push([each.what, each.count, each.most ?? "", isKept(each) ? "" : "broken"]);
  return table.toString();
}
