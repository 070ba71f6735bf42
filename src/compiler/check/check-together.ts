import type { KindRegistry } from "../../bindings/registry.js";
import { modelName, quote, skillAlias } from "../../core/names.js";
import type { Report } from "../../core/report.js";
import type { SkillModel, ToolModel } from "../../core/skill-model.js";
import type { Span } from "../../core/span.js";
import type { Unit } from "../unit.js";
import { checkCollision, seenNothing, skillNamed } from "./check-names.js";

/**
 * Checks several skills: each needs a unique name, and each skill with tools a unique folder and
 * import.
 */
export function checkTogether(skills: readonly SkillModel[], report: Report): void {
  const byName = new Map<string, SkillModel>();
  const others = seenNothing();
  for (const skill of skills) {
    const first = byName.get(skill.name);
    const within = report.within({ skill: skill.name });
    if (first !== undefined) reportTwice(first, skill, within);
    else byName.set(skill.name, skill);
    // A skill without tools has no folder: it is only an entry of the catalog.
    if (first !== undefined || skill.tools.length === 0) continue;
    checkCollision(skillNamed(skill), skillAlias(skill.name), others, within);
  }
  checkModelNames([...byName.values()], report);
}

/** Rejects equal model names: `a` with `b__c` and `a__b` with `c` would both be `a__b__c`. */
function checkModelNames(skills: readonly SkillModel[], report: Report): void {
  const first = new Map<string, ToolModel>();
  for (const skill of skills) {
    for (const tool of skill.tools) {
      const name = modelName(skill.name, tool.name);
      const other = first.get(name);
      first.set(name, other ?? tool);
      // Another check compares tools of the same skill.
      if (other === undefined || skill.tools.includes(other)) continue;
      report.within({ skill: skill.name, tool: tool.name }).add({
        code: "name/collision",
        span: tool.span,
        message: `models would see two tools with the name ${quote(name)}`,
        help: "rename one of the two tools, or its skill",
        related: [{ span: other.span, message: "the other is here" }],
      });
    }
  }
}

function reportTwice(first: SkillModel, second: SkillModel, report: Report): void {
  report.add({
    code: "name/skill-twice",
    span: second.span,
    message: `${quote(first.folder)} also has a skill with the name ${quote(second.name)}`,
    help: `rename the one in ${quote(second.folder)}, its folder and its \`name\``,
    related: [{ span: first.span, message: `the skill in ${quote(first.folder)}` }],
  });
}

/** Compares the statements of all bindings about the same settings and places. */
export function checkBindingsTogether(
  skills: readonly SkillModel[],
  kinds: KindRegistry,
  report: Report,
): void {
  const addresses = new Map<string, First>();
  const encodings = new Map<string, First>();
  for (const skill of skills) {
    for (const tool of skill.tools) {
      const { config, type } = tool.binding;
      const shared = kinds.find(type)?.shared;
      const within = report.within({ skill: skill.name, tool: tool.name });
      const toolId = `${skill.name}/${tool.name}`;
      for (const { name, of, span } of shared?.addresses?.(config) ?? [])
        compare(addresses, name, { is: of, span, toolId }, (first) =>
          within.add({
            code: "binding/setting-twice",
            span,
            message: `${quote(`\${${name}}`)} is the address of ${of} here, and of ${first.is} in ${quote(first.toolId)}`,
            help: "give each a setting of its own: one value can't be the address of both",
            related: [{ span: first.span, message: `of ${first.is}` }],
          }),
        );
      const published = shared?.publication?.(config);
      if (published === undefined) continue;
      const { channel, encoding, shown, span } = published;
      compare(encodings, channel, { is: encoding, span, toolId }, (first) =>
        within.add({
          code: "binding/two-encodings",
          span,
          message: `messages to ${quote(shown)} are ${encoding} here, and ${first.is} in ${quote(first.toolId)}`,
          help: "use one `format` for both: consumers expect one encoding",
          related: [{ span: first.span, message: `${first.is} here` }],
        }),
      );
    }
  }
}

interface First {
  readonly is: string;
  readonly span: Span;
  readonly toolId: string;
}

function compare(
  seen: Map<string, First>,
  key: string,
  use: First,
  differs: (first: First) => void,
): void {
  const first = seen.get(key);
  if (first === undefined) seen.set(key, use);
  else if (first.is !== use.is) differs(first);
}

/** Folder for shared schemas, below the output folder and below folders of skills. */
const sharedSchemas = "schemas";

/**
 * Checks that folders of shared modules don't have the name of a skill's folder, which must contain
 * only the skill's modules.
 */
export function checkSharedModules(units: readonly Unit[], report: Report): void {
  const shared = new Map<string, string>();
  for (const { path } of units.flatMap((unit) => unit.shared)) {
    const [folder = "", within] = path.split("/");
    // A skill's own schemas are in the skill's folder.
    if (within !== sharedSchemas) shared.set(folder, path);
  }
  for (const { lowered } of units) {
    const path = shared.get(lowered?.skill.name ?? "");
    if (lowered === undefined || path === undefined || lowered.skill.tools.length === 0) continue;
    const { name, span } = lowered.skill;
    report.within({ skill: name }).add({
      code: "name/reserved",
      span,
      message: `the folder ${quote(name)} must stay free for ${quote(path)}`,
      help: `rename it, for example to ${quote(`${name}-skill`)}`,
    });
  }
}
