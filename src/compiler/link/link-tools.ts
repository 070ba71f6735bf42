/**
 * The rules about tools that refer to other tools, run once all skills are read, for skills from
 * the cache too: `rollback`, and each kind's `link`. A tool is linked after the tools that it looks
 * up, so that it sees them linked.
 */
import { posix } from "node:path";
import { capabilitiesOf } from "../../bindings/capabilities.js";
import type { KindRegistry } from "../../bindings/registry.js";
import { canonicalJson } from "../../core/canonical-json.js";
import { fileName, toolFileName } from "../../core/file-name.js";
import { sha256 } from "../../core/hash.js";
import type { Dependencies, Links } from "../../core/lowered-skill.js";
import { functionName } from "../../core/names.js";
import type { Report } from "../../core/report.js";
import type { SkillModel, ToolModel } from "../../core/skill-model.js";
import type { BindingKind, LinkedBinding } from "../../kit/binding.js";
import { answersOf } from "../../kit/known-answers.js";
import type { ProjectTool, ProjectTools, UnlinkedTool } from "../../kit/project-tools.js";
import { linkRollback } from "./link-rollback.js";

/** Tools that may depend on each other in a row. */
const maxDepth = 50;

/** Links the tools of all skills. */
export function linkTools(
  skills: readonly SkillModel[],
  kinds: KindRegistry,
  report: Report,
): Links {
  const linker = new Linker(skills, kinds, report);
  for (const skill of skills)
    for (const tool of skill.tools) linker.link(`${skill.name}/${tool.name}`);
  return { dependencies: fingerprints(linker.asked, linker.all), tools: linker.linked };
}

interface OfSkill {
  readonly skill: SkillModel;
  readonly tool: ToolModel;
}

class Linker {
  readonly all: ReadonlyMap<string, ToolModel>;
  /** Ids of the tools that each tool looked up. */
  readonly asked = new Map<string, ReadonlySet<string>>();
  readonly linked = new Map<string, ToolModel>();
  readonly #entries: ReadonlyMap<string, OfSkill>;
  readonly #done = new Set<string>();
  readonly #mistaken = new Set<string>();
  /** Tools that are being linked, each for the one before it. */
  readonly #open: string[] = [];

  constructor(
    skills: readonly SkillModel[],
    readonly kinds: KindRegistry,
    readonly report: Report,
  ) {
    this.#entries = new Map(
      skills.flatMap((skill) =>
        skill.tools.map((tool) => [`${skill.name}/${tool.name}`, { skill, tool }] as const),
      ),
    );
    this.all = new Map([...this.#entries].map(([id, { tool }]) => [id, tool]));
  }

  link(id: string): void {
    const entry = this.#entries.get(id);
    if (entry === undefined || this.#done.has(id)) return;
    this.#done.add(id);
    this.#open.push(id);
    const { skill, tool } = entry;
    const asked = new Set<string>();
    const tools: ProjectTools = {
      names: [...skill.tools.map(({ name }) => name), ...this.all.keys()],
      find: (name) => this.#find(name, skill, asked),
      findUnlinked: (name) => this.#findUnlinked(name, skill, asked),
    };
    const within = this.report.within({ skill: skill.name, tool: tool.name });
    const mistakes = this.report.errorCount();
    const linked = this.#linkedTool(id, tool, tools, within);
    if (linked !== undefined && linked !== tool) this.linked.set(id, linked);
    if (this.report.errorCount() > mistakes) this.#mistaken.add(id);
    if (asked.size > 0) this.asked.set(id, asked);
    this.#open.pop();
  }

  /** Applies the kind's `link` and the tool's rollback. Undefined after mistakes in the former. */
  #linkedTool(
    id: string,
    tool: ToolModel,
    tools: ProjectTools,
    report: Report,
  ): ToolModel | undefined {
    const { config, type } = tool.binding;
    const kind = this.kinds.find(type);
    const link = kind?.link?.(tool, config, tools, report);
    const own = link ? withLink(tool, link) : tool;
    const isLinked = link !== undefined || kind?.link === undefined;
    const answers = isLinked && kind ? answersOf(kind, own) : undefined;
    const isStream = kind !== undefined && answersInParts(kind, own);
    const rollback = linkRollback({ id, tool: own, answers, isStream, tools, report });
    if (!isLinked) return undefined;
    return rollback ? { ...own, rollback } : own;
  }

  #findUnlinked(
    name: string,
    { name: own }: SkillModel,
    asked: Set<string>,
  ): UnlinkedTool | undefined {
    const id = name.includes("/") ? name : `${own}/${name}`;
    asked.add(id);
    const entry = this.#entries.get(id);
    if (entry === undefined) return undefined;
    const { skill, tool } = entry;
    const folder = fileName(skill.name);
    const module = posix.join(
      folder === fileName(own) ? "." : `../${folder}`,
      `${toolFileName(tool.name)}.js`,
    );
    return {
      id,
      tool,
      module: module.startsWith("..") ? module : `./${module}`,
      functionName: functionName(tool.name),
    };
  }

  #find(name: string, skill: SkillModel, asked: Set<string>): ProjectTool | undefined {
    const found = this.#findUnlinked(name, skill, asked);
    const kind = found && this.kinds.find(found.tool.binding.type);
    if (found === undefined || kind === undefined) return undefined;
    const { id } = found;
    const unlinked = this.#whyUnlinked(id) ?? this.#mistakesOf(id);
    const tool = this.linked.get(id) ?? found.tool;
    return {
      ...found,
      tool,
      answers: answersOf(kind, tool),
      isStream: answersInParts(kind, tool),
      capabilities: capabilitiesOf(tool, id, this.kinds),
      ...(unlinked && { unlinked }),
    };
  }

  #whyUnlinked(id: string): ProjectTool["unlinked"] {
    const at = this.#open.indexOf(id);
    if (at !== -1) return { why: "cycle", path: [...this.#open.slice(at), id] };
    if (this.#done.has(id) || this.#open.length < maxDepth) return undefined;
    return { why: "depth", limit: maxDepth };
  }

  #mistakesOf(id: string): ProjectTool["unlinked"] {
    this.link(id);
    return this.#mistaken.has(id) ? { why: "mistakes" } : undefined;
  }
}

function withLink(
  tool: ToolModel,
  { config, effect, riskLevel }: LinkedBinding<object>,
): ToolModel {
  return {
    ...tool,
    ...(tool.riskSpan === undefined && { riskLevel }),
    binding: { ...tool.binding, config, effect },
  };
}

/** Checks for a tool whose success is a stream or one of several pages. */
function answersInParts({ pages, streams }: BindingKind, { binding, parameters }: ToolModel) {
  const { config } = binding;
  return pages?.(config, parameters) !== undefined || streams?.(config) !== undefined;
}

/** Computes fingerprints. The fingerprint of a tool covers all direct and indirect dependencies. */
function fingerprints(
  asked: ReadonlyMap<string, ReadonlySet<string>>,
  tools: ReadonlyMap<string, ToolModel>,
): ReadonlyMap<string, Dependencies> {
  const fingerprint = (id: string): string | null => {
    if (!tools.has(id)) return null;
    const behind = new Set([id]);
    for (const each of behind) for (const next of asked.get(each) ?? []) behind.add(next);
    return sha256(
      canonicalJson([...behind].toSorted().map((each) => [each, ownHash(tools.get(each))])),
    );
  };
  return new Map(
    [...asked].map(([id, direct]) => [
      id,
      Object.fromEntries([...direct].toSorted().map((each) => [each, fingerprint(each)])),
    ]),
  );
}

/**
 * Hash of a tool. It includes parameter types that an engine inferred, because the manifest doesn't
 * contain them.
 */
function ownHash(tool: ToolModel | undefined): string | null {
  if (tool === undefined) return null;
  const { manifest, parameters, returns } = tool;
  return sha256(canonicalJson([manifest, parameters.schema, returns?.schema ?? null]));
}
