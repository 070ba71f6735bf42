import type { Capability } from "@skillc/runtime";
import { sqlReach } from "@skillc/runtime/internal/sql";
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
