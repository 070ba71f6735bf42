import { userInfo } from "node:os";
import { ownCaller } from "@skillc/runtime/internal/governance";
import { CommandFailure } from "../exit.js";

/**
 * Returns a person's name; by default that of the logged-in user. Nobody checks it.
 *
 * @param given value of the flag
 * @throws CommandFailure if no caller can have this name, or the system has no name for the user
 */
export function subjectOf(
  given: string | undefined,
  { flag, help }: { readonly flag: string; readonly help: string },
): string {
  try {
    return ownCaller({ subject: given ?? userInfo().username }).subject ?? "";
  } catch (error) {
    if (error instanceof TypeError)
      throw CommandFailure.usage(`\`${flag}\` is not a subject: ${error.message}`, help);
    throw CommandFailure.usage(
      `\`${flag}\` is missing, and the system has no name for this user`,
      help,
    );
  }
}
