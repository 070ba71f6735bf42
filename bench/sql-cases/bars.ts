import type { Verdict } from "./judge.js";

/** A share of the cases, and its required value. */
export interface Bar {
  readonly name: string;
  readonly count: number;
  readonly of: number;
  /** Minimum share, from 0 to 1. */
  readonly least: number;
}

/** Measures the promises of SQL bindings over all cases. */
export function barsOf(verdicts: readonly Verdict[]): readonly Bar[] {
  const good = verdicts.filter(({ expect }) => expect === "ok");
  const bad = verdicts.filter(({ expect }) => expect === "fail");
  const compiled = good.filter(isCompiled);
  const sum = (count: (verdict: Verdict) => number) =>
    compiled.reduce((total, each) => total + count(each), 0);
  return [
    { name: "ok: compile", count: compiled.length, of: good.length, least: 1 },
    {
      name: "ok: proved builder code",
      count: compiled.filter(({ became }) => became === "builder").length,
      of: good.length,
      least: 0.95,
    },
    {
      name: "ok: PostgreSQL's column names and types",
      count: compiled.filter(({ wrongColumns }) => wrongColumns.length === 0).length,
      of: compiled.length,
      least: 1,
    },
    {
      name: "columns that were NULL: nullable",
      count: sum(({ nulls, wrongNulls }) => nulls - wrongNulls.length),
      of: sum(({ nulls }) => nulls),
      least: 1,
    },
    {
      name: "references that tsc sees",
      count: sum(({ references }) => references.seen),
      of: sum(({ references }) => references.all),
      least: 0.9,
    },
    {
      name: "fail: rejected",
      count: bad.filter(({ became }) => became === "rejected").length,
      of: bad.length,
      least: 1,
    },
    {
      name: "fail: rejected at a place in the statement",
      count: bad.filter(({ became, place }) => became === "rejected" && place !== undefined).length,
      of: bad.length,
      least: 1,
    },
  ];
}

export function isMet({ count, least, of }: Bar): boolean {
  return count >= of * least;
}

function isCompiled({ became }: Verdict): boolean {
  return became === "builder" || became === "template";
}
