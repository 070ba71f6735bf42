import { readFileSync } from "node:fs";

/** A statement, its schema, and PostgreSQL's description of it. */
export interface SqlCase {
  readonly id: string;
  /** Statement with placeholders as in skills: `:name`. */
  readonly sql: string;
  readonly params: readonly CaseParameter[];
  readonly expect: "ok" | "fail";
  readonly schema: string;
  /** Columns of the result, in order; absent if PostgreSQL rejects the statement. */
  readonly columns?: readonly CaseColumn[];
}

export interface CaseParameter {
  readonly name: string;
  /** Name from PostgreSQL's `format_type`; null if it is unknown. */
  readonly pgType: string | null;
  readonly nullable: boolean | null;
}

export interface CaseColumn {
  readonly name: string;
  /** Name from PostgreSQL's `format_type`. */
  readonly type: string;
  /** True if the column was NULL when the statement ran on sample data. */
  readonly everNull?: boolean;
}

/** @throws Error if the file is not a list of cases */
export function readCases(path: string): readonly SqlCase[] {
  const cases: unknown = JSON.parse(readFileSync(path, "utf8"));
  if (!Array.isArray(cases)) throw new Error(`${path} is no list of cases`);
  return cases.map((each: unknown, at) => {
    if (!isCase(each)) throw new Error(`${path}: what stands at ${at} is no case`);
    return each;
  });
}

function isCase(value: unknown): value is SqlCase {
  if (typeof value !== "object" || value === null) return false;
  const isText = (name: string) => name in value && typeof Reflect.get(value, name) === "string";
  const { params, columns, expect }: Readonly<Record<string, unknown>> = { ...value };
  return (
    ["id", "sql", "schema"].every(isText) &&
    (expect === "ok" || expect === "fail") &&
    Array.isArray(params) &&
    (expect === "fail" || Array.isArray(columns))
  );
}
