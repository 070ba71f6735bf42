/** Decides whether a run may go on with changed tools, and words what the run keeps about that. */
import type { CommandContext } from "../command-context.js";
import { visible } from "../console/visible.js";
import { withoutSecrets } from "../commands/without-secrets.js";
import { CommandFailure } from "../exit.js";
import { type ChangedRun, compareSteps, type StepComparison } from "./compare-steps.js";

/** Options with which a person accepts changed tools. */
export interface AcceptFlags {
  /** Folder or git revision with the tools that the run began with. */
  readonly was?: string;
  /** Reason to go on in spite of a major change, or without a comparison. */
  readonly force?: string;
}

/** Maximum length of a reason, in characters. */
const longestReason = 500;

/** @throws CommandFailure if `--force` has no reason, or one that is too long */
export function requireReason({ force }: AcceptFlags): void {
  if (force === undefined) return;
  const help = 'say why the run may go on: --force "grace: the new field is not used"';
  if (force.trim() === "") throw CommandFailure.usage("`--force` is blank", help);
  if (force.length > longestReason)
    throw CommandFailure.usage(
      `\`--force\` has ${force.length} characters, but at most ${longestReason} are allowed`,
      help,
    );
}

/**
 * Returns the text that the run keeps about accepted changes; undefined if nobody accepts them.
 *
 * @param root the project's folder
 * @throws CommandFailure if a change is major, and no reason is given; also as `compareSteps`
 */
export async function acceptedText(
  context: CommandContext,
  root: string,
  run: ChangedRun,
  { force, was }: AcceptFlags,
): Promise<string | undefined> {
  if (was === undefined && force === undefined) return undefined;
  const compared = was === undefined ? undefined : await compareSteps(context, run, was);
  if (compared?.verdict === "major" && force === undefined) throw majorChange(compared);
  const text =
    compared === undefined
      ? `forced, nothing was compared: ${force}`
      : comparedText(compared, force);
  return withoutSecrets(text, root, context.io.env);
}

function comparedText({ changes, verdict, was }: StepComparison, force?: string): string {
  const listed = changes.length === 0 ? "no difference in the catalog" : changes.join(", ");
  // A reason counts only if it was needed.
  const forced = verdict === "major" ? `, forced: ${force}` : "";
  return `${verdict} since ${was}: ${listed}${forced}`;
}

/** Maximum number of changes in a message. */
const maxNamed = 5;

function majorChange({ major, was }: StepComparison): CommandFailure {
  const shown = major.slice(0, maxNamed).map(visible).join("; ");
  const more = major.length > maxNamed ? `; and ${major.length - maxNamed} more` : "";
  return CommandFailure.input(
    `the run can't go on: its tools have a major change since ${visible(was)}: ${shown}${more}`,
    '`--force "why"` goes on all the same, and the run keeps the reason',
  );
}
