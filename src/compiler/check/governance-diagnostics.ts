import type {
  DiagnosticEntries,
  DiagnosticEntry,
  ProjectFiles,
} from "../../core/diagnostic-entry.js";
import { exampleSkill } from "../../core/example-skill.js";

/** Entries of the codes for a tool's `governance` that doesn't match its effect. */
export const governanceDiagnosticEntries: DiagnosticEntries = {
  "governance/low-risk": entry(
    "error",
    "a tool that writes and has the risk of a read",
    "People and policies that decide by risk take a `low` call for harmless. A tool that writes must not be `low` if it has `governance`, or if skillc.yaml " +
      "governs the project. In every project, a SQL tool that writes must be `high`.",
    post({ tool: ["risk_level: low", "governance: { scopes: [orders.write] }"] }),
    post({ tool: ["risk_level: medium", "governance: { scopes: [orders.write] }"] }),
  ),
  "governance/reading-scope": entry(
    "error",
    "a tool that writes and requires only a reading scope",
    "Callers get `orders.read`, `read:orders` or `orders.view` to look at data. If a tool that writes requires nothing else, these callers can also change " +
      "data. Beside a scope of another kind, a reading scope is fine.",
    post({ tool: ["governance: { scopes: [orders.read] }"] }),
    post({ tool: ["governance: { scopes: [orders.write] }"] }),
  ),
  "governance/unknown-effect": entry(
    "warning",
    "a handler that is governed like a read, and counts as a write",
    "skillc cannot see what a function does, so a handler counts as a write. With `low` risk, or with a scope that only reads, the handler is probably a " +
      "read. `effect` says so: shadow mode calls a read, and the runtime repeats a read that failed.",
    handler("risk_level: low", "governance: { group: orders }"),
    handler(
      "risk_level: low",
      "governance: { group: orders }",
      "binding: { type: handler, effect: read }",
    ),
  ),
  "governance/bad-capability": entry(
    "error",
    "an invalid capability",
    "A capability is an action, a colon and a method, then a space and a target: `net.http:post ${ORDERS_URL}/orders`, `sql:read ${WAREHOUSE_URL} " +
      "public.orders` or `queue:send kafka orders.created`. Custom binding kinds define their own. `*` stands for any method, and for any part of a name. A " +
      "path covers every path that begins with its segments.",
    post({ tool: ['governance: { capabilities: ["net.http:POST ${ORDERS_URL}/orders"] }'] }),
    post({ tool: ['governance: { capabilities: ["net.http:post ${ORDERS_URL}/orders"] }'] }),
  ),
  "governance/narrow-capability": entry(
    "error",
    "a binding that needs more than its tool declares",
    "The capabilities of a tool are all that its calls may reach. The runtime would deny every call that needs more.",
    post({ tool: ['governance: { capabilities: ["net.http:post ${ORDERS_URL}/orders/drafts"] }'] }),
    post({ tool: ['governance: { capabilities: ["net.http:post ${ORDERS_URL}/orders"] }'] }),
  ),
  "governance/wide-capability": entry(
    "warning",
    "a declared capability that nothing needs",
    "A tool declares capabilities to narrow what its binding may reach. A capability that allows more is a leftover or a typing error, and no other check " +
      "finds it.",
    post({ tool: ['governance: { capabilities: ["net.http:* ${ORDERS_URL}/orders"] }'] }),
    post({ tool: ['governance: { capabilities: ["net.http:post ${ORDERS_URL}/orders"] }'] }),
  ),
  "governance/limit-never-met": entry(
    "error",
    "a limit above the binding's own limit",
    "The binding rejects an answer with more bytes than its own limit. So a `bytes_out` above that limit never has an effect.",
    post({
      tool: ["governance: { limits: { bytes_out: 1MiB } }"],
      binding: ["max_response_bytes: 65536"],
    }),
    post({
      tool: ["governance: { limits: { bytes_out: 64KiB } }"],
      binding: ["max_response_bytes: 65536"],
    }),
  ),
  "governance/serial-and-concurrent": entry(
    "error",
    "several calls at once of a serial tool",
    "`concurrency: serial` lets one call of a tenant run at a time. So `concurrent` cannot be more than 1.",
    post({ tool: ["governance: { concurrency: serial, limits: { concurrent: 4 } }"] }),
    post({ tool: ["governance: { concurrency: serial }"] }),
  ),
};

function entry(
  severity: DiagnosticEntry["severity"],
  title: string,
  explanation: string,
  example: ProjectFiles,
  fixed: ProjectFiles,
): DiagnosticEntry {
  return { severity, title, explanation, example, fixed };
}

/** A tool that sends a POST, with extra lines for the tool and its binding. */
function post({
  binding = [],
  tool,
}: {
  readonly tool: readonly string[];
  readonly binding?: readonly string[];
}): ProjectFiles {
  return skill("create-order", "Creates an order.", [
    ...tool,
    "binding:",
    "  type: http",
    "  method: POST",
    "  url: ${ORDERS_URL}/orders",
    ...binding.map((line) => `  ${line}`),
  ]);
}

function handler(...tool: readonly string[]): ProjectFiles {
  return skill("look-up", "Looks an order up.", tool);
}

function skill(name: string, description: string, lines: readonly string[]): ProjectFiles {
  return exampleSkill("desk", "Looks after orders.", [
    "tools_schema:",
    `  ${name}:`,
    `    description: ${description}`,
    "    order_id: string",
    ...lines.map((line) => `    ${line}`),
  ]);
}
