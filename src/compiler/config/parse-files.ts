import type { FileSettings } from "../../core/project.js";
import type { Report } from "../../core/report.js";
import { type MapNode, valueOf } from "../../core/syntax-node.js";
import { checkShape } from "../../schema/check-shape.js";
import { configSchema } from "./config-schema.js";
import { folderOf } from "./project-path.js";

const terms = {
  subject: "`files`",
  unknownKey: "config/unknown-key",
  missingKey: "config/missing-key",
  wrongType: "config/wrong-type",
  wrongValue: "config/wrong-value",
} as const;

/**
 * Parses `files:`, which limits the files that calls may read and send. Undefined if it is absent
 * or, with a report, invalid.
 */
export function parseFiles(node: MapNode | undefined, report: Report): FileSettings | undefined {
  if (node === undefined) return undefined;
  if (!checkShape(node, configSchema.properties.files, report, terms)) return undefined;
  const list = valueOf(node, "folders");
  const items = list?.kind === "list" ? list.items : [];
  const folders = items.flatMap((each) => folderOf(each, "uploads", report) ?? []);
  const most = valueOf(node, "max_bytes");
  return {
    ...(folders.length > 0 && { folders }),
    // The schema guarantees a number here.
    ...(most?.kind === "scalar" && typeof most.value === "number" && { maxBytes: most.value }),
  };
}
