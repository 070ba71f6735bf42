import type { Finding } from "../../core/diagnostic.js";
import type { Report } from "../../core/report.js";
import type { SkillSyntax } from "../../core/skill-syntax.js";
import type { SourceFile } from "../../core/source-file.js";
import type { Span } from "../../core/span.js";
import { bindingSecrets } from "./binding-secrets.js";
import { knownSecrets } from "./known-secrets.js";

/** Reports every secret once: where a binding holds it the field is known, and so is the name of the credential to use instead. */
export async function checkSecrets(
  syntax: SkillSyntax,
  sources: readonly SourceFile[],
  report: Report,
): Promise<void> {
  const reported: Span[] = [];
  for (const root of [syntax.frontMatter, syntax.metadata?.root]) {
    for (const { finding, tool } of bindingSecrets(root)) {
      (tool === undefined ? report : report.within({ tool })).add(finding);
      reported.push(finding.span);
    }
  }
  for (const source of sources) {
    for (const finding of await knownSecrets(source))
      if (!isReported(finding, reported)) report.add(finding);
  }
}

function isReported({ span }: Finding, reported: readonly Span[]): boolean {
  return reported.some(
    (each) => each.file === span.file && each.start < span.end && span.start < each.end,
  );
}
