import type { Alias, ColumnRef, Node } from "@pgsql/types";

/**
 * Expands `*` to `a.*, b.*`. These are equal unless a join merges columns. Undefined if they
 * differ, or if there is no `*`.
 */
export function writtenStars(
  targets: readonly Node[],
  from: readonly Node[],
): readonly Node[] | undefined {
  if (!targets.some(isPlainStar)) return undefined;
  const names = from.map(aliasesOfFromItem);
  if (from.length === 0 || !names.every((each) => each !== undefined)) return undefined;
  const stars = names.flat().map((sval): Node => {
    const star: ColumnRef = { fields: [{ String: { sval } }, { A_Star: {} }] };
    return { ResTarget: { val: { ColumnRef: star } } };
  });
  return targets.flatMap((each) => (isPlainStar(each) ? stars : [each]));
}

function isPlainStar(target: Node): boolean {
  if (!("ResTarget" in target)) return false;
  const { val } = target.ResTarget;
  const [first, ...others] =
    val !== undefined && "ColumnRef" in val ? (val.ColumnRef.fields ?? []) : [];
  return first !== undefined && "A_Star" in first && others.length === 0;
}

/**
 * The names of an item of FROM, or of the items of a join; undefined if names are not enough to get
 * all columns.
 */
function aliasesOfFromItem(item: Node): readonly string[] | undefined {
  if ("RangeVar" in item) return aliasName(item.RangeVar.alias) ?? [item.RangeVar.relname ?? ""];
  if ("RangeSubselect" in item) return aliasName(item.RangeSubselect.alias);
  if ("RangeFunction" in item) return aliasName(item.RangeFunction.alias);
  if (!("JoinExpr" in item)) return undefined;
  const { alias, isNatural, larg, rarg, usingClause } = item.JoinExpr;
  if (alias !== undefined) return aliasName(alias);
  if (isNatural === true || usingClause !== undefined) return undefined;
  const sides = [larg, rarg].map((each) => each && aliasesOfFromItem(each));
  return sides.every((each) => each !== undefined) ? sides.flat() : undefined;
}

function aliasName(alias: Alias | undefined): readonly string[] | undefined {
  return alias?.aliasname === undefined ? undefined : [alias.aliasname];
}
