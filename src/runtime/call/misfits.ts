/**
 * Answers that don't fit their schema: refused, or given as they came and told of, as the
 * application's `misfits` says. Told is where they differ, and never a value of theirs.
 */
import type { ToolError } from "../errors.js";
import type { RecordedMisfit } from "../ledger/record.js";
import { shownPlace } from "../validation/validation.js";
import type { Call } from "./call.js";
import { maskText } from "./mask.js";

/** A stream may have any number of items; this many problems are told. */
const maxReported = 20;

/**
 * Takes note of an answer that doesn't fit, or of an item of one. What a handler gives, or a fake, is
 * the application's own to mend, and refused as ever.
 *
 * @param error why it is refused, where it is
 * @throws that error
 */
export function takeMisfit(call: Call, error: ToolError): void {
  const isService = call.binding === call.tool.binding;
  if (call.runtime.misfits !== "report" || call.mustFit || !isService) throw error;
  call.misfits ??= [];
  if (call.misfits.length < maxReported) call.misfits.push(error);
}

/**
 * From here on the answer must fit: what governance does to it is said of the schema.
 *
 * @throws ToolError where the answer has been found not to
 */
export function requireFitting(call: Call): void {
  call.mustFit = true;
  const [first] = call.misfits ?? [];
  if (first !== undefined) throw first;
}

/**
 * What is told of them. A place may be made of names that the other side chose: beside an answer of
 * which something is masked it is not told.
 */
export function toldMisfits({ misfits = [], tool }: Call): readonly RecordedMisfit[] {
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
