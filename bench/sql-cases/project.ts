import { Document } from "yaml";
import type { CaseParameter, SqlCase } from "./case.js";
import { schemaOf } from "./type-names.js";

/** A case, and the options of its tool. */
export interface Attempt {
  readonly case: SqlCase;
  /**
   * True for `read_only: false` and `all_rows: true`. The benchmark does not judge how much a case
   * changes.
   */
  readonly writes: boolean;
  /** True if parameters may be null that the case calls nullable. */
  readonly nulls: boolean;
}

/**
 * Returns the files of a project in which each case is the only tool of its own skill. All cases
 * have the same schema.
 */
export function projectOf(attempts: readonly Attempt[]): Readonly<Record<string, string>> {
  const skills = attempts.map((each, at) => [skillFile(at), skillText(each, at)]);
  return {
    "skillc.yaml": "databases: { DB: { schema: [schema.sql] } }\n",
    "schema.sql": attempts[0]?.case.schema ?? "",
    ...Object.fromEntries(skills),
  };
}

/** Path of the nth attempt's skill. */
export function skillFile(at: number): string {
  return `skills/${skillName(at)}/SKILL.md`;
}

export function skillName(at: number): string {
  return `case-${at + 1}`;
}

function skillText({ case: { params, sql }, nulls, writes }: Attempt, at: number): string {
  const binding = { type: "sql", connection: "${DB}", query: sql };
  const tool = {
    description: "Asks the database.",
    parameters: parametersOf(params, nulls),
    ...(writes && { risk_level: "high" }),
    binding: { ...binding, ...(writes && { read_only: false, all_rows: true }) },
  };
  const front = { name: skillName(at), description: "One statement.", tools: { ask: tool } };
  // Keeps the lines of the statement.
  const text = new Document(front).toString({ lineWidth: 0, blockQuote: "literal" });
  return `---\n${text}---\n`;
}

function parametersOf(params: readonly CaseParameter[], nulls: boolean): object {
  const properties = params.map(({ name, nullable, pgType }): [string, object] => [
    name,
    nulls && nullable === true ? orNull(schemaOf(pgType)) : schemaOf(pgType),
  ]);
  return {
    type: "object",
    additionalProperties: false,
    required: params.map(({ name }) => name),
    properties: Object.fromEntries(properties),
  };
}

function orNull(schema: object): object {
  return "type" in schema ? { ...schema, type: [schema.type, "null"].flat() } : schema;
}
