import type {
  DiagnosticEntries,
  DiagnosticEntry,
  ProjectFiles,
} from "../../core/diagnostic-entry.js";

/** Every code about what a tool says under `governance`, beside what it does. */
export const governanceDiagnosticEntries: DiagnosticEntries = {
  "governance/low-risk": entry(
    "error",
    "a write with the risk of a read",
    "Whoever decides about calls by their risk takes a `low` one for harmless. It is an error for a tool that has `governance`, and for every tool of a governed project; " +
      "a statement of SQL that writes has to say `high` in any project.",
    post({ tool: ["risk_level: low", "governance: { scopes: [orders.write] }"] }),
    post({ tool: ["risk_level: medium", "governance: { scopes: [orders.write] }"] }),
  ),
  "governance/reading-scope": entry(
    "error",
    "a scope that only reads, on a tool that writes",
    "Callers are given `orders.read`, `read:orders` or `orders.view` to look at things. A tool that changes some, and asks for nothing else, gives them more than that. " +
      "Beside a scope of another kind such a one is fine.",
    post({ tool: ["governance: { scopes: [orders.read] }"] }),
    post({ tool: ["governance: { scopes: [orders.write] }"] }),
  ),
  "governance/unknown-effect": entry(
    "warning",
    "a handler that is governed like a read, and counts as a write",
    "What a function does can't be seen, so a handler counts as a write. With `low` risk, or a scope that only reads, it most likely is none: `effect` says so, and then shadow mode " +
      "calls it and a failed call is repeated.",
    handler("risk_level: low", "governance: { group: orders }"),
    handler(
      "risk_level: low",
      "governance: { group: orders }",
      "binding: { type: handler, effect: read }",
    ),
  ),
  "governance/bad-capability": entry(
    "error",
    "a capability in a form that it doesn't have",
    "A capability is what is done, a colon, and how; then, behind a space, where: `net.http:post ${ORDERS_URL}/orders`, `sql:read ${WAREHOUSE_URL} public.orders`, " +
      "`queue:send kafka orders.created`, or what a custom kind of binding has. `*` stands for any method, and for any text of a name; a path stands for all that begins with its segments.",
    post({ tool: ['governance: { capabilities: ["net.http:POST ${ORDERS_URL}/orders"] }'] }),
    post({ tool: ['governance: { capabilities: ["net.http:post ${ORDERS_URL}/orders"] }'] }),
  ),
  "governance/narrow-capability": entry(
    "error",
    "a binding that goes beyond what its tool declares",
    "Declared capabilities are all that calls may reach. What the binding needs beyond them would be refused at every call.",
    post({ tool: ['governance: { capabilities: ["net.http:post ${ORDERS_URL}/orders/drafts"] }'] }),
    post({ tool: ['governance: { capabilities: ["net.http:post ${ORDERS_URL}/orders"] }'] }),
  ),
  "governance/wide-capability": entry(
    "warning",
    "a declared capability that nothing needs",
    "Capabilities are declared to narrow what a binding says. One that allows more is a leftover, or a typing error in a place that nobody else checks.",
    post({ tool: ['governance: { capabilities: ["net.http:* ${ORDERS_URL}/orders"] }'] }),
    post({ tool: ['governance: { capabilities: ["net.http:post ${ORDERS_URL}/orders"] }'] }),
  ),
  "governance/limit-never-met": entry(
    "error",
    "a limit beyond the binding's own",
    "The binding refuses an answer of more bytes than its own limit, so `bytes_out` beyond that allows what never comes.",
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
    "`concurrency: serial` lets one call of a tenant run at a time, so `concurrent` can't be more than 1.",
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

/** A tool that posts, with these lines of its own and of its binding. */
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
  const text = [
    "---",
    "name: desk",
    "description: Looks after orders.",
    "tools:",
    `  ${name}:`,
    `    description: ${description}`,
    "    order_id: string",
    ...lines.map((line) => `    ${line}`),
    "---",
    "",
  ];
  return { "skills/desk/SKILL.md": text.join("\n") };
}
