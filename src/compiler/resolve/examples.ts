import type { DiagnosticEntry, ProjectFiles } from "../../core/diagnostic-entry.js";

/**
 * Makes an entry of a diagnostic. The examples are two versions of one skill: lines of front
 * matter, or whole files.
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
  return isLines(example) ? { "skills/order-desk/SKILL.md": skill(...example) } : example;
}

function isLines(example: readonly string[] | ProjectFiles): example is readonly string[] {
  return Array.isArray(example);
}

/** A SKILL.md with these lines below its name and description. */
export function skill(...lines: readonly string[]): string {
  return ["---", "name: order-desk", "description: Looks after orders.", ...lines, "---", ""].join(
    "\n",
  );
}

/** Front matter with one tool, `create-order`, that has these lines. */
export function tool(...lines: readonly string[]): readonly string[] {
  return [
    "tools:",
    "  create-order:",
    "    description: Create an order.",
    ...lines.map((line) => `    ${line}`),
  ];
}

/** Front matter with one tool, `get-order`, that has this binding. */
export function bound(...lines: readonly string[]): readonly string[] {
  return [
    "tools:",
    "  get-order:",
    "    description: Get an order.",
    "    order_id: string",
    "    binding:",
    ...lines.map((line) => `      ${line}`),
  ];
}
