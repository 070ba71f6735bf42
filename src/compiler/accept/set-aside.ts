import type { AcceptedDiagnostic, Diagnostic } from "../../core/diagnostic.js";
import type { Report } from "../../core/report.js";
import { quote } from "../../core/names.js";
import type { Acceptance } from "../../core/skill-model.js";
import { withinOwner } from "./check-acceptances.js";

/** One skill's acceptances, those that hold. */
export interface AcceptingSkill {
  readonly folder: string;
  readonly acceptances: readonly Acceptance[];
}

/** Findings, parted into those that are to be mended and those that their authors accept. */
export interface PartedFindings {
  readonly open: readonly Diagnostic[];
  readonly accepted: readonly AcceptedDiagnostic[];
  /** Those that no finding needs. */
  readonly unused: readonly Acceptance[];
}

/** Sets aside what is accepted: by the tool that a finding names, else by its skill. */
export function setAside(
  diagnostics: readonly Diagnostic[],
  skills: readonly AcceptingSkill[],
): PartedFindings {
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

/** A finding of the parser names no skill: it is that of the file's folder. */
function concerns({ skill, span }: Diagnostic, { acceptances, folder }: AcceptingSkill): boolean {
  return skill === undefined
    ? span.file.startsWith(`${folder}/`)
    : acceptances.some((each) => each.skill === skill);
}

/** Only once everything was looked at: an acceptance that nothing needs says what isn't so. */
export function reportUnused(unused: readonly Acceptance[], report: Report): void {
  for (const each of unused) {
    withinOwner(each, report).add({
      code: "accept/unused",
      span: each.span,
      message: `${quote(each.code)} is accepted, and is not found ${each.tool === undefined ? "in this skill" : "in this tool"}`,
      help: "remove it",
    });
  }
}
