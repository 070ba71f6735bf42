import type { Capability } from "@skillc/runtime";
import { sqlReach } from "@skillc/runtime/internal/sql";
import type { TouchedTable } from "./analysis/touched.js";
import { analyzed, type SqlConfig } from "./model.js";

/** A capability for each table that the statement reads or writes; one of the connection alone for a statement that touches none. */
export function sqlCapabilities(
  config: SqlConfig,
  credentials: readonly string[],
): readonly Capability[] {
  const { reads, writes } = analyzed(config).touched;
  const connection = `\${${config.connection.name}}`;
  const capabilities = (tables: readonly TouchedTable[], side: "reads" | "writes") =>
    tables.flatMap(({ behind, columns, kind: relation, table }) =>
      sqlReach(connection, { [side]: [table] }).capabilities.map((capability) => {
        return { capability, credentials, relation, columns, behind };
      }),
    );
  if (reads.length + writes.length > 0)
    return [...capabilities(reads, "reads"), ...capabilities(writes, "writes")];
  return sqlReach(connection, {}).capabilities.map((capability) => ({ capability, credentials }));
}
