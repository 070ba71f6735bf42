import type {
  DiagnosticEntries,
  DiagnosticEntry,
  ProjectFiles,
} from "../../core/diagnostic-entry.js";

/** Every code about `accept:`, by which authors let diagnostics be. */
export const acceptDiagnosticEntries: DiagnosticEntries = {
  "accept/unknown-code": entry(
    "error",
    "an accepted code that doesn't exist",
    "`accept` maps the codes of findings, as `skillc check` shows them, to the reasons why they may stay. A misspelt one would accept nothing.",
    skill('credential/placehodler: "the sandbox takes any token"'),
  ),
  "accept/not-acceptable": entry(
    "error",
    "a finding that can't be accepted",
    "A warning says that something is doubtful, and its author may know better. An error says what can't work or must not be, and a note stops " +
      "nothing. Of the errors only `credential/plaintext-secret`, `skill/misspelt-setting` and `skill/misplaced-setting` can be accepted: they judge by what a text looks like.",
    skill('http/bad-origin: "works for us"'),
  ),
  "accept/no-reason": entry(
    "error",
    "a finding that is accepted without a reason",
    "The reason is for whoever reads the skill next: it is a text that isn't blank.",
    skill('credential/placeholder: ""'),
  ),
  "accept/unused": {
    ...entry(
      "warning",
      "an accepted finding that there isn't",
      "What was accepted has been mended, or never was: the entry says what isn't so, and would hide the finding if it came back. This is told only " +
        "once no skill has an error, since what comes after one is not looked at.",
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

/** A skill with a diagnostic, `credential/placeholder`. */
function skill(accepted: string): ProjectFiles {
  const lines = [
    "---",
    "name: order-desk",
    "description: Looks after orders.",
    "tools:",
    "  get-order:",
    "    description: Get an order.",
    "    order_id: string",
    `    accept: { ${accepted} }`,
    "    binding:",
    "      type: http",
    "      method: GET",
    "      url: https://sandbox.example.com/orders/{order_id}",
    "      headers: { Authorization: Bearer YOUR_TOKEN }",
    "---",
    "",
  ];
  return { "skills/order-desk/SKILL.md": lines.join("\n") };
}
