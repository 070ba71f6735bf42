import type { Node } from "@pgsql/types";
import type { Snapshot } from "../../database/snapshot.js";
import { OUTSIDE, startAnalysis } from "./analysis.js";
import type { OutputColumn, Recorder } from "./model.js";

export interface ResultColumn {
  /** Without the mark. */
  readonly name: string;
  /** As PostgreSQL names the column: with the mark. */
  readonly label: string;
  /** Whether callers must expect NULL: what is proven, unless the author's mark says otherwise. */
  readonly nullable: boolean;
  /** What is proven, marks aside. */
  readonly proven: "not-null" | "nullable";
  /** The author's word in the alias: `AS "name!"` is never NULL, `AS "name?"` may be. */
  readonly mark?: "!" | "?";
  /** The author says that it is never NULL, and it always is. */
  readonly contradicted: boolean;
  /** Of the target, where it was written: UTF-8 bytes into the statement. */
  readonly location?: number;
}

export interface NullabilityOptions {
  /** Numbers of the parameters that are never NULL: `1` for `$1`. Any other may be. */
  readonly valued?: ReadonlySet<number>;
}

/**
 * Which columns of a statement's result can be NULL. A column is "not-null" only when that is proven from the tree and the catalogue; whatever is not
 * understood is nullable. The columns are in PostgreSQL's order, one for each that it describes; undefined when they cannot be told, and
 * all of them have to be taken for nullable. No result, no columns. Never throws.
 *
 * Believed without proof: NOT NULL constraints of tables, and that the data fit them.
 */
export function nullabilityOf(
  tree: Node,
  snapshot: Snapshot,
  { valued = new Set() }: NullabilityOptions = {},
): readonly ResultColumn[] | undefined {
  const analysis = startAnalysis(snapshot, {
    record: SILENT,
    recordBehind: () => SILENT,
    hasValue: (parameter) => valued.has(parameter),
  });
  return analysis.query(tree, OUTSIDE).columns?.map(resultColumn);
}

/** For those who only want the columns. */
const SILENT: Recorder = {
  relation: () => undefined,
  column: () => undefined,
  functions: () => undefined,
  operators: () => undefined,
  cast: () => undefined,
  reference: () => undefined,
  type: () => undefined,
};

function resultColumn({ name, value, aliased, location }: OutputColumn): ResultColumn {
  const proven = value.null === "never" ? "not-null" : "nullable";
  const mark = aliased ? /.[!?]$/u.exec(name)?.[0].slice(-1) : undefined;
  const contradicted = mark === "!" && value.null === "always";
  return {
    name: mark === undefined ? name : name.slice(0, -1),
    label: name,
    nullable: mark === "!" ? contradicted : mark === "?" || proven === "nullable",
    proven,
    ...(mark === "!" || mark === "?" ? { mark } : {}),
    contradicted,
    ...(location === undefined ? {} : { location }),
  };
}
