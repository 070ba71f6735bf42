import type { CatalogComparison } from "../../compiler/compare-tools/compare-catalogs.js";
import type { Side } from "./sides.js";

/** What `skillc compare` found: `--json` prints it as it is. */
export interface Comparison extends CatalogComparison {
  readonly old: ComparedSide;
  readonly new: ComparedSide;
}

export interface ComparedSide {
  readonly kind: Side["kind"];
  /** As the user wrote it. */
  readonly name: string;
  /** Of a revision. */
  readonly commit: string | null;
  /** How its tools were come by, where that isn't plain. */
  readonly note: string | null;
}

export function comparedSide(side: Side, note: string | undefined): ComparedSide {
  const { kind, name } = side;
  return { kind, name, commit: side.kind === "revision" ? side.commit : null, note: note ?? null };
}
