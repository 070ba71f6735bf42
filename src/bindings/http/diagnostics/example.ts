import type { ProjectFiles } from "../../../core/diagnostic-entry.js";
import { exampleSkill } from "../../../core/example-skill.js";

/** The parts of an example tool, as YAML lines. */
export interface ExampleTool {
  readonly parameters?: readonly string[];
  /** Keys of the tool beside `binding`. */
  readonly tool?: readonly string[];
  /** Keys of the binding beside `type`. */
  readonly binding: readonly string[];
}

const orderId = ["order_id: string"];

/** A project of one skill with one HTTP tool: the example of a diagnostic. */
export function exampleProject({
  parameters = orderId,
  tool = [],
  binding,
}: ExampleTool): ProjectFiles {
  const lines = [
    "tools_schema:",
    "  handle-order:",
    "    description: Handles one order.",
    ...[...parameters, ...tool].map((line) => `    ${line}`),
    "    binding:",
    "      type: http",
    ...binding.map((line) => `      ${line}`),
  ];
  return exampleSkill("order-desk", "Reads and writes orders.", lines);
}
