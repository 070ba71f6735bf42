import { isExpired, isFromBefore } from "../attachment-days.js";
import { addProblem, type Attached, type VerificationState } from "./chain-check.js";

/** Counts an attachment that a record refers to, or reports it if it is missing or changed. */
export function countAttached(
  file: string,
  { attachment, isBytes, line }: Attached,
  found: "intact" | "changed" | "missing",
  state: VerificationState,
): void {
  const { attachments, prunings } = state;
  const isPruned = () =>
    prunings.some(({ before }) => isFromBefore(attachment, Date.parse(before)));
  if (found === "intact") attachments.intact += 1;
  else if (found === "missing" && isExpired(attachment, Date.now())) attachments.expired += 1;
  else if (found === "missing" && isPruned()) attachments.pruned += 1;
  else {
    const problem = found === "missing" ? "is missing" : "differs from the kept one";
    const message = `the ${isBytes ? "attachment" : "result"} ${attachment.sha256.slice(0, 12)} of ${attachment.bytes} bytes ${problem}`;
    addProblem(state, { file, line, kind: `${found}-attachment`, message });
  }
}
