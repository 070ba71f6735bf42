import type { MapNode, ScalarNode } from "../../../src/core/syntax-node.js";
import { yamlNode } from "../../support/parse.js";

/** Parses YAML text that is a mapping. */
export function yamlMap(text: string): MapNode {
  const { node, report } = yamlNode(text);
  const faults = report.diagnostics();
  if (node?.kind !== "map" || faults.length > 0) {
    throw new Error(`not a mapping: ${JSON.stringify(faults)}`);
  }
  return node;
}

/** A scalar at the start of a file, with the text unchanged. */
export function textNodeOf(value: string): ScalarNode & { readonly value: string } {
  return {
    kind: "scalar",
    value,
    span: { file: "test.yaml", start: 0, end: value.length },
    origin: [[0, 0]],
  };
}
