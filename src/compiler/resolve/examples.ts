import type { DiagnosticEntry, ProjectFiles } from "../../core/diagnostic-entry.js";
import { exampleSkill } from "../../core/example-skill.js";

/**
 * Makes an entry of a diagnostic. The examples are two versions of one skill: lines of
 * metadata.yaml, or whole files.
 */
export function entry(
  severity: DiagnosticEntry["severity"],
  title: string,
  explanation: string,
  example: readonly string[] | ProjectFiles,
  fixed: readonly string[] | ProjectFiles,
): DiagnosticEntry {
  return { severity, title, explanation, example: project(example), fixed: project(fixed) };
}

function project(example: readonly string[] | ProjectFiles): ProjectFiles {
  return isLines(example) ? skill(...example) : example;
}

function isLines(example: readonly string[] | ProjectFiles): example is readonly string[] {
  return Array.isArray(example);
}

/** A skill with these lines in metadata.yaml. */
export function skill(...lines: readonly string[]): ProjectFiles {
  return exampleSkill("order-desk", "Looks after orders.", lines);
}

/** A skill with these lines below the name and description of SKILL.md. */
export function inFrontMatter(...lines: readonly string[]): ProjectFiles {
  const text = ["---", "name: order-desk", "description: Looks after orders.", ...lines, "---", ""];
  return { "skills/order-desk/SKILL.md": text.join("\n") };
}

/** Lines of metadata.yaml with one tool, `create-order`, that has these lines. */
export function tool(...lines: readonly string[]): readonly string[] {
  return [
    "tools_schema:",
    "  create-order:",
    "    description: Create an order.",
    ...lines.map((line) => `    ${line}`),
  ];
}

/** Lines of metadata.yaml with one tool, `get-order`, that has this binding. */
export function bound(...lines: readonly string[]): readonly string[] {
  return [
    "tools_schema:",
    "  get-order:",
    "    description: Get an order.",
    "    order_id: string",
    "    binding:",
    ...lines.map((line) => `      ${line}`),
  ];
}
