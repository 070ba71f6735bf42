import { readFileSync } from "node:fs";

/** A statement, the schema that it is for, and what PostgreSQL says of it. */
export interface SqlCase {
  readonly id: string;
  /** With placeholders as skills have them: `:name`. */
  readonly sql: string;
  readonly params: readonly CaseParameter[];
  readonly expect: "ok" | "fail";
  readonly schema: string;
  /** Of the result, in order; absent where PostgreSQL refuses. */
  readonly columns?: readonly CaseColumn[];
}

export interface CaseParameter {
  readonly name: string;
  /** As PostgreSQL's `format_type` spells it; null where nothing is known. */
  readonly pgType: string | null;
  readonly nullable: boolean | null;
}

export interface CaseColumn {
  readonly name: string;
  /** As PostgreSQL's `format_type` spells it. */
  readonly type: string;
  /** It was NULL when the statement was run on some data. */
  readonly everNull?: boolean;
}

/** @throws an Error when the file is no list of cases */
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
