import type {
  DiagnosticEntries,
  DiagnosticEntry,
  ProjectFiles,
} from "../../core/diagnostic-entry.js";
import { exampleSkill } from "../../core/example-skill.js";

/** Entries of all codes about `accept:`, which lets authors accept diagnostics. */
export const acceptDiagnosticEntries: DiagnosticEntries = {
  "accept/unknown-code": entry(
    "error",
    "an accepted code that does not exist",
    "`accept` maps codes of diagnostics, as `skillc check` shows them, to reasons. A misspelt code would accept nothing.",
    skill('credential/placehodler: "the sandbox takes any token"'),
  ),
  "accept/not-acceptable": entry(
    "error",
    "a diagnostic that cannot be accepted",
    "You can accept a warning about a skill, because its author may know better. You can accept only three errors: `credential/plaintext-secret`, " +
      "`skill/misspelt-setting` and `skill/misplaced-setting` judge by the look of a text. Every other error means that something cannot work or must not " +
      "happen. A note stops nothing, so there is nothing to accept.",
    skill('http/bad-origin: "works for us"'),
  ),
  "accept/no-reason": entry(
    "error",
    "a diagnostic that is accepted without a reason",
    "The reason is for the next reader of the skill. Write a text that is not blank.",
    skill('credential/placeholder: ""'),
  ),
  "accept/unused": {
    ...entry(
      "warning",
      "an accepted diagnostic that does not occur",
      "The problem was fixed, or never existed. The entry would hide the diagnostic if the problem came back. skillc reports this only if no skill has an " +
        "error, because skillc stops checking a skill after an error.",
      skill('http/unusable-value: "nobody asks for it"'),
    ),
    acceptable: false,
  },
};

function entry(
  severity: DiagnosticEntry["severity"],
  title: string,
  explanation: string,
  example: ProjectFiles,
): DiagnosticEntry {
  const fixed = skill('credential/placeholder: "the sandbox takes any token"');
  return { severity, title, explanation, example, fixed };
}

/** A skill with the diagnostic `credential/placeholder`. */
function skill(accepted: string): ProjectFiles {
  const lines = [
    "tools_schema:",
    "  get-order:",
    "    description: Get an order.",
    "    order_id: string",
    `    accept: { ${accepted} }`,
    "    binding:",
    "      type: http",
    "      method: GET",
    "      url: https://sandbox.example.com/orders/{order_id}",
    "      headers: { Authorization: Bearer YOUR_TOKEN }",
  ];
  return exampleSkill("order-desk", "Looks after orders.", lines);
}
