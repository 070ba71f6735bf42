import type { CaseColumn } from "./case.js";
import type { Compiled } from "./compile-cases.js";
import { catalogName, nameOf } from "./type-names.js";

/** Result of a case, as the table and `--json` show it. */
export interface Verdict {
  readonly id: string;
  readonly expect: "ok" | "fail";
  /**
   * How the generated code sends the statement: as builder code, or as a template of its own text.
   * The other values mean that the case has no code.
   */
  readonly became: "builder" | "template" | "rejected" | "crashed";
  /** First error, or the reason for a template. */
  readonly reason: string;
  /** Place of the first error in SKILL.md, as `12:5`; absent if it is outside of the statement. */
  readonly place?: string;
  /** Result columns whose names or types differ from PostgreSQL's. */
  readonly wrongColumns: readonly string[];
  /** Columns that were NULL although their type excludes null. */
  readonly wrongNulls: readonly string[];
  /** Number of columns that were NULL. */
  readonly nulls: number;
  readonly references: { readonly seen: number; readonly all: number };
}

export function judge(compiled: Compiled): Verdict {
  const { id, expect } = compiled.case;
  const none = { wrongColumns: [], wrongNulls: [], nulls: 0, references: { seen: 0, all: 0 } };
  const { crash, errors, statement } = compiled;
  if (crash !== undefined) return { id, expect, became: "crashed", reason: crash, ...none };
  const [error] = errors;
  if (error !== undefined || statement === undefined) {
    const reason = error === undefined ? "nothing was planned" : `${error.code}: ${error.message}`;
    const place = placeOf(compiled);
    return {
      id,
      expect,
      became: "rejected",
      reason,
      ...(place !== undefined && { place }),
      ...none,
    };
  }
  const { notTranslated, references } = statement;
  return {
    id,
    expect,
    became: notTranslated === undefined ? "builder" : "template",
    reason: notTranslated ?? "",
    ...compareColumns(compiled.case.columns ?? [], statement.columns),
    references,
  };
}

/** Line and column of the first error, if it covers only a part of the statement. */
function placeOf({ case: { sql }, errors: [error], text }: Compiled): string | undefined {
  if (error === undefined || !error.span.file.endsWith("SKILL.md")) return undefined;
  const { start, end } = error.span;
  const query = text.indexOf("query:") + "query:".length;
  if (start < query || end - start >= Math.max(sql.length, 2)) return undefined;
  return lineAndColumn(text, start);
}

type StatementColumns = NonNullable<Compiled["statement"]>["columns"];

function compareColumns(
  expected: readonly CaseColumn[],
  found: StatementColumns,
): Pick<Verdict, "wrongColumns" | "wrongNulls" | "nulls"> {
  const most = Math.max(expected.length, found.length);
  const wrongColumns = Array.from({ length: most }, (_, at) => {
    const wanted = expected[at];
    const here = found[at];
    const wantedText = wanted && `${wanted.name} ${catalogName(wanted.type)}`;
    const foundText = here && `${here.label} ${nameOf(here.type)}`;
    return wantedText === foundText ? [] : [`${foundText ?? "none"} for ${wantedText ?? "none"}`];
  }).flat();
  const everNull = expected.flatMap(({ everNull, name }, at) =>
    everNull === true ? [{ name, nullable: found[at]?.nullable }] : [],
  );
  const wrongNulls = everNull.filter(({ nullable }) => nullable === false).map(({ name }) => name);
  return { wrongColumns, wrongNulls, nulls: everNull.length };
}

function lineAndColumn(text: string, offset: number): string {
  const lines = text.slice(0, offset).split("\n");
  return `${lines.length}:${(lines.at(-1)?.length ?? 0) + 1}`;
}
