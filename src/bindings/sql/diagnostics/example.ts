import type { DiagnosticEntry, ProjectFiles } from "../../../core/diagnostic-entry.js";
import type { Severity } from "../../../core/diagnostic.js";
import { exampleSkill } from "../../../core/example-skill.js";

/** The parts of an example, as YAML lines. */
interface SqlExample {
  readonly query: string;
  readonly parameters?: readonly string[];
  /** Keys of the tool besides `binding`. */
  readonly tool?: readonly string[];
  /** Keys of the binding besides `type`, `connection` and `query`. */
  readonly binding?: readonly string[];
  readonly connection?: string;
  readonly schema?: string;
  readonly settings?: readonly string[];
  /** `set_config:` of skillc.yaml. */
  readonly setConfig?: readonly string[];
}

const orders = `CREATE TYPE order_status AS ENUM ('open', 'shipped');
CREATE TABLE orders (
  id bigint PRIMARY KEY,
  customer varchar(40) NOT NULL,
  status order_status NOT NULL,
  note text
);
`;

/** Makes an example: a project of one skill with one SQL tool. */
export function sqlExample(example: SqlExample): ProjectFiles {
  const lines = [
    "tools_schema:",
    "  ask-orders:",
    "    description: Asks about orders.",
    ...[...(example.parameters ?? []), ...(example.tool ?? [])].map((line) => `    ${line}`),
    "    binding:",
    "      type: sql",
    `      connection: ${example.connection ?? "${WAREHOUSE_URL}"}`,
    "      query: |",
    ...example.query.split("\n").map((line) => `        ${line}`),
    ...(example.binding ?? []).map((line) => `      ${line}`),
  ];
  const settings = example.settings ?? ["WAREHOUSE_URL: { schema: [db/schema.sql] }"];
  return {
    "skillc.yaml": [
      ...mapping("databases", settings),
      ...mapping("set_config", example.setConfig ?? []),
      "",
    ].join("\n"),
    "db/schema.sql": example.schema ?? orders,
    ...exampleSkill("warehouse", "Answers questions about orders.", lines),
  };
}

function mapping(key: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`${key}:`, ...lines.map((line) => `  ${line}`)];
}

/** The texts of a diagnostic, and a tool that causes it. */
interface SqlEntry {
  readonly severity?: Severity;
  readonly title: string;
  readonly explanation: string;
  readonly example: SqlExample;
  /** The parts of the example that the fix changes. */
  readonly fixed: Partial<SqlExample>;
}

/**
 * Makes the entry of a diagnostic.
 *
 * @param about its texts and example; the severity is `error` by default
 */
export function sqlEntry(about: SqlEntry): DiagnosticEntry {
  const { example, explanation, fixed, severity = "error", title } = about;
  return {
    severity,
    title,
    explanation,
    example: sqlExample(example),
    fixed: sqlExample({ ...example, ...fixed }),
  };
}

/** Keys of a tool that writes. */
export const highRisk: readonly string[] = ["risk_level: high"];
export const writes: readonly string[] = ["read_only: false"];
