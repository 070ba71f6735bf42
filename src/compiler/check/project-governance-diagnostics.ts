import type {
  DiagnosticEntries,
  DiagnosticEntry,
  ProjectFiles,
} from "../../core/diagnostic-entry.js";

const skill = `---
name: desk
description: Looks after orders.
tools:
  get-order:
    description: Gets an order.
    tags: [orders]
    governance: { scopes: [orders.read] }
    parameters:
      type: object
      required: [order_id]
      properties: { order_id: { type: string } }
    returns:
      type: object
      required: [customer, total, lines]
      properties:
        customer: { type: object, properties: { email: { type: string } } }
        total: { type: number }
        note: { type: string }
        lines: { type: array, items: { type: string } }
    binding: { type: http, method: GET, url: "\${ORDERS_URL}/orders/{order_id}" }
  find-orders:
    description: Finds orders.
    tags: [orders]
    parameters: { type: object, properties: { q: { type: string } } }
    binding: { type: http, method: GET, url: "\${ORDERS_URL}/orders/7/found?q={q}" }
---
`;

/** Every code about what skillc.yaml says of who may call what, beside the tools that there are. */
export const projectGovernanceDiagnosticEntries: DiagnosticEntries = {
  "governance/unknown-tool": entry(
    "error",
    "an entry of skillc.yaml for a tool that isn't there",
    "A grant, a quota or an obligation for a tool that nobody has does nothing, and what it was meant for goes without it.",
    "quotas:\n  - { name: calls, calls_per_minute: 60, tools: [desk/get-ordr] }\n",
    "quotas:\n  - { name: calls, calls_per_minute: 60, tools: [desk/get-order] }\n",
  ),
  "governance/unknown-tag": entry(
    "error",
    "an entry of skillc.yaml for a tag that no tool has",
    "Tags are those that tools list under `tags`. With one that no tool has the entry is for nothing.",
    "quotas:\n  - { name: calls, calls_per_minute: 60, tags: [order] }\n",
    "quotas:\n  - { name: calls, calls_per_minute: 60, tags: [orders] }\n",
  ),
  "governance/unneeded-scope": entry(
    "warning",
    "a grant of a scope that nothing asks for",
    "A scope opens the tools that ask for it under `governance`, and data that obligations change `unless` it is held. One that neither names opens nothing: it is misspelt, or left over. " +
      "Nothing is said where policies look at `context.scopes`.",
    "grants:\n  - { to: { role: support }, scopes: [orders.read, orders.raed] }\n",
    "grants:\n  - { to: { role: support }, scopes: [orders.read] }\n",
  ),
  "governance/ungranted-scope": entry(
    "warning",
    "a scope that is asked for, and granted to nobody",
    "Where skillc.yaml has `grants`, callers hold no more than what is granted to them. A tool that asks for a scope which nobody is granted for it is refused to everybody, and an obligation frees " +
      "nobody by a scope under `unless` that nobody is granted for its tools.",
    "grants:\n  - { to: { role: support }, scopes: [orders.read], tools: [desk/find-orders] }\n",
    "grants:\n  - { to: { role: support }, scopes: [orders.read] }\n",
  ),
  "governance/unneeded-capability": entry(
    "warning",
    "a capability of skillc.yaml that no tool needs",
    "`capabilities` of skillc.yaml are what tools may reach where this is deployed. What none of them reaches is allowed for no reason.",
    'capabilities: ["net.http:get ${ORDERS_URL}", "net.http:delete ${ORDERS_URL}"]\n',
    'capabilities: ["net.http:get ${ORDERS_URL}"]\n',
  ),
  "governance/tool-blocked": entry(
    "error",
    "a tool whose every call would be refused",
    "A call goes only where both its tool's and the deployment's capabilities let it. Nothing under `capabilities` of skillc.yaml lets any call of this tool go where it has to.",
    'capabilities: ["net.http:get ${ORDERS_URL}/customers"]\n',
    'capabilities: ["net.http:get ${ORDERS_URL}/orders"]\n',
  ),
  "governance/tool-narrowed": entry(
    "warning",
    "a tool of which some calls may be refused",
    "Whether the deployment's capabilities let a call go where it has to depends on its parameters, or on the values of settings. Calls that they don't are refused before anything is sent.",
    'capabilities: ["net.http:get ${ORDERS_URL}/orders/7"]\n',
    'capabilities: ["net.http:get ${ORDERS_URL}/orders"]\n',
  ),
  "governance/dot-segments": {
    ...entry(
      "error",
      "a parameter that may lead anywhere, under strict governance",
      "`allow_dot_segments` lets a value hold `..`, so that a call reaches any path at its origin, whatever its capabilities and policies say of the path. " +
        "Under `governance: strict` no tool has it.",
      "governance: strict\n",
      "governance: strict\n",
    ),
    example: {
      "skillc.yaml": "governance: strict\n",
      "skills/desk/SKILL.md": skill.replace(
        '/orders/{order_id}" }',
        '/orders/{order_id}", path: { order_id: { value: "{order_id}", allow_dot_segments: true } } }',
      ),
    },
  },
  "governance/no-such-place": entry(
    "error",
    "an obligation for a place that isn't there",
    "`at` is a JSON Pointer into the data that a tool gives, with `*` for every item of a list and every property of an object. What `returns` doesn't declare is no part of the tool's type, so " +
      "nothing would be hidden that callers are told of. Of several tools that an obligation is for, one at least has to have the place, and each that it names.",
    "obligations:\n  - { name: hide-mail, do: mask, at: /customer/mail, tools: [desk/get-order] }\n",
    "obligations:\n  - { name: hide-mail, do: mask, at: /customer/email, tools: [desk/get-order] }\n",
  ),
  "governance/untold-place": entry(
    "warning",
    "an obligation for a tool that doesn't say what it gives",
    "Without `returns` nobody can tell whether the place is there, or misspelt. The obligation is met where it is.",
    "obligations:\n  - { name: hide-mail, do: mask, at: /email, tools: [desk/find-orders] }\n",
    "obligations:\n  - { name: hide-mail, do: mask, at: /customer/email, tools: [desk/get-order] }\n",
  ),
  "governance/no-text": entry(
    "error",
    "a mask in place of what is no text",
    "`mask` puts `***` in place of a text, and `redact` in place of parts of one. In place of a number, a list or an object callers would get a text where none can stand.",
    "obligations:\n  - { name: hide-total, do: mask, at: /total, tools: [desk/get-order] }\n",
    "obligations:\n  - { name: hide-total, do: drop, at: /total, tools: [desk/get-order] }\n",
  ),
  "governance/no-property": entry(
    "error",
    "what can't be left out",
    "`drop` leaves a property out. An item of a list is none: the others would move up; nor are the data as a whole.",
    "obligations:\n  - { name: no-lines, do: drop, at: /lines/*, tools: [desk/get-order] }\n",
    "obligations:\n  - { name: no-lines, do: drop, at: /lines, tools: [desk/get-order] }\n",
  ),
  "governance/too-many-obligations": entry(
    "error",
    "a tool that too many obligations change",
    "The type of a tool's answer says what each obligation does to it, and TypeScript follows it through 48 of them. Cover several places with one obligation, or use `*` for all properties of an object.",
    manyObligations(49),
    manyObligations(48),
  ),
  "governance/bad-pattern": entry(
    "error",
    "a pattern that can't redact",
    "`pattern` is a regular expression of ECMAScript, with the flag `u`, that is matched in linear time whatever the text is: it looks around nowhere and refers back to nothing. It matches one " +
      "character at least.",
    'obligations:\n  - { name: no-cards, do: redact, at: /note, pattern: "[0-9]{13,19", tools: [desk/get-order] }\n',
    'obligations:\n  - { name: no-cards, do: redact, at: /note, pattern: "[0-9]{13,19}", tools: [desk/get-order] }\n',
  ),
};

function entry(
  severity: DiagnosticEntry["severity"],
  title: string,
  explanation: string,
  example: string,
  fixed: string,
): DiagnosticEntry {
  return {
    severity,
    // What stands in skillc.yaml is nobody's skill.
    acceptable: false,
    title,
    explanation,
    example: project(example),
    fixed: project(fixed),
  };
}

function project(config: string): ProjectFiles {
  return { "skillc.yaml": config, "skills/desk/SKILL.md": skill };
}

function manyObligations(count: number): string {
  const all = Array.from(
    { length: count },
    (_, index) => `  - { name: hide-${index}, do: drop, at: /total, tools: [desk/get-order] }\n`,
  );
  return `obligations:\n${all.join("")}`;
}
