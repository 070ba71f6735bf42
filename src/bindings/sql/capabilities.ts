import type { Capability } from "@skillc/runtime";
import { sqlReach } from "@skillc/runtime/internal/sql";
import { quote } from "../../core/names.js";
import type { CapabilityForm } from "../../kit/capability-form.js";
import { analyzed, type SqlConfig } from "./model.js";

/**
 * Lists the capabilities that a statement needs. Each capability of a table names the columns that
 * the statement uses.
 */
export function sqlCapabilities(
  config: SqlConfig,
  credentials: readonly string[],
): readonly Capability[] {
  const { reads, writes } = analyzed(config).touched;
  const tables = {
    reads: reads.map(({ table }) => table),
    writes: writes.map(({ table }) => table),
  };
  const effect = config.readOnly?.value === false ? "write" : "read";
  const { capabilities } = sqlReach(`\${${config.connection.name}}`, effect, tables);
  // `sqlReach` lists the capabilities of tables first, in this order.
  const touched = [...reads, ...writes];
  return capabilities.map((capability, index) => {
    const of = touched[index];
    if (of === undefined) return { capability, credentials };
    const { behind, columns, kind: relation } = of;
    return { capability, credentials, relation, columns, behind };
  });
}

/**
 * Example: `sql:read ${WAREHOUSE_URL} public.orders`. Without a table, the capability covers all
 * tables.
 */
export const sqlCapabilityForm: CapabilityForm = {
  purpose: "sql",
  form: "sql:read ${WAREHOUSE_URL} public.orders",
  problem(act, place) {
    if (!["read", "write", "*"].includes(act))
      return `has ${quote(act)} after \`sql:\`, which is not \`read\`, \`write\` or \`*\``;
    const [, table] = /^\$\{\w+\}(?: (.+))?$/.exec(place) ?? [undefined, ""];
    if (table === "") return "doesn't name its connection first, as `${NAME}`";
    return table === undefined || isTable(table)
      ? undefined
      : `has the table ${quote(table)} without its schema`;
  },
};

/** Expects `schema.table`. A part may be quoted, and may contain `*` for any text. */
function isTable(text: string): boolean {
  return /^(?:[^\s".]+|"(?:[^"]|"")+")\.(?:[^\s".]+|"(?:[^"]|"")+")$/.test(text);
}
