import { isDeepStrictEqual } from "node:util";
import type { Chain } from "../builder/chain.js";
import { selectedRow } from "../builder/selected-row.js";
import type { Snapshot } from "../database/snapshot.js";
import type { ResultColumnModel, SelectedColumnModel } from "../model.js";
import type { SqlType } from "../types/sql-type.js";

/**
 * What `tsc` must find in the rows of the statement's code, so that a column which is no longer of its type, or no longer NOT NULL where the tool needs that,
 * is an error in this tool.
 */
export function selectedColumns(
  chain: Chain,
  columns: readonly ResultColumnModel[],
  snapshot: Snapshot,
): readonly SelectedColumnModel[] {
  const row = selectedRow(chain, snapshot);
  return columns.flatMap((column) => {
    const { byConstraint, label, span, type } = column;
    const selected = row.get(label);
    // The other part of a UNION may have made it another type.
    if (selected === undefined || !isAlike(selected.type, type)) return [];
    return [
      { label, type, span, nullable: selected.nullable || mayBeNull(column) || !byConstraint },
    ];
  });
}

/** Of a column marked with `!` the author answers for it, whatever the database says. */
function mayBeNull({ label, name, nullable }: ResultColumnModel): boolean {
  return nullable || label !== name;
}

function isAlike(a: SqlType, b: SqlType): boolean {
  return isDeepStrictEqual(a, b);
}
