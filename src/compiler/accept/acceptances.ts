import type { DiagnosticEntries, DiagnosticEntry } from "../../core/diagnostic-entry.js";
import type { AcceptedDiagnostic, Diagnostic, DiagnosticCode } from "../../core/diagnostic.js";
import { getOwn } from "../../core/json.js";
import { quote } from "../../core/names.js";
import type { Report } from "../../core/report.js";
import type { Acceptance } from "../../core/skill-model.js";
import { didYouMean } from "../../schema/suggestion.js";

/** Checks if an author may accept a diagnostic of that code. */
export function isAcceptable(entry: DiagnosticEntry | undefined): boolean {
  return entry?.acceptable ?? entry?.severity === "warning";
}

/**
 * Returns the valid acceptances: those with a known code that may be accepted, and a reason.
 * Reports problems of the others.
 */
export function checkAcceptances(
  acceptances: readonly Acceptance[],
  entries: DiagnosticEntries,
  report: Report,
): readonly Acceptance[] {
  return acceptances.filter((each) => checkAcceptance(each, entries, withinOwner(each, report)));
}

/** Returns a report for the skill or tool that accepts. */
function withinOwner({ skill, tool }: Acceptance, report: Report): Report {
  return report.within({ skill, ...(tool !== undefined && { tool }) });
}

function checkAcceptance(
  { code, reason, span }: Acceptance,
  entries: DiagnosticEntries,
  report: Report,
): boolean {
  const entry = getOwn(entries, code);
  if (entry === undefined) {
    report.add({
      code: "accept/unknown-code",
      span,
      message: `${quote(code)} is not the code of a diagnostic`,
      help: didYouMean(code, Object.keys(entries)) ?? "write the code as `skillc check` shows it",
    });
    return false;
  }
  if (!isAcceptable(entry)) {
    const message = `${quote(code)} can't be accepted: ${whyNot(entry)}`;
    report.add({
      code: "accept/not-acceptable",
      span,
      message,
      help: "fix the problem that it reports",
    });
    return false;
  }
  if (reason !== "") return true;
  report.add({
    code: "accept/no-reason",
    span,
    message: `${quote(code)} is accepted without a reason`,
    help: `write the reason: \`${code as DiagnosticCode}: …\``,
  });
  return false;
}

function whyNot({ acceptable, severity }: DiagnosticEntry): string {
  if (acceptable === false) return "it is not about one skill";
  return severity === "error"
    ? "it is an error, and an error stops `skillc generate`"
    : "it is a note, which stops nothing";
}

/** A skill and its valid acceptances. */
interface AcceptingSkill {
  readonly folder: string;
  readonly acceptances: readonly Acceptance[];
}

/** Diagnostics, separated into accepted and other ones. */
interface PartedDiagnostics {
  readonly open: readonly Diagnostic[];
  readonly accepted: readonly AcceptedDiagnostic[];
  /** Acceptances that match no diagnostic. */
  readonly unused: readonly Acceptance[];
}

/**
 * Separates accepted diagnostics. Acceptances of the tool that a diagnostic names come first, then
 * those of its skill.
 */
export function setAside(
  diagnostics: readonly Diagnostic[],
  skills: readonly AcceptingSkill[],
): PartedDiagnostics {
  const open: Diagnostic[] = [];
  const accepted: AcceptedDiagnostic[] = [];
  const used = new Set<Acceptance>();
  for (const each of diagnostics) {
    const acceptance = acceptanceOf(each, skills);
    if (acceptance === undefined) open.push(each);
    else {
      used.add(acceptance);
      accepted.push({ ...each, reason: acceptance.reason });
    }
  }
  const all = skills.flatMap(({ acceptances }) => acceptances);
  return { open, accepted, unused: all.filter((each) => !used.has(each)) };
}

function acceptanceOf(
  diagnostic: Diagnostic,
  skills: readonly AcceptingSkill[],
): Acceptance | undefined {
  const candidates = skills
    .filter((each) => concerns(diagnostic, each))
    .flatMap(({ acceptances }) => acceptances)
    .filter(({ code }) => code === diagnostic.code);
  return (
    candidates.find(({ tool }) => tool !== undefined && tool === diagnostic.tool) ??
    candidates.find(({ tool }) => tool === undefined)
  );
}

/**
 * Checks if a diagnostic belongs to a skill. A diagnostic of the parser names no skill, so the
 * folder of its file decides.
 */
function concerns({ skill, span }: Diagnostic, { acceptances, folder }: AcceptingSkill): boolean {
  return skill === undefined
    ? span.file.startsWith(`${folder}/`)
    : acceptances.some((each) => each.skill === skill);
}

/**
 * Reports acceptances that match nothing, because they claim something wrong. Call it only after
 * all checks.
 */
export function reportUnused(unused: readonly Acceptance[], report: Report): void {
  for (const each of unused) {
    withinOwner(each, report).add({
      code: "accept/unused",
      span: each.span,
      message: `${quote(each.code)} is accepted, but does not occur ${each.tool === undefined ? "in this skill" : "in this tool"}`,
      help: "remove it",
    });
  }
}
