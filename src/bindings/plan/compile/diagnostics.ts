import type {
  DiagnosticEntries,
  DiagnosticEntry,
  ProjectFiles,
} from "../../../core/diagnostic-entry.js";
import type { Severity } from "../../../core/diagnostic.js";

const skill = [
  "---",
  "name: desk",
  "description: Looks up orders and tells customers about them.",
  "---",
  "",
].join("\n");

/** Tools that the plan of each example calls. All are handlers, so that they fit any project. */
const tools = `  find-order:
    description: Finds an order.
    parameters: { type: object, required: [id], properties: { id: { type: string } } }
    binding: { type: handler, effect: read }
    returns:
      type: object
      required: [customer, lines, total, state]
      properties:
        customer: { type: string }
        note: { type: string }
        secret: { type: string, x-sensitive: true }
        total: { type: number }
        state: { type: string, enum: [open, sent] }
        lines:
          type: array
          items: { type: object, required: [sku], properties: { sku: { type: string } } }
  tell-customer:
    description: Sends a message to a customer.
    parameters:
      type: object
      required: [customer]
      properties: { customer: { type: string }, text: { type: string } }
  stream-log:
    description: Reads the log of an order.
    parameters: { type: object, required: [id], properties: { id: { type: string } } }
    binding: { type: http, method: GET, url: "https://desk.example/log/{id}", response: ndjson }
    returns: { type: object }
`;

/** A project with one plan, whose steps are given. */
function project(steps: string, keys = "", parameters = "id"): ProjectFiles {
  const properties = parameters
    .split(" ")
    .map((name) => `${name}: { type: string }`)
    .join(", ");
  return {
    "skills/desk/SKILL.md": skill,
    "skills/desk/metadata.yaml": `tools_schema:
  inform:
    description: Tells the customer of an order about it.
    parameters: { type: object, required: [id], properties: { ${properties} } }
    binding:
      type: plan
      steps:
${indented(steps, 8)}${keys === "" ? "" : indented(keys, 6)}${tools}`,
  };
}

function indented(text: string, spaces: number): string {
  return text
    .trim()
    .split("\n")
    .map((line) => `${" ".repeat(spaces)}${line}\n`)
    .join("");
}

const find = "- { id: 1, tool: find-order, bindings: { id: id } }";
const tell = "- { id: 2, tool: tell-customer, bindings: { customer: step_1.output.customer } }";

function told(bindings: string): string {
  return `${find}\n- { id: 2, tool: tell-customer, bindings: { ${bindings} } }`;
}

/** A step with this source. */
function inferred(source = "source_type: generated"): string {
  return `- { id: 1, tool: tell-customer, bindings: { customer: { ${source} } } }`;
}

const good = project(`${find}\n${tell}`);

function entry(
  title: string,
  explanation: string,
  example: ProjectFiles,
  { fixed = good, severity = "error" }: { fixed?: ProjectFiles; severity?: Severity } = {},
): DiagnosticEntry {
  return { severity, title, explanation, example, fixed };
}

/** Every diagnostic code of plans, with an example that a test runs. */
export const planDiagnosticEntries: DiagnosticEntries = {
  "plan/bad-path": entry(
    "a source that is not a path",
    "A text in `bindings` is a path: the name of a parameter, or `step_<id>.output`, then names with dots, `[0]` or `[*]`. Fixed text is a literal: `{ source_type: literal, default_value: … }`.",
    project(told('customer: "{step_1.output.customer}"')),
  ),
  "plan/no-state": entry(
    "a state that the plan does not have",
    "The state of a plan holds its inputs and the outputs of its steps: `state.inputs.NAME` and `state.steps.ID.output`. A plan that is made at run time may name others.",
    project(told("customer: state.documents")),
  ),
  "plan/no-planner": entry(
    "a value that a model would have to choose",
    "`source_type: generated` and `fallback: llm_infer` let a planner ask a model while the plan runs. Such a plan says so with `planner: true`, and the runtime needs a planner: `createRuntime({ planner })`.",
    project(inferred()),
    { fixed: project(inferred(), "planner: true") },
  ),
  "plan/unused-planner": entry(
    "a planner that is never asked",
    "The plan says `planner: true`, but each parameter of its steps has a value. The runtime would need a planner for nothing.",
    project(`${find}\n${tell}`, "planner: true"),
    { severity: "warning" },
  ),
  "plan/cannot-infer": entry(
    "a planner in place of a value that is no parameter",
    "A planner finds parameters of steps. A condition, a list and an output need a source.",
    project(inferred(), "planner: true\noutput: { source_type: generated }"),
    { fixed: project(inferred(), "planner: true\noutput: id") },
  ),
  "plan/unsure-source": entry(
    "an unsure source that ends each call",
    "In a plan with `planner: true`, a source whose `confidence` is below `confidence_threshold` (0.7 by default) is not used. Its fallback decides instead, and `error` would end each call.",
    project(inferred("source: id, confidence: 0.5, fallback: error"), "planner: true"),
    {
      fixed: project(inferred("source: id, confidence: 0.5, fallback: llm_infer"), "planner: true"),
    },
  ),
  "plan/retry": {
    ...entry(
      "a retry of a whole plan",
      "A repeated plan would make its writes again. The tool of each step has its own `retry`. A run that is kept goes on after a crash without a repetition.",
      project(`${find}\n${tell}`, "retry: { max_attempts: 2 }"),
    ),
    replaces: "retry/unsafe-write",
  },
  "plan/bad-transform": entry(
    "a transform that makes no text",
    "`transform` is text with `{value}` in it, such as `Order {value}`. It runs no code. The value is a text, a number or a boolean.",
    project(told("customer: { source: step_1.output.customer, transform: value.toUpperCase() }")),
  ),
  "plan/bad-condition": entry(
    "a condition without one test",
    "`when` compares one value with `equals` or `in`, or asks with `exists` if there is a value. A condition with no test, or with two, is ambiguous.",
    project(
      `${find}\n- { id: 2, tool: tell-customer, when: { source: step_1.output.state }, bindings: { customer: step_1.output.customer } }`,
    ),
  ),
  "plan/reserved-name": entry(
    "a parameter that no source can name",
    "In a plan, a path that begins with `step_`, `item` or `state` means a step, an item of a loop or the state. A parameter with such a name could not be used.",
    project("- { id: 1, tool: find-order, bindings: { id: id } }\n" + tell, "", "id item"),
  ),
  "plan/unknown-parameter": entry(
    "a source that names no parameter",
    "The first name of a path is a parameter of the plan, unless it is `step_<id>`, `item`, `state` or `caller`.",
    project(`- { id: 1, tool: find-order, bindings: { id: order_id } }\n${tell}`),
  ),
  "plan/unused-parameter": entry(
    "a parameter that no source reads",
    "The caller gives the parameter, and the plan ignores it. Use it in a step, remove it, or list it under `unused` of the tool.",
    project(`${find}\n${tell}`, "", "id note"),
  ),
  "plan/unknown-unused": entry(
    "`unused` names no parameter",
    "`unused` lists parameters that the plan ignores on purpose. A name in it that no parameter has is a mistake.",
    withUnused("note"),
  ),
  "plan/not-unused": entry(
    "`unused` names a parameter that is used",
    "`unused` lists parameters that the plan ignores on purpose, but a source reads this one.",
    withUnused("id"),
  ),
  "plan/unknown-root-field": entry(
    "a field that no caller has",
    "`caller` has the fields `subject`, `tenant`, `origin` and others that the application sets. A path names one of them.",
    project(told("customer: caller.tennant")),
  ),
  "plan/ambiguous-reference": entry(
    "a source that could also name a parameter",
    "The application provides `caller.tenant`, and the caller of the plan provides its parameters. A reader could mistake a parameter with the name `caller` for the former. Rename the parameter.",
    project(told("customer: caller.tenant"), "", "id caller"),
  ),
  "plan/duplicate-step": entry(
    "two steps with one id",
    "A path names the output of a step by its id: `step_1.output`. Two steps with one id would be ambiguous.",
    project(`${find}\n${find}\n${tell}`),
  ),
  "plan/unknown-step": entry(
    "a step that the plan does not have",
    "A path or `after` names a step by its id. No step has this id.",
    project(
      `${find}\n- { id: 2, tool: tell-customer, bindings: { customer: step_7.output.customer } }`,
    ),
  ),
  "plan/forward-reference": entry(
    "a step that uses a later step",
    "The steps of a plan stand in order, and a step uses only outputs of steps above it.",
    project(`${tell.replace("id: 2", "id: 3")}\n${find}`),
  ),
  "plan/unknown-tool": entry(
    "a step that calls an unknown tool",
    "A step names a tool of the same skill by its name, and a tool of another skill as `skill/tool`.",
    project(`- { id: 1, tool: find-ordr, bindings: { id: id } }\n${tell}`),
  ),
  "plan/cycle": entry(
    "a plan that calls itself",
    "A step may be a plan. If that plan calls this one again, directly or through others, a call would never end.",
    project(`${find}\n${tell}\n- { id: 3, tool: inform, bindings: { id: id } }`),
  ),
  "plan/too-deep": entry(
    "plans within plans, too deep",
    "Each plan may call further plans, up to 50 in a row. Longer chains are hard to follow, and hardly meant.",
    chain(60),
    { fixed: chain(3) },
  ),
  "plan/unknown-argument": entry(
    "a binding that names no parameter of the tool",
    "The keys of `bindings` are parameters of the step's tool. The tool has no parameter with this name, so the value would have no effect.",
    project(told("customer: step_1.output.customer, subject: id")),
  ),
  "plan/missing-parameter": entry(
    "a required parameter without a source",
    "Each call of the step would fail, because the tool requires the parameter.",
    project(
      `${find}\n- { id: 2, tool: tell-customer, bindings: { text: step_1.output.customer } }`,
    ),
  ),
  "plan/unknown-field": entry(
    "a field that the output does not declare",
    "The schema of the value says which fields it has. A path to any other field would find nothing.",
    project(told("customer: step_1.output.custumer")),
  ),
  "plan/unknown-output": entry(
    "an output without a schema",
    "A source must be checked before the plan runs, so the tool that gives it declares its answer in `returns`.",
    project(
      `${find}\n${tell}\n- { id: 3, tool: tell-customer, bindings: { customer: step_2.output.to } }`,
    ),
  ),
  "plan/stream-output": entry(
    "a stream, pages or bytes as a source",
    "A source is one JSON value. The answers of this tool are a stream, a list of pages, or bytes.",
    project(
      `- { id: 1, tool: stream-log, bindings: { id: id } }\n- { id: 2, tool: tell-customer, bindings: { customer: step_1.output.customer } }`,
    ),
  ),
  "plan/maybe-absent": entry(
    "a source that may be absent",
    "An optional field, a step with a condition, or a step after whose failure the plan continues may give no value. Say what to use then: `fallback: use_default` with a `default_value`. `fallback: omit` leaves an optional parameter out, and `fallback: error` ends the plan.",
    project(told("customer: step_1.output.customer, text: step_1.output.note")),
    {
      fixed: project(
        told(
          "customer: step_1.output.customer, text: { source: step_1.output.note, fallback: use_default, default_value: none }",
        ),
      ),
    },
  ),
  "plan/cannot-omit": entry(
    "a value that can't be left out",
    "`fallback: omit` leaves an optional parameter, or a property of `output`, out if there is no value. A required parameter, a condition, a list, and a text that a transform makes always need one.",
    project(
      told(
        "customer: { source: step_1.output.note, fallback: omit }, text: step_1.output.customer",
      ),
    ),
    {
      fixed: project(
        told(
          "customer: step_1.output.customer, text: { source: step_1.output.note, fallback: omit }",
        ),
      ),
    },
  ),
  "plan/type-mismatch": entry(
    "a value of the wrong type",
    "The tool would reject the value, or TypeScript would reject the generated module.",
    project(told("customer: step_1.output.customer, text: step_1.output.total")),
    {
      fixed: project(
        told(
          'customer: step_1.output.customer, text: { source: step_1.output.total, transform: "{value} EUR" }',
        ),
      ),
    },
  ),
  "plan/may-not-fit": entry(
    "a value that may not fit",
    "Some values of the source fit the parameter, and others do not: they break a limit or a pattern. The tool rejects such a call when the plan runs.",
    {
      ...project(`${find}\n${tell}`),
      "skills/desk/metadata.yaml": limited("customer: { type: string, maxLength: 5 }"),
    },
    { severity: "warning" },
  ),
  "plan/returns-mismatch": entry(
    "an output that `returns` of the plan rejects",
    "The plan declares `returns`, and the value at `output` never fits it.",
    withReturns("{ type: number }"),
    { fixed: withReturns("{ type: string }") },
  ),
  "plan/returns-narrow": entry(
    "an output that `returns` of the plan may reject",
    "Some values at `output` fit the declared `returns`, and others do not. A call with such a value would fail.",
    withReturns("{ type: string, maxLength: 3 }"),
    { fixed: withReturns("{ type: string }"), severity: "warning" },
  ),
  "plan/literal-mismatch": entry(
    "a literal that does not fit",
    "The tool would reject the value in each call.",
    project(told("customer: step_1.output.customer, text: 5")),
  ),
  "plan/unused-step": entry(
    "a step that nothing uses",
    "The step only reads, and no other step uses its output. If the step checks that something exists, accept the warning with a reason.",
    project(`${find}\n${find.replace("id: 1", "id: 9")}\n${tell}`),
    { severity: "warning" },
  ),
  "plan/unreachable-when": entry(
    "a condition that never holds",
    "The schema of the value excludes what `when` expects, so the step is never made.",
    project(
      `${find}\n- { id: 2, tool: tell-customer, when: { source: step_1.output.state, equals: closed }, bindings: { customer: step_1.output.customer } }`,
    ),
  ),
  "plan/confidential-flow": entry(
    "a confidential value that goes elsewhere",
    "The schema of the value marks it with `x-sensitive` or `writeOnly`. It goes to another origin, or into a parameter without such a mark, which the ledger records.",
    project(
      told(
        "customer: step_1.output.customer, text: { source: step_1.output.secret, fallback: use_default, default_value: none }",
      ),
    ),
    { severity: "warning" },
  ),
  "plan/no-item": entry(
    "an item outside of a loop",
    "`item` is an item of `for_each` of the same step.",
    project(told("customer: item.customer")),
  ),
  "plan/not-a-list": entry(
    "a loop over a value that is no list",
    "`for_each` makes one call for each item of a list.",
    project(
      `${find}\n- { id: 2, tool: tell-customer, for_each: step_1.output.customer, bindings: { customer: id } }`,
    ),
  ),
  "plan/unknown-status": entry(
    "a status that the tool never answers",
    "`on` says what happens after a status without data. The tool does not answer with this status, or the status carries data.",
    project(
      `${find}\n- { id: 2, tool: tell-customer, on: { not_fond: skip }, bindings: { customer: step_1.output.customer } }`,
    ),
  ),
  "plan/taken-status": entry(
    "a status that the plan itself has",
    "A plan answers `suspended` if it waits for an approval. If a step could end the plan with a status of the same name, a caller could not tell them apart. Name the status under `on`.",
    withStatus("suspended"),
    { fixed: withStatus("held") },
  ),
};

function withUnused(name: string): ProjectFiles {
  const { "skills/desk/metadata.yaml": text = "", ...rest } = good;
  return {
    ...rest,
    "skills/desk/metadata.yaml": text.replace(
      "    binding:\n",
      `    unused: [${name}]\n    binding:\n`,
    ),
  };
}

function limited(customer: string): string {
  const { "skills/desk/metadata.yaml": text = "" } = good;
  return text.replace("properties: { customer: { type: string }", `properties: { ${customer}`);
}

function withReturns(returns: string): ProjectFiles {
  const files = project(`${find}\n${tell}`, "output: step_1.output.customer");
  const { "skills/desk/metadata.yaml": text = "" } = files;
  return {
    ...files,
    "skills/desk/metadata.yaml": text.replace(
      "    binding:\n",
      `    returns: ${returns}\n    binding:\n`,
    ),
  };
}

function withStatus(status: string): ProjectFiles {
  const files = project(`${find}\n${tell}\n- { id: 3, tool: ship, bindings: { id: id } }`);
  return {
    ...files,
    "skills/desk/metadata.yaml": `${files["skills/desk/metadata.yaml"] ?? ""}  ship:
    description: Ships an order.
    parameters: { type: object, required: [id], properties: { id: { type: string } } }
    binding: { type: http, method: POST, url: "https://desk.example/ship/{id}", response_mapping: { status_codes: { 409: ${status} } } }
`,
  };
}

/** Plans that call one another. */
function chain(length: number): ProjectFiles {
  const plans = Array.from({ length }, (_, index) => {
    const next = index === length - 1 ? "find-order" : `plan-${index + 1}`;
    return `  plan-${index}:
    description: Calls the next plan.
    parameters: { type: object, required: [id], properties: { id: { type: string } } }
    binding:
      type: plan
      steps: [{ id: 1, tool: ${next}, bindings: { id: id } }]
${index === length - 1 ? "      output: step_1.output.customer\n" : "      output: step_1.output\n"}`;
  });
  return {
    "skills/desk/SKILL.md": skill,
    "skills/desk/metadata.yaml": `tools_schema:\n${plans.join("")}${tools}`,
  };
}
