import type { Catalogue, CatalogueEntry } from "../../core/catalogue.js";
import type { DiagnosticCode } from "../../core/diagnostic.js";
import { getOwn } from "../../core/json.js";
import { quote } from "../../core/names.js";
import type { Report } from "../../core/report.js";
import type { Acceptance } from "../../core/skill-model.js";
import { didYouMean } from "../../schema/suggestion.js";

/** Whether an author may let a finding of that code be. */
export function isAcceptable(entry: CatalogueEntry | undefined): boolean {
  return entry?.acceptable ?? entry?.severity === "warning";
}

/** The acceptances that hold: of a code that there is and that may be accepted, with a reason. What is wrong with the others is reported. */
export function checkAcceptances(
  acceptances: readonly Acceptance[],
  catalogue: Catalogue,
  report: Report,
): readonly Acceptance[] {
  return acceptances.filter((each) => checkAcceptance(each, catalogue, withinOwner(each, report)));
}

/** The report, naming the skill or tool that accepts. */
export function withinOwner({ skill, tool }: Acceptance, report: Report): Report {
  return report.within({ skill, ...(tool !== undefined && { tool }) });
}

function checkAcceptance(
  { code, reason, span }: Acceptance,
  catalogue: Catalogue,
  report: Report,
): boolean {
  const entry = getOwn(catalogue, code);
  if (entry === undefined) {
    report.add({
      code: "accept/unknown-code",
      span,
      message: `there is no finding of the code ${quote(code)}`,
      help: didYouMean(code, Object.keys(catalogue)) ?? "write the code as `skillc check` shows it",
    });
    return false;
  }
  if (!isAcceptable(entry)) {
    const message = `${quote(code)} can't be accepted: ${whyNot(entry)}`;
    report.add({ code: "accept/not-acceptable", span, message, help: "mend what it reports" });
    return false;
  }
  if (reason !== "") return true;
  report.add({
    code: "accept/no-reason",
    span,
    message: `nothing says why ${quote(code)} is accepted`,
    help: `write the reason as its text: \`${code as DiagnosticCode}: …\``,
  });
  return false;
}

function whyNot({ acceptable, severity }: CatalogueEntry): string {
  if (acceptable === false) return "it is not about one skill";
  return severity === "error"
    ? "it is an error, and nothing is generated with one"
    : "it is a note, which stops nothing";
}
