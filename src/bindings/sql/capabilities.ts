import type { Capability } from "@skillc/runtime";
import { sqlReach } from "@skillc/runtime/internal/sql";
import { quote } from "../../core/names.js";
import type { CapabilityForm } from "../../kit/capability-form.js";
import { analyzed, type SqlConfig } from "./model.js";

/** Those of the statement, with what is known of each table. */
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
  // Those of the tables come first, in this order.
  const touched = [...reads, ...writes];
  return capabilities.map((capability, index) => {
    const of = touched[index];
    if (of === undefined) return { capability, credentials };
    const { behind, columns, kind: relation } = of;
    return { capability, credentials, relation, columns, behind };
  });
}

/** `sql:read ${WAREHOUSE_URL} public.orders`: without a table, all of them. */
export const sqlCapabilityForm: CapabilityForm = {
  purpose: "sql",
  form: "sql:read ${WAREHOUSE_URL} public.orders",
  problem(act, place) {
    if (!["read", "write", "*"].includes(act))
      return `has ${quote(act)} behind \`sql:\`, which is none of \`read\`, \`write\` and \`*\``;
    const [, table] = /^\$\{\w+\}(?: (.+))?$/.exec(place) ?? [undefined, ""];
    if (table === "") return "doesn't name its connection first, as `${NAME}`";
    return table === undefined || isTable(table)
      ? undefined
      : `has ${quote(table)} for a table, which isn't named with its schema`;
  },
};

/** Each part as PostgreSQL quotes it where it has to, or with `*` for any text. */
function isTable(text: string): boolean {
  return /^(?:[^\s".]+|"(?:[^"]|"")+")\.(?:[^\s".]+|"(?:[^"]|"")+")$/.test(text);
}
