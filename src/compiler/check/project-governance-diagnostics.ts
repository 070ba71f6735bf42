import type {
  DiagnosticEntries,
  DiagnosticEntry,
  ProjectFiles,
} from "../../core/diagnostic-entry.js";

const skill = "---\nname: desk\ndescription: Looks after orders.\n---\n";

const tools = `tools_schema:
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
`;

/** Entries of the codes for governance in skillc.yaml that doesn't match the existing tools. */
export const projectGovernanceDiagnosticEntries: DiagnosticEntries = {
  "governance/unknown-tool": entry(
    "error",
    "an entry of skillc.yaml for an unknown tool",
    "A grant, quota or obligation for an unknown tool has no effect. The tool that it is meant for would run without it.",
    "quotas:\n  - { name: calls, calls_per_minute: 60, tools: [desk/get-ordr] }\n",
    "quotas:\n  - { name: calls, calls_per_minute: 60, tools: [desk/get-order] }\n",
  ),
  "governance/unknown-tag": entry(
    "error",
    "an entry of skillc.yaml for an unknown tag",
    "Tools list their tags under `tags`. An entry for a tag that no tool has applies to nothing.",
    "quotas:\n  - { name: calls, calls_per_minute: 60, tags: [order] }\n",
    "quotas:\n  - { name: calls, calls_per_minute: 60, tags: [orders] }\n",
  ),
  "governance/unneeded-scope": entry(
    "warning",
    "a grant of a scope that nothing requires",
    "A scope has three uses: a tool requires it under `governance`, an obligation spares callers that hold it (`unless`), or a policy looks for it in " +
      "`context.scopes`. If none of them names the scope, the scope is misspelt or a leftover. skillc does not report the scopes of a grant if a policy " +
      "compares `context.scopes` with other values than text.",
    "grants:\n  - { to: { role: support }, scopes: [orders.read, orders.raed] }\n",
    "grants:\n  - { to: { role: support }, scopes: [orders.read] }\n",
  ),
  "governance/ungranted-scope": entry(
    "warning",
    "a scope that is required, and granted to nobody",
    "If skillc.yaml has `grants`, callers hold only the scopes that they are granted. If nobody is granted a scope for a tool that requires it, every call " +
      "of the tool is denied. If nobody is granted a scope that an obligation names under `unless`, the obligation applies to everybody.",
    "grants:\n  - { to: { role: support }, scopes: [orders.read], tools: [desk/find-orders] }\n",
    "grants:\n  - { to: { role: support }, scopes: [orders.read] }\n",
  ),
  "governance/unneeded-capability": entry(
    "warning",
    "a capability of skillc.yaml that no tool needs",
    "`capabilities` of skillc.yaml limit what tools may reach in this deployment. A capability that no tool needs allows something for no reason.",
    'capabilities: ["net.http:get ${ORDERS_URL}", "net.http:delete ${ORDERS_URL}"]\n',
    'capabilities: ["net.http:get ${ORDERS_URL}"]\n',
  ),
  "governance/tool-blocked": entry(
    "error",
    "a tool whose calls would all be denied",
    "A call may reach a target only if the capabilities of the tool and of the deployment both allow it. `capabilities` of skillc.yaml allow no call of this " +
      "tool.",
    'capabilities: ["net.http:get ${ORDERS_URL}/customers"]\n',
    'capabilities: ["net.http:get ${ORDERS_URL}/orders"]\n',
  ),
  "governance/tool-narrowed": entry(
    "warning",
    "a tool with calls that may be denied",
    "The target of a call depends on its parameters, or on the values of settings. `capabilities` of skillc.yaml may allow one target and not another. The " +
      "runtime denies such a call before anything is sent.",
    'capabilities: ["net.http:get ${ORDERS_URL}/orders/7"]\n',
    'capabilities: ["net.http:get ${ORDERS_URL}/orders"]\n',
  ),
  "governance/dot-segments": {
    ...entry(
      "error",
      "a parameter that may lead anywhere, under strict governance",
      "With `allow_dot_segments`, a value may contain `..`. The call can then reach any path at its origin, whatever capabilities and policies say about the " +
        "path. Under `governance: strict`, no tool may have this setting.",
      "governance: strict\n",
      "governance: strict\n",
    ),
    example: {
      "skillc.yaml": "governance: strict\n",
      "skills/desk/SKILL.md": skill,
      "skills/desk/metadata.yaml": tools.replace(
        '/orders/{order_id}" }',
        '/orders/{order_id}", path: { order_id: { value: "{order_id}", allow_dot_segments: true } } }',
      ),
    },
  },
  "governance/no-such-place": entry(
    "error",
    "an obligation for a place that does not exist",
    "`at` is a JSON Pointer into the data that a tool returns, with `*` for every item of a list and every property of an object. `returns` does not declare " +
      "this place, so it is no part of the tool's type, and there is nothing to hide. If an obligation is for several tools, at least one of them must have " +
      "the place, and so must each tool that it names.",
    "obligations:\n  - { name: hide-mail, do: mask, at: /customer/mail, tools: [desk/get-order] }\n",
    "obligations:\n  - { name: hide-mail, do: mask, at: /customer/email, tools: [desk/get-order] }\n",
  ),
  "governance/untold-place": entry(
    "warning",
    "an obligation for a tool without `returns`",
    "Without `returns`, skillc cannot check whether the place exists or is misspelt. The obligation applies if the data has the place.",
    "obligations:\n  - { name: hide-mail, do: mask, at: /email, tools: [desk/find-orders] }\n",
    "obligations:\n  - { name: hide-mail, do: mask, at: /customer/email, tools: [desk/get-order] }\n",
  ),
  "governance/no-text": entry(
    "error",
    "a `mask` or `redact` of a value that is not text",
    "`mask` replaces a text by `***`, and `redact` replaces parts of a text. Callers that expect a number, a list or an object would get a text.",
    "obligations:\n  - { name: hide-total, do: mask, at: /total, tools: [desk/get-order] }\n",
    "obligations:\n  - { name: hide-total, do: drop, at: /total, tools: [desk/get-order] }\n",
  ),
  "governance/no-property": entry(
    "error",
    "a `drop` of something that is not a property",
    "`drop` removes a property. It cannot remove an item of a list, because the items after it would move up. It cannot remove the data as a whole either.",
    "obligations:\n  - { name: no-lines, do: drop, at: /lines/*, tools: [desk/get-order] }\n",
    "obligations:\n  - { name: no-lines, do: drop, at: /lines, tools: [desk/get-order] }\n",
  ),
  "governance/too-many-obligations": entry(
    "error",
    "too many obligations for one tool",
    "The type of a tool's answer shows what each obligation does, and skillc lets it have 500 obligations. Cover several places with one " +
      "obligation, or use `*` for all properties of an object.",
    manyObligations(501),
    manyObligations(500),
  ),
  "governance/bad-pattern": entry(
    "error",
    "a pattern that cannot redact",
    "`pattern` is a regular expression of ECMAScript with the flag `u`. It must match in linear time, whatever the text is, so it has no lookaround and no " +
      "back-references. It must match at least one character.",
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
    // No skill owns skillc.yaml, so no skill can accept its diagnostics.
    acceptable: false,
    title,
    explanation,
    example: project(example),
    fixed: project(fixed),
  };
}

function project(config: string): ProjectFiles {
  return {
    "skillc.yaml": config,
    "skills/desk/SKILL.md": skill,
    "skills/desk/metadata.yaml": tools,
  };
}

/** Obligations with different places, ten on each line. */
function manyObligations(count: number): string {
  const all = Array.from(
    { length: count },
    (_, index) =>
      `${index % 10 === 0 ? "\n    " : " "}{ name: hide-${index}, do: drop, at: /n${index}, tools: [desk/find-orders] },`,
  );
  return `obligations: [${all.join("")}\n  ]\n`;
}
