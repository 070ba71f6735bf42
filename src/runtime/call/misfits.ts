/**
 * Handles answers that don't match their schema: they throw, or are returned and reported, by the
 * application's option `misfits`. Reports contain places, but never values.
 */
import type { ToolError } from "../errors.js";
import type { RecordedMisfit } from "../ledger/record.js";
import { shownPlace } from "../validation/validation.js";
import type { Call } from "./call.js";
import { maskText } from "./mask.js";

/** Maximum number of reported problems, because a stream may have any number of items. */
const maxReported = 20;

/**
 * Reports an answer, or an item, that doesn't match its schema. Answers of handlers and fakes
 * always throw, because the application can fix them.
 *
 * @param error the error to throw if mismatches are not only reported
 * @throws that error
 */
export function takeMisfit(call: Call, error: ToolError): void {
  const isService = call.binding === call.tool.binding;
  if (call.runtime.misfits !== "report" || call.mustFit || !isService) throw error;
  call.misfits ??= [];
  if (call.misfits.length < maxReported) call.misfits.push(error);
}

/**
 * Requires a valid answer from here on, because governance relies on the schema.
 *
 * @throws ToolError if the answer was already found not to match
 */
export function requireFitting(call: Call): void {
  call.mustFit = true;
  const [first] = call.misfits ?? [];
  if (first !== undefined) throw first;
}

/**
 * Returns the reports. If the answer has masked values, places are hidden, because they may contain
 * names that the service chose.
 */
export function recordedMisfits({ misfits = [], tool }: Call): readonly RecordedMisfit[] {
  const isMasked = tool.maskedResult !== undefined || tool.maskedOwnData !== undefined;
  return misfits
    .flatMap(({ failure }) =>
      failure.code === "SCHEMA.VALIDATION_FAILED"
        ? failure.problems.map(({ keyword, message, pointer }) => ({
            subject: failure.subject,
            pointer: isMasked ? maskText : shownPlace(pointer),
            keyword,
            message,
          }))
        : [],
    )
    .slice(0, maxReported);
}
