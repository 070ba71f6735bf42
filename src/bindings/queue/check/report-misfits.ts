import type { Report } from "../../../core/report.js";
import type { Misfit } from "../../../schema/fit/misfit.js";
import type { CheckedMessage } from "./checked-message.js";
import { reportExclusive } from "./report-exclusive.js";
import { nodeAt } from "./node-at.js";
import { reportBranch, unnamedUnion } from "./report-branch.js";
import { reportAbsent, reportMissing } from "./report-missing.js";
import { reportUnknown } from "./report-unknown.js";
import { reportValue } from "./report-value.js";

/** Reports what of a message its schema can't take, where it was written. */
export function reportMisfits(
  found: readonly Misfit[],
  message: CheckedMessage,
  report: Report,
): void {
  const told = new Set<string>();
  for (const misfit of found) {
    const union = unnamedUnion(misfit, message);
    if (union !== undefined) {
      const place = union.path.join("\0");
      if (!told.has(place)) reportBranch(union, message, report);
      told.add(place);
      continue;
    }
    const at = nodeAt(message, misfit.path);
    if (misfit.kind === "unknown" && at.inside.length === 0)
      reportUnknown(misfit.path, at, message, report);
    else if (misfit.kind === "absent" && at.inside.length === 0)
      reportAbsent(misfit.path, at, message, report);
    else if (misfit.kind === "missing" && at.node.kind === "map" && at.inside.length === 1)
      reportMissing(misfit, found, message, report);
    else if (misfit.kind === "exclusive") reportExclusive(misfit, message, report);
    else reportValue(misfit, at, message, report);
  }
}
