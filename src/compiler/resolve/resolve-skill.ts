/**
 * Converts trees to a model: tools, schemas and bindings, with references followed and defaults
 * filled in.
 *
 * - `find-tools.ts` finds the tools, `misplaced.ts` those in wrong places. `resolve-tool.ts` reads
 *   one, with `tool-parameters.ts`, `short-form.ts`, `examples.ts` and `resolve-binding.ts`
 * - `resolve-governance.ts`: authorization of calls; `manifest.ts`: the hash of a tool's manifest
 * - `skill-settings.ts`: settings for all tools of a skill; `misspelt-settings.ts`: keys that were
 *   intended as settings; `misplaced-settings.ts`: settings of tools and of the project in wrong
 *   places; `portable.ts`: rules of other loaders
 * - `skill-files.ts`: files that a skill names. `tool-words.ts`, `binding-words.ts`: words of other
 *   tools
 */
import { posix } from "node:path";
import type { UnratedDiagnostic } from "../../core/diagnostic.js";
import type { Report } from "../../core/report.js";
import type { Acceptance, SkillModel } from "../../core/skill-model.js";
import type { SkillSyntax } from "../../core/skill-syntax.js";
import { entryOf, type MapNode, textOf, valueOf } from "../../core/syntax-node.js";
import { acceptancesIn, readSettings, type SkillSettings } from "./skill-settings.js";
import type { ResolveContext } from "./context.js";
import { findTools } from "./find-tools.js";
import { misspeltSettings } from "./misspelt-settings.js";
import { gatherSpilled, misplacedTools, toolsSpills } from "./misplaced.js";
import { checkPortable } from "./portable.js";
import { resolveTool } from "./resolve-tool.js";
import { toolKeys } from "./tool-schema.js";
import { skillFiles } from "./skill-files.js";

/**
 * Resolves the documents of a skill to its model. Tools with severe problems are reported and left
 * out.
 */
export function resolveSkill(syntax: SkillSyntax, context: ResolveContext): SkillModel {
  const root = rootOf(syntax);
  const name = skillName(syntax);
  const report = context.report.within({ skill: name });
  const misplaced = misplacedTools(syntax);
  for (const diagnostic of misplaced.diagnostics) report.add(diagnostic);
  const tools = findTools(syntax, report);
  const hasTools = tools !== undefined && tools.entries.length > 0;
  const misspelt = hasTools ? misspeltSettings(syntax, context.kinds) : undefined;
  for (const diagnostic of misspelt?.diagnostics ?? []) report.add(diagnostic);
  const reported = new Set([...misplaced.entries, ...(misspelt?.entries ?? [])]);
  checkPortable(syntax, reported, report);
  const beside = syntax.metadata?.root;
  const toolsInMetadata = tools !== undefined && tools.span.file === beside?.span.file;
  const settings = readSettings(root, beside, toolsInMetadata, report);
  return {
    kind: "skill",
    name,
    description: textOf(valueOf(root, "description")) ?? "",
    folder: syntax.folder,
    file: syntax.file.path,
    body: syntax.body.text,
    ...portableKeys(root),
    span: entryOf(root, "name")?.value.span ?? { file: syntax.file.path, start: 0, end: 0 },
    prerequisites: settings.prerequisites,
    tools: resolveTools(tools, settings, { ...context, report }, syntax.folder),
    acceptances: [...acceptancesIn(settings.accept, { skill: name }), ...ofTools(tools, name)],
  };
}

function portableKeys(root: MapNode): Pick<SkillModel, "portable"> {
  const [license, compatibility, allowedTools] = ["license", "compatibility", "allowed-tools"].map(
    (key) => textOf(valueOf(root, key)),
  );
  const keys = {
    ...(license !== undefined && { license }),
    ...(compatibility !== undefined && { compatibility }),
    ...(allowedTools !== undefined && { allowedTools }),
  };
  return Object.keys(keys).length === 0 ? {} : { portable: keys };
}

function ofTools(tools: MapNode | undefined, skill: string): readonly Acceptance[] {
  const entries = tools?.entries ?? [];
  return entries.flatMap(({ key, value }) => acceptancesIn(value, { skill, tool: key.value }));
}

/** Missing front matter counts as an empty mapping; the parse stage reports other values. */
function rootOf(syntax: SkillSyntax): MapNode {
  const root = syntax.frontMatter;
  return root?.kind === "map"
    ? root
    : { kind: "map", span: { ...syntax.body.span, start: 0, end: 0 }, entries: [] };
}

/** The author's name of the skill; the folder's name if it is empty. */
export function skillName(syntax: SkillSyntax): string {
  return textOf(valueOf(rootOf(syntax), "name")) || posix.basename(syntax.folder);
}

function resolveTools(
  tools: MapNode | undefined,
  settings: SkillSettings,
  context: ResolveContext,
  folder: string,
): SkillModel["tools"] {
  if (tools === undefined) return [];
  const seen = new Set<string>();
  const { entries } = gatherSpilled(tools, toolsSpills(toolKeys), context.report);
  return entries.flatMap((entry) => {
    // The parse stage reports repeated keys.
    if (seen.has(entry.key.value)) return [];
    seen.add(entry.key.value);
    const report = reportOf(entry.key.value, settings, context.report);
    const files = skillFiles(folder, { ...context, report });
    const { fileSettings, kinds, schemaFiles } = context;
    const own = {
      kinds,
      folder,
      files,
      report,
      ...(fileSettings && { fileSettings }),
      ...(schemaFiles && { schemaFiles }),
    };
    return resolveTool(entry, settings, own) ?? [];
  });
}

/** Reports problems in keys that apply to all tools once, for the skill. */
function reportOf(tool: string, { ofBindings }: SkillSettings, ofSkill: Report): Report {
  const ofTool = ofSkill.within({ tool });
  const isOfSkill = ({ span: { end, file, start } }: UnratedDiagnostic): boolean =>
    ofBindings.some(
      ({ key, value }) =>
        file === key.span.file && start >= key.span.start && end <= value.span.end,
    );
  return {
    ...ofTool,
    add: (diagnostic) => (isOfSkill(diagnostic) ? ofSkill : ofTool).add(diagnostic),
  };
}
