import type { KindRegistry } from "../../bindings/registry.js";
import type { Report } from "../../core/report.js";
import type { SkillModel } from "../../core/skill-model.js";
import type { SkillSyntax } from "../../core/skill-syntax.js";
import type { SourceFile } from "../../core/source-file.js";
import { checkSkillName, checkToolNames } from "./check-names.js";
import { checkComments } from "./check-comments.js";
import { checkSecrets } from "./check-secrets.js";
import { checkTools } from "./check-tools.js";

/** What checking a skill needs beyond its model. */
export interface CheckSkillContext {
  readonly kinds: KindRegistry;
  /** The skill as written: credentials in plain text are looked for there, in broken tools too. */
  readonly syntax: SkillSyntax;
  /** Every file whose text is looked through for secrets: SKILL.md, its metadata file, and what they refer to. */
  readonly sources: readonly SourceFile[];
  readonly report: Report;
}

/** The rules about one skill by itself: those that hold for all tools, and each binding kind's own. */
export async function checkSkill(skill: SkillModel, context: CheckSkillContext): Promise<void> {
  const report = context.report.within({ skill: skill.name });
  checkSkillName(skill, report);
  checkToolNames(skill, report);
  checkTools(skill, context.kinds, report);
  await checkComments({ ...context, report });
  await checkSecrets(context.syntax, context.sources, report);
}
