import type { Report } from "../../core/report.js";
import { metadataNameOf, type SkillSyntax } from "../../core/skill-syntax.js";
import { entryOf, type MapEntry, type MapNode, type SyntaxNode } from "../../core/syntax-node.js";

/** A key that may declare tools, and its value. */
interface ToolsPlace {
  /** Name in messages, including backticks. */
  readonly name: string;
  readonly entry: MapEntry;
}

const frontMatterPaths = [
  ["metadata", "tools_schema"],
  ["tools_schema"],
  ["metadata", "tools"],
  ["tools"],
];
const metadataPaths = [["tools_schema"], ["tools"]];

/**
 * Finds the mapping that declares the skill's tools; undefined if there is none, or more than one.
 */
export function findTools(syntax: SkillSyntax, report: Report): MapNode | undefined {
  const places = [
    ...declaredIn(syntax.frontMatter, frontMatterPaths).filter((each) => isMapping(each, report)),
    ...declaredIn(syntax.metadata?.root, metadataPaths, ` of ${metadataNameOf(syntax)}`).filter(
      (each) => isOurs(each, report),
    ),
  ];
  const [first, ...others] = places;
  for (const other of others) if (first !== undefined) reportSecond(first, other, report);
  const tools = first?.entry.value;
  return tools?.kind === "map" ? tools : undefined;
}

/** Returns the places that declare tools. An empty key declares nothing. */
function declaredIn(
  root: SyntaxNode | undefined,
  paths: readonly (readonly string[])[],
  where = "",
): readonly ToolsPlace[] {
  return paths.flatMap((path) => {
    const outer = path.slice(0, -1).reduce((at, step) => entryOf(at, step)?.value, root);
    const entry = entryOf(outer, path.at(-1) ?? "");
    const isEmpty = entry?.value.kind === "scalar" && entry.value.value === null;
    return entry === undefined || isEmpty ? [] : [{ name: `\`${path.join(".")}\`${where}`, entry }];
  });
}

function isMapping({ name, entry }: ToolsPlace, report: Report): boolean {
  if (entry.value.kind === "map") return true;
  report.add({
    code: "skill/tools-not-a-mapping",
    span: entry.value.span,
    message: `${name} must be a mapping from tool names to tools`,
    help: "to list the tools that a skill may use, write `allowed-tools`",
  });
  return false;
}

/**
 * Checks if the key is skillc's. Other programs use a file with this name, and may have the same
 * keys in it.
 */
function isOurs({ name, entry }: ToolsPlace, report: Report): boolean {
  if (entry.value.kind === "map" && holdsTools(entry.value)) return true;
  report.add({
    code: "skill/foreign-key",
    span: entry.key.span,
    message: `${name} has no tools in the form that skillc reads, so skillc ignores it`,
  });
  return false;
}

function holdsTools(node: MapNode): boolean {
  return node.entries.length === 0 || node.entries.some(({ value }) => value.kind === "map");
}

function reportSecond(first: ToolsPlace, second: ToolsPlace, report: Report): void {
  report.add({
    code: "skill/tools-declared-twice",
    span: second.entry.key.span,
    message: `tools are declared under ${second.name} and under ${first.name}`,
    help: "keep all tools of the skill in one of the two places",
    related: [{ span: first.entry.key.span, message: "first declared here" }],
  });
}
