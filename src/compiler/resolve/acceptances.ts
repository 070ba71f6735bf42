import type { Acceptance } from "../../core/skill-model.js";
import {
  entryOf,
  type MapEntry,
  type MapNode,
  type SyntaxNode,
  textOf,
} from "../../core/syntax-node.js";

/** The key of a tool, and of a skill, that maps codes of diagnostics to the reasons why they are accepted. */
export const acceptKey = "accept";

/** Whether an entry is that key: one of that name may also be a parameter's, or belong to someone else. */
export function isAcceptEntry({ key, value }: MapEntry): boolean {
  return key.value === acceptKey && mapsCodes(value);
}

/** Whether each key reads like a diagnostic's code. */
export function mapsCodes(node: SyntaxNode): boolean {
  return (
    node.kind === "map" &&
    node.entries.length > 0 &&
    node.entries.every(({ key }) => key.value.includes("/"))
  );
}

/** A tool without its `accept`: of the other keys, some are parameters. */
export function withoutAccept(tool: MapNode): MapNode {
  return { ...tool, entries: tool.entries.filter((each) => !isAcceptEntry(each)) };
}

/** What the `accept` of that mapping says, for the skill or for one of its tools. */
export function acceptancesIn(
  node: SyntaxNode | undefined,
  owner: Pick<Acceptance, "skill" | "tool">,
): readonly Acceptance[] {
  const entry = entryOf(node, acceptKey);
  if (entry?.value.kind !== "map" || !isAcceptEntry(entry)) return [];
  return entry.value.entries.map(({ key, value }) => ({
    ...owner,
    code: key.value,
    span: key.span,
    reason: textOf(value)?.trim() ?? "",
  }));
}
