import type { Alias, ColumnRef, Node } from "@pgsql/types";

/**
 * `*` written out as `a.*, b.*`, which is the same as long as no join makes one column of two; undefined where it isn't, or where there is none.
 */
export function writtenStars(
  targets: readonly Node[],
  from: readonly Node[],
): readonly Node[] | undefined {
  if (!targets.some(isStar)) return undefined;
  const names = from.map(namesIn);
  if (from.length === 0 || !names.every((each) => each !== undefined)) return undefined;
  const stars = names.flat().map((sval): Node => {
    const star: ColumnRef = { fields: [{ String: { sval } }, { A_Star: {} }] };
    return { ResTarget: { val: { ColumnRef: star } } };
  });
  return targets.flatMap((each) => (isStar(each) ? stars : [each]));
}

function isStar(target: Node): boolean {
  if (!("ResTarget" in target)) return false;
  const { val } = target.ResTarget;
  const [first, ...others] =
    val !== undefined && "ColumnRef" in val ? (val.ColumnRef.fields ?? []) : [];
  return first !== undefined && "A_Star" in first && others.length === 0;
}

/** What an item of FROM is called, or the items of a join; undefined where names are not enough to know all columns. */
function namesIn(item: Node): readonly string[] | undefined {
  if ("RangeVar" in item) return named(item.RangeVar.alias) ?? [item.RangeVar.relname ?? ""];
  if ("RangeSubselect" in item) return named(item.RangeSubselect.alias);
  if ("RangeFunction" in item) return named(item.RangeFunction.alias);
  if (!("JoinExpr" in item)) return undefined;
  const { alias, isNatural, larg, rarg, usingClause } = item.JoinExpr;
  if (alias !== undefined) return named(alias);
  if (isNatural === true || usingClause !== undefined) return undefined;
  const sides = [larg, rarg].map((each) => each && namesIn(each));
  return sides.every((each) => each !== undefined) ? sides.flat() : undefined;
}

function named(alias: Alias | undefined): readonly string[] | undefined {
  return alias?.aliasname === undefined ? undefined : [alias.aliasname];
}
