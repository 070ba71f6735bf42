import type { Report } from "../../../core/report.js";
import type { Mismatch } from "../../../schema/compare/mismatch.js";
import type { CheckedMessage } from "./checked-message.js";
import { reportExclusive } from "./report-exclusive.js";
import { nodeAt } from "./node-at.js";
import { reportBranch, unnamedUnion } from "./report-branch.js";
import { reportAbsent, reportMissing } from "./report-missing.js";
import { reportUnknown } from "./report-unknown.js";
import { reportValue } from "./report-value.js";

/** Reports what of a message its schema can't take, where it was written. */
export function reportMismatches(
  found: readonly Mismatch[],
  message: CheckedMessage,
  report: Report,
): void {
  const told = new Set<string>();
  for (const mismatch of found) {
    const union = unnamedUnion(mismatch, message);
    if (union !== undefined) {
      const place = union.path.join("\0");
      if (!told.has(place)) reportBranch(union, message, report);
      told.add(place);
      continue;
    }
    const at = nodeAt(message, mismatch.path);
    if (mismatch.kind === "unknown" && at.inside.length === 0)
      reportUnknown(mismatch.path, at, message, report);
    else if (mismatch.kind === "absent" && at.inside.length === 0)
      reportAbsent(mismatch.path, at, message, report);
    else if (mismatch.kind === "missing" && at.node.kind === "map" && at.inside.length === 1)
      reportMissing(mismatch, found, message, report);
    else if (mismatch.kind === "exclusive") reportExclusive(mismatch, message, report);
    else reportValue(mismatch, at, message, report);
  }
}
