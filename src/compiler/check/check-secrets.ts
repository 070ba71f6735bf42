import type { Finding } from "../../core/diagnostic.js";
import type { Report } from "../../core/report.js";
import type { SkillSyntax } from "../../core/skill-syntax.js";
import type { SourceFile } from "../../core/source-file.js";
import type { Span } from "../../core/span.js";
import { bindingSecrets } from "./binding-secrets.js";
import { knownSecrets } from "./known-secrets.js";
import { toolAt } from "./tool-at.js";

/** Reports every secret once: where a binding holds it the field is known, and so is the name of the credential to use instead. */
export async function checkSecrets(
  syntax: SkillSyntax,
  sources: readonly SourceFile[],
  report: Report,
): Promise<void> {
  const reported: Span[] = [];
  for (const root of [syntax.frontMatter, syntax.metadata?.root]) {
    for (const { finding, tool } of bindingSecrets(root)) {
      within(tool, report).add(finding);
      reported.push(finding.span);
    }
  }
  const ownerOf = toolAt(syntax);
  for (const source of sources) {
    for (const finding of await knownSecrets(source))
      if (!isReported(finding, reported)) within(ownerOf(finding.span), report).add(finding);
  }
}

function within(tool: string | undefined, report: Report): Report {
  return tool === undefined ? report : report.within({ tool });
}

function isReported({ span }: Finding, reported: readonly Span[]): boolean {
  return reported.some(
    (each) => each.file === span.file && each.start < span.end && span.start < each.end,
  );
}
