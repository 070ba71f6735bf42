/**
 * Rules common to tools of every kind; kind-specific rules are in the kind's folder.
 *
 * - `check-names.ts`, `check-comments.ts`, `check-secrets.ts` with `plaintext.ts`, which recognizes
 * secrets: one skill at a time
 * - `check-governance.ts`: a tool's governance compared with its effect
 * - `check-together.ts`: several skills. `check-config-secrets.ts`: skillc.yaml
 */
import type { BindingKind } from "../../kit/binding.js";
import type { KindRegistry } from "../../bindings/registry.js";
import { quote } from "../../core/names.js";
import type { Report } from "../../core/report.js";
import type { SkillModel, ToolModel } from "../../core/skill-model.js";
import type { SkillSyntax } from "../../core/skill-syntax.js";
import type { SourceFile } from "../../core/source-file.js";
import { fileParameters } from "../../schema/file-schema.js";
import { placeAt } from "../../schema/place-at.js";
import { below } from "../../schema/pointer.js";
import { uncompilableDiagnostic } from "../../schema/ajv-instance.js";
import { checkModelSchema } from "./check-model-schema.js";
import { checkGovernance } from "./check-governance.js";
import { checkComments } from "./check-comments.js";
import { checkPropertyNames, checkSkillName, checkToolNames } from "./check-names.js";
import { checkParamAliases } from "./check-param-aliases.js";
import { checkRollback } from "./check-rollback.js";
import { checkSecrets } from "./check-secrets.js";

/** Context of the checks, beyond the skill's model. */
interface CheckSkillContext {
  readonly kinds: KindRegistry;
  /** The skill's syntax, in which broken tools are also checked for credentials in plain text. */
  readonly syntax: SkillSyntax;
  /**
   * Every file to check for secrets: SKILL.md, its metadata file, and the files that they refer to.
   */
  readonly sources: readonly SourceFile[];
  /** True if skillc.yaml configures governance; then every tool must meet its requirements. */
  readonly governed?: boolean;
  /** True if skillc.yaml says `rollback: required`. */
  readonly requiresRollback?: boolean;
  /** False if other tools have not yet decided about tools that depend on them. */
  readonly isLinked: boolean;
  readonly report: Report;
}

/** Checks one skill by itself: the rules for all tools, and those of each binding kind. */
export async function checkSkill(skill: SkillModel, context: CheckSkillContext): Promise<void> {
  const report = context.report.within({ skill: skill.name });
  checkSkillName(skill, report);
  checkToolNames(skill, report);
  checkTools(skill, { ...context, report });
  await checkComments({ ...context, report });
  await checkSecrets(context.syntax, context.sources, context.kinds, report);
}

/** Checks the texts that models need, and the rules of the binding kind. */
function checkTools(
  skill: SkillModel,
  {
    governed = false,
    isLinked,
    requiresRollback = false,
    kinds,
    report,
  }: Pick<CheckSkillContext, "governed" | "isLinked" | "requiresRollback" | "kinds" | "report">,
): void {
  for (const tool of skill.tools) {
    const within = report.within({ tool: tool.name });
    checkDescription(tool, within);
    checkPropertyNames(tool, within);
    checkParamAliases(tool, within);
    checkModelSchema(tool, within);
    const kind = kinds.find(tool.binding.type);
    if (kind === undefined) throw new Error(`no binding kind \`${tool.binding.type}\``);
    if (kind.takesFiles !== true) checkNoFiles(tool, kind, { kinds, report: within });
    try {
      kind.check(tool, tool.binding.config, within);
      const isKnown = isLinked || kind.link === undefined;
      if (isKnown) checkRollback(tool, kind, { isRequired: requiresRollback, report: within });
      const toolId = `${skill.name}/${tool.name}`;
      if (isKnown && (governed || tool.governance !== undefined))
        checkGovernance(tool, { toolId, kind, kinds, report: within });
    } catch (error) {
      within.add(uncompilableDiagnostic(error, tool.span));
    }
  }
}

/** Reports file parameters of a binding kind that has no place for files. */
function checkNoFiles(
  tool: ToolModel,
  { title }: BindingKind,
  { kinds, report }: Pick<CheckSkillContext, "kinds" | "report">,
): void {
  const taking = kinds.all.filter(({ takesFiles }) => takesFiles === true);
  for (const [name] of fileParameters(tool.parameters))
    report.add({
      code: "tool/file-parameter",
      span: placeAt(tool.parameters, below("", "properties", name)) ?? tool.span,
      message: `${quote(name)} is a file, but a binding of this type (${title}) sends no files`,
      help: `use a binding that sends files, of the type ${taking.map(({ type }) => quote(type)).join(", ")}`,
    });
}

function checkDescription(tool: ToolModel, report: Report): void {
  if (tool.description.trim() !== "") return;
  report.add({
    code: "tool/no-description",
    span: tool.span,
    message: `the tool ${quote(tool.name)} has no description`,
    help: "write in `description` what it does and when to use it: a model chooses a tool by its description",
  });
}
