import type { Span } from "../../../core/span.js";
import { loneParameter } from "../../text-template.js";
import type { ValueEntry, ValueNode } from "../../values/model.js";

export type Path = readonly (string | number)[];

/** What an author wrote at a path, or around it. */
export interface Written {
  readonly node: ValueNode;
  /** Where it stands. */
  readonly span: Span;
  /** Absent for the message itself and for items of lists. */
  readonly entry?: ValueEntry;
  /** The steps that go on inside a parameter. */
  readonly inside: Path;
}

/** @param root the message, and where it stands */
export function nodeAt(root: Pick<Written, "node" | "span">, path: Path): Written {
  const span = root.node.kind === "template" ? spanOf(root.node) : root.span;
  return path.reduce<Written>(stepInto, { node: root.node, span, inside: [] });
}

function stepInto(from: Written, step: string | number): Written {
  const { inside, node } = from;
  if (inside.length === 0 && node.kind === "map") {
    const entry = node.entries.find(({ name }) => name === step);
    if (entry !== undefined)
      return { node: entry.value, span: spanOf(entry.value), entry, inside: [] };
  }
  if (inside.length === 0 && node.kind === "list" && typeof step === "number") {
    const item = node.items[step];
    if (item !== undefined) return { node: item, span: spanOf(item), inside: [] };
  }
  return { ...from, inside: [...inside, step] };
}

function spanOf(node: ValueNode): Span {
  if (node.kind !== "template") return node.span;
  return loneParameter(node.template)?.span ?? node.template.span;
}
