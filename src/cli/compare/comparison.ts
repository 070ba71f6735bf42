import type { CatalogComparison } from "../../compiler/compare-tools/compare-catalogs.js";
import type { Side } from "./sides.js";

/** Result of `skillc compare`, printed unchanged by `--json`. */
export interface Comparison extends CatalogComparison {
  readonly old: ComparedSide;
  readonly new: ComparedSide;
}

export interface ComparedSide {
  readonly kind: Side["kind"];
  /** The side as the user wrote it. */
  readonly name: string;
  /** Commit of a revision; null for other sides. */
  readonly commit: string | null;
  /** Explains the source of its tools if it isn't obvious. */
  readonly note: string | null;
}

export function comparedSide(side: Side, note: string | undefined): ComparedSide {
  const { kind, name } = side;
  return { kind, name, commit: side.kind === "revision" ? side.commit : null, note: note ?? null };
}
