import type { ToolModel } from "../../core/skill-model.js";
import type { WriteHints } from "../../kit/write-hints.js";
import { writeReason } from "./describe/write-reason.js";
import { analyzed, type SqlConfig } from "./model.js";

const inserts = writeReason({ kind: "modifies", name: "INSERT" });

/** A statement that only inserts changes no row. */
export function sqlWriteHints(_tool: ToolModel, config: SqlConfig): Partial<WriteHints> {
  const { writes } = analyzed(config);
  const onlyInserts = writes.length > 0 && writes.every(({ what }) => what === inserts);
  // ON CONFLICT DO UPDATE changes rows that are there.
  const mayUpdate = /\bupdate\b/i.test(config.query.value);
  return { destructive: !onlyInserts || mayUpdate };
}
