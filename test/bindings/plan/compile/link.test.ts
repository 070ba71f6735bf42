import { describe, expect, test } from "vitest";
import type { LinkedStep, PlanConfig } from "../../../../src/bindings/plan/compile/model.js";
import { planBinding } from "../../../../src/bindings/plan/compile/index.js";
import { compileFiles } from "../../../support/compile.js";
import { planFiles } from "./plan-files.js";

type Options = Parameters<typeof planFiles>[1];

async function linked(steps: string, options?: Options) {
  const { diagnostics, lowered } = await compileFiles(planFiles(steps, options));
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  expect(errors.map(({ code, message }) => `${code} ${message}`)).toEqual([]);
  const tool = lowered.flatMap(({ tools }) => tools).find(({ id }) => id === "desk/inform")?.tool;
  const config = tool?.binding.config as PlanConfig;
  if (tool === undefined || config.linked === undefined) throw new Error("no linked plan");
  return { tool, plan: config.linked, diagnostics };
}

async function codesOf(steps: string, options?: Options): Promise<readonly string[]> {
  const { diagnostics } = await compileFiles(planFiles(steps, options));
  return diagnostics.map(({ code }) => code);
}

async function orderOf(steps: string): Promise<Record<string, readonly string[]>> {
  const { plan } = await linked(steps);
  return Object.fromEntries(plan.steps.map(({ after, id }) => [id, after]));
}

const find = (id: string, more = "") =>
  `- { id: ${id}, tool: find-order, bindings: { id: id }${more} }\n`;
const tell = (id: string, more = "") =>
  `- { id: ${id}, tool: tell-customer, bindings: { customer: id }${more} }\n`;

describe("the order of steps", () => {
  test("reads without common sources wait for nothing", async () => {
    expect(await orderOf(find("a") + find("b"))).toEqual({ a: [], b: [] });
  });

  test("a write waits for every step above it, and every step below waits for the write", async () => {
    expect(await orderOf(find("a") + find("b") + tell("w") + find("c") + tell("x"))).toEqual({
      a: [],
      b: [],
      w: ["a", "b"],
      c: ["w"],
      x: ["w", "c"],
    });
  });

  test("a parallel write waits only for barriers and its sources", async () => {
    expect(
      await orderOf(find("a") + tell("w") + tell("p", ", parallel: true") + find("c") + tell("x")),
    ).toEqual({ a: [], w: ["a"], p: ["w"], c: ["w"], x: ["w", "p", "c"] });
  });

  test("`after` adds to what a step waits for", async () => {
    expect(await orderOf(find("a") + find("b", ", after: [a]"))).toEqual({ a: [], b: ["a"] });
  });
});

describe("what a plan is", () => {
  test("a plan of reads is a read", async () => {
    const { tool } = await linked(find("a"));
    expect(tool.binding.effect).toBe("read");
    expect(tool.riskLevel).toBe("low");
  });

  test("a plan with a write is a write, with the highest risk of its steps", async () => {
    const { tool } = await linked(find("a") + tell("b"));
    expect(tool.binding.effect).toBe("write");
    expect(tool.riskLevel).toBe("medium");
  });

  test("the facts count the writes of loops by their limit", async () => {
    const loop =
      "- { id: b, tool: tell-customer, for_each: step_a.output.lines, max_items: 7, bindings: { customer: item.sku } }\n";
    const { plan } = await linked(find("a") + loop + tell("c"));
    expect(plan.facts.maxWrites).toBe(8);
    expect(plan.facts.capabilities).toEqual([
      "handler:call desk/find-order",
      "handler:call desk/tell-customer",
    ]);
  });
});

describe("an output that may be absent", () => {
  const uses = (output: string) =>
    `- { id: z, tool: tell-customer, bindings: { customer: ${output} } }\n`;

  test.each([
    ["after a condition", find("a", ", when: { source: id, equals: x }")],
    ["after `continue`", find("a", ", on: { error: continue }")],
  ])("needs a fallback %s", async (_, step) => {
    expect(await codesOf(step + uses("step_a.output.customer"))).toContain("plan/maybe-absent");
    expect(
      await codesOf(
        step +
          uses("{ source: step_a.output.customer, fallback: use_default, default_value: none }"),
      ),
    ).toEqual([]);
  });

  test("after `skip`, a step without a fallback is skipped too, and the output needs one", async () => {
    const steps = find("a", ", on: { error: skip }") + uses("step_a.output.customer");
    const { plan } = await linked(steps);
    expect(needsOf(plan.steps)).toEqual({ a: [], z: ["a"] });
    expect(await codesOf(steps, { keys: "output: step_z.output" })).toContain("plan/maybe-absent");
  });

  test("a loop leaves null after `continue`, which the parameter must take", async () => {
    const loop = (action: string) =>
      find("a") +
      `- { id: b, tool: tell-customer, for_each: step_a.output.lines, on: { error: ${action} }, bindings: { customer: item.sku } }\n` +
      "- { id: c, tool: list-all, bindings: { all: step_b.output } }\n";
    const tools = `  list-all:
    description: Lists things.
    parameters: { type: object, required: [all], properties: { all: { type: array, items: { type: object } } } }
`;
    expect(await codesOf(loop("continue"), { tools })).toContain("plan/type-mismatch");
    expect(await codesOf(loop("skip"), { tools })).not.toContain("plan/type-mismatch");
  });
});

describe("a value that may be absent", () => {
  const tells = (customer: string, more = "") =>
    codesOf(
      `${find("a")}- { id: b, tool: tell-customer, bindings: { customer: ${customer}${more} } }\n`,
    );
  const note = (fallback: string, more = "") =>
    `{ source: step_a.output.note, fallback: ${fallback}${more} }`;

  test("a required parameter takes `error`, and an optional one `omit`", async () => {
    expect(await tells(note("error"), `, text: ${note("omit")}`)).toEqual([]);
  });

  test("nothing leaves out a required parameter, a text, a condition or a list", async () => {
    expect(await tells(note("omit"))).toEqual(["plan/cannot-omit"]);
    const text = note("omit", ', transform: "No. {value}"');
    expect(await tells("id", `, text: ${text}`)).toEqual(["plan/cannot-omit"]);
    const when = `, when: { source: ${note("omit")}, equals: x }`;
    expect(await codesOf(find("a") + tell("b", when))).toEqual(["plan/cannot-omit"]);
    const loop = `, for_each: { source: step_a.output.lines, fallback: omit }`;
    expect(await codesOf(find("a") + tell("b", loop))).toEqual(["plan/cannot-omit"]);
  });

  test("a step with `error` is skipped after `skip`, and ends the plan after `continue`", async () => {
    const reader =
      "- { id: b, tool: tell-customer, bindings: { customer: { source: step_a.output.customer, fallback: error } } }\n";
    const skipped = await linked(find("a", ", on: { error: skip }") + reader);
    expect(needsOf(skipped.plan.steps)).toEqual({ a: [], b: ["a"] });
    const { plan } = await linked(find("a", ", on: { error: continue }") + reader);
    expect(needsOf(plan.steps)).toEqual({ a: [], b: [] });
    expect(plan.steps[1]?.params[0]?.value).toMatchObject({ whenAbsent: { type: "error" } });
  });

  test("`error` changes nothing if there always is a value", async () => {
    const { plan } = await linked(
      `${find("a")}- { id: b, tool: tell-customer, bindings: { customer: { source: step_a.output.customer, fallback: error } } }\n`,
    );
    expect(plan.steps[1]?.params[0]?.value).not.toHaveProperty("whenAbsent");
  });
});

describe("an output with several values", () => {
  const output = (fields: string) => ({ keys: `output: { ${fields} }` });

  test("each property has its own source, and a schema", async () => {
    const { plan } = await linked(find("a"), {
      keys: "output: { who: step_a.output.customer, note: { source: step_a.output.note, fallback: omit }, fixed: 5 }",
    });
    expect(plan.outputFields).toEqual({ who: ["a", "customer"], note: ["a", "note"] });
    expect(plan.outputNeeds).toEqual(["a"]);
    expect(plan.outputSchema?.model.schema).toMatchObject({
      type: "object",
      additionalProperties: false,
      required: ["who", "fixed"],
      properties: { who: { type: "string" }, note: { type: "string" }, fixed: { const: 5 } },
    });
  });

  test.each([
    ["a field that the step does not have", "x: step_a.output.custumer", "plan/unknown-field"],
    ["a field that may be absent", "x: step_a.output.note", "plan/maybe-absent"],
    ["an unknown step", "x: step_b.output", "plan/unknown-step"],
    ["a text that is no path", 'x: "{$steps}"', "plan/bad-path"],
  ])("the compiler reports %s", async (_, fields, code) => {
    expect(await codesOf(find("a"), output(fields))).toContain(code);
  });

  test("the compiler compares the object with `returns`", async () => {
    const returns = (schema: string) => ({
      "skills/desk/metadata.yaml": planFiles(find("a"), output("who: step_a.output.customer"))[
        "skills/desk/metadata.yaml"
      ]?.replace(
        "    binding:\n      type: plan",
        `    returns: ${schema}\n    binding:\n      type: plan`,
      ),
    });
    const codes = async (schema: string) => {
      const { diagnostics } = await compileFiles({
        ...planFiles(find("a")),
        ...(returns(schema) as Record<string, string>),
      });
      return diagnostics.map(({ code }) => code);
    };
    const object = (type: string) =>
      `{ type: object, required: [who], properties: { who: { type: ${type} } } }`;
    expect(await codes(object("string"))).toEqual([]);
    expect(await codes(object("integer"))).toEqual(["plan/returns-mismatch"]);
  });
});

function needsOf(steps: readonly LinkedStep[]) {
  return Object.fromEntries(steps.map(({ id, needs }) => [id, needs]));
}

describe("paths", () => {
  const path = (text: string) =>
    codesOf(`${find("a")}- { id: z, tool: tell-customer, bindings: { customer: ${text} } }\n`);

  test.each([
    '"step_a.output.lines[0].sku"',
    "step_a.output.lines.sku",
    "step_a.output.__proto__",
    "step_a.output.constructor",
    "step_a.output.customer.name",
    "step_a.customer",
    "step_a",
    '"step_a.output.lines[-1].sku"',
    '"step_a.output..customer"',
    '"[0]"',
    '""',
    "item",
    "state",
  ])("%s is rejected", async (text) => {
    expect((await path(text)).some((code) => /^(plan|binding)\//.test(code))).toBe(true);
  });

  test("an own step is no source of itself", async () => {
    expect(
      await codesOf(`- { id: a, tool: find-order, bindings: { id: step_a.output.customer } }\n`),
    ).toContain("plan/forward-reference");
  });

  test("masked values are found in what a loop reads of an item", async () => {
    const { plan } = await linked(
      `${find("a")}- { id: b, tool: tell-customer, for_each: step_a.output.lines, bindings: { customer: item.sku } }\n`,
    );
    expect(plan.steps[1]?.reads).toContainEqual(["a", "lines", "*", "sku"]);
  });
});

test.each([
  ["caller.tenant", "`caller.tenant` doesn't refer to the tool's parameter `caller`", "`caller…`"],
  ["caller", "`caller` doesn't refer to the tool's parameter `caller`", "`caller…`"],
])("a path that could name a parameter is reported without braces: %s", async (path, ...words) => {
  const { diagnostics } = await compileFiles(
    planFiles(tell("a").replace("customer: id", `customer: id, text: ${path}`), {
      parameters: "id: { type: string }, caller: { type: string }",
    }),
  );
  const found = diagnostics.find(({ code }) => code === "plan/ambiguous-reference");
  expect([found?.message, found?.help]).toEqual([
    words[0],
    `rename the parameter: ${words[1]} never refers to it`,
  ]);
});

test.each([
  ["caller.tennant", "did you mean `tenant`?"],
  [
    "caller",
    "name one of its fields: `caller.tenant`, `caller.subject`, `caller.origin`, `caller.trace`",
  ],
  ["caller.tenant.name", "write `caller.tenant` for the value itself"],
])(
  "the help for a wrong field of the caller shows paths without braces: %s",
  async (path, help) => {
    const { diagnostics } = await compileFiles(
      planFiles(tell("a").replace("customer: id", `customer: id, text: ${path}`)),
    );
    expect(diagnostics.map((each) => [each.code, each.help])).toContainEqual([
      "plan/unknown-root-field",
      help,
    ]);
  },
);

describe("the length of a text around a value", () => {
  /** Codes for a text of at most 20 characters, made around a parameter of the plan. */
  const around = (parameter: string, transform: string, more = "") =>
    codesOf(
      `- { id: a, tool: note, bindings: { text: { source: id, transform: ${JSON.stringify(transform)}${more} } } }`,
      {
        parameters: `id: { ${parameter} }`,
        tools: `  note:
    description: Takes a note.
    parameters: { type: object, required: [text], properties: { text: { type: string, minLength: 1, maxLength: 20 } } }
`,
      },
    );

  test.each([
    ["a limited text", "type: string, maxLength: 10", "Order no. {value}"],
    ["a limited text that stands twice", "type: string, maxLength: 8", "{value} or {value}"],
    [
      "characters outside the BMP, which count once",
      "type: string, maxLength: 10",
      "🦀🦀🦀🦀🦀🦀🦀🦀🦀🦀{value}",
    ],
    ["a boolean", "type: boolean", "It is true: {value}"],
    ["listed texts", 'type: string, enum: ["open", "sent"]', "Its state is {value}"],
    ["listed numbers", "type: integer, enum: [1, 22]", "Number of items: {value}"],
  ])("the known length of %s is enough", async (_, parameter, transform) => {
    expect(await around(parameter, transform)).toEqual([]);
  });

  test.each([
    ["a text that is too long by one", "type: string, maxLength: 11", "Order no. {value}"],
    ["a text without a limit", "type: string", "Order {value}"],
    ["a number", "type: integer", "{value}"],
    [
      "listed texts of which one is too long",
      'type: string, enum: ["open", "delivered"]',
      "Its state is {value}",
    ],
  ])("the compiler warns of %s", async (_, parameter, transform) => {
    expect(await around(parameter, transform)).toEqual(["plan/may-not-fit"]);
  });

  test("the compiler warns if only the fallback is too long", async () => {
    const more = (text: string) => `, fallback: use_default, default_value: ${text}`;
    const parameter = "type: [string, 'null'], maxLength: 4";
    expect(await around(parameter, "Order no. {value}", more("unknown"))).toEqual([]);
    expect(await around(parameter, "Order no. {value}", more("not known yet"))).toEqual([
      "plan/may-not-fit",
    ]);
  });

  test("fixed text that is too long by itself is an error", async () => {
    expect(await around("type: string", "The number of your order is {value}")).toEqual([
      "plan/type-mismatch",
    ]);
  });
});

describe("names that every object inherits", () => {
  const names = ["__proto__", "constructor", "hasOwnProperty", "toString"];

  test.each(names)("a step may have the id %s, and its output has a source", async (name) => {
    const { plan } = await linked(
      `${find(name)}- { id: z, tool: tell-customer, bindings: { customer: step_${name}.output.customer } }\n`,
    );
    expect(plan.steps.map(({ id, after }) => [id, after])).toEqual([
      [name, []],
      ["z", [name]],
    ]);
  });

  test.each(names)(
    "the compiler reports %s as a parameter, a field, a step and a status",
    async (name) => {
      const uses = (more: string) => codesOf(`${find("a")}${more}`);
      expect(await uses(tell("b").replace("id }", `id, ${name}: id }`))).toContain(
        "plan/unknown-argument",
      );
      expect(
        await uses(tell("b").replace("customer: id", `customer: step_a.output.${name}`)),
      ).toContain("plan/unknown-field");
      expect(await uses(tell("b").replace("customer: id", `customer: ${name}`))).not.toEqual([]);
      expect(
        await uses(tell("b").replace("customer: id", `customer: step_${name}.output.id`)),
      ).toContain("plan/unknown-step");
      expect(await uses(tell("b", `, after: [${name}]`))).toContain("plan/unknown-step");
      expect(await uses(tell("b", `, on: { ${name}: skip }`))).toContain("plan/unknown-status");
      expect(await uses(tell("b").replace("tell-customer", name))).toContain("plan/unknown-tool");
    },
  );
});

test("a cycle across two skills names the plans", async () => {
  const files = planFiles("- { id: 1, tool: shop/other, bindings: { id: id } }");
  const { diagnostics } = await compileFiles({
    ...files,
    "skills/shop/SKILL.md": "---\nname: shop\ndescription: Sells.\n---\n",
    "skills/shop/metadata.yaml": `tools_schema:
  other:
    description: Calls the plan of the other skill.
    parameters: { type: object, required: [id], properties: { id: { type: string } } }
    binding: { type: plan, steps: [{ id: 1, tool: desk/inform, bindings: { id: id } }] }
`,
  });
  expect(diagnostics.map(({ code }) => code)).toEqual(["plan/cycle"]);
});

test("a plan that is its own step is reported once", async () => {
  const { diagnostics } = await compileFiles(
    planFiles("- { id: 1, tool: inform, bindings: { id: id } }"),
  );
  expect(diagnostics.map(({ code, message }) => `${code} ${message}`)).toEqual([
    "plan/cycle this step calls its own plan: desk/inform → desk/inform",
  ]);
});

test("a cycle across plans names the plans", async () => {
  const tools = `  other:
    description: Calls the first plan.
    parameters: { type: object, required: [id], properties: { id: { type: string } } }
    binding: { type: plan, steps: [{ id: 1, tool: inform, bindings: { id: id } }] }
`;
  const { diagnostics } = await compileFiles(
    planFiles("- { id: 1, tool: other, bindings: { id: id } }", { tools }),
  );
  expect(diagnostics.map(({ code, message }) => `${code} ${message}`)).toEqual([
    "plan/cycle this step calls its own plan: desk/inform → desk/other → desk/inform",
  ]);
});

test("a plan of a thousand steps is linked, and each write waits only for the write before", async () => {
  const steps = Array.from({ length: 1000 }, (_, index) => tell(`s${index}`)).join("");
  const { plan } = await linked(steps);
  expect(plan.steps).toHaveLength(1000);
  expect(plan.steps[999]?.after).toEqual(["s998"]);
});

test("a change of a step's tool changes the version of its plan", async () => {
  const versionOf = async (description: string) => {
    const files = planFiles(find("a"));
    const metadata = files["skills/desk/metadata.yaml"] ?? "";
    const { lowered } = await compileFiles({
      ...files,
      "skills/desk/metadata.yaml": metadata.replace("Finds an order.", description),
    });
    return lowered[0]?.tools.find(({ id }) => id === "desk/inform")?.version;
  };
  const [one, other] = [await versionOf("Finds an order."), await versionOf("Finds orders.")];
  expect(one?.manifest).not.toBe(other?.manifest);
  expect(one?.manifest.split("-")[0]).toBe(other?.manifest.split("-")[0]);
});

describe("a plan with a planner", () => {
  const planner = { keys: "planner: true" };
  const told = (bindings: string) =>
    `${find("1")}- { id: 2, tool: tell-customer, bindings: { ${bindings} } }\n`;
  const asked = "customer: { source_type: generated }";
  // An order has a secret, which the planner sees.
  const otherCodes = async (steps: string, options?: Options) =>
    (await codesOf(steps, options)).filter((code) => code !== "plan/confidential-flow");

  test.each([
    ["customer: { source_type: generated }"],
    ["customer: step_1.output.customer, text: { source: step_1.output.note, fallback: llm_infer }"],
  ])("a plan without `planner: true` must not ask a planner: %s", async (bindings) => {
    expect(await otherCodes(told(bindings))).toEqual(["plan/no-planner"]);
    expect(await otherCodes(told(bindings), planner)).toEqual([]);
  });

  test("a planner that no parameter needs is a warning", async () => {
    const sure = "customer: { source: step_1.output.customer, fallback: llm_infer }";
    expect(await otherCodes(told(sure), planner)).toEqual(["plan/unused-planner"]);
  });

  test.each([
    ["the planner", "customer: { source: id, confidence: 0.5 }", "generated"],
    ["the planner", "customer: { source: id, confidence: 0.5, fallback: llm_infer }", "generated"],
    [
      "the default",
      "customer: { source: id, confidence: 0.5, fallback: use_default, default_value: a }",
      "literal",
    ],
    ["the source", "customer: { source: id, confidence: 0.7 }", "path"],
  ])("%s gives the value of an unsure source by its fallback: %s", async (_, binding, kind) => {
    const text = "text: { source_type: generated }";
    const { plan } = await linked(told(`${binding}, ${text}`), planner);
    expect(plan.steps[1]?.params.map(({ value }) => value.kind)).toEqual([kind, "generated"]);
  });

  test("`confidence_threshold` says which source is unsure", async () => {
    const steps = told("customer: { source: id, confidence: 0.5 }");
    const keys = "planner: true\nconfidence_threshold: 0.4";
    expect(await otherCodes(steps, { keys })).toEqual(["plan/unused-step", "plan/unused-planner"]);
  });

  test("`confidence` has no effect without a planner", async () => {
    expect(
      await otherCodes(told("customer: { source: step_1.output.customer, confidence: 0 }")),
    ).toEqual([]);
  });

  test("an unsure source with `fallback: omit` is left out, so a required parameter lacks a value", async () => {
    const omitted = "customer: { source: id, confidence: 0.1, fallback: omit }";
    expect(await otherCodes(told(`${omitted}, text: { source_type: generated }`), planner)).toEqual(
      ["plan/missing-parameter"],
    );
  });

  test("a planner uses each parameter of the plan, and each output above", async () => {
    const parameters = "id: { type: string }, message: { type: string }";
    expect(await otherCodes(told(asked), { ...planner, parameters })).toEqual([]);
  });

  test("a step that asks a planner waits for every step above it", async () => {
    const steps = `${find("a")}${find("b")}- { id: w, tool: tell-customer, parallel: true, bindings: { ${asked} } }\n`;
    const { plan } = await linked(steps, planner);
    expect(plan.steps.map(({ after }) => after)).toEqual([[], [], ["a", "b"]]);
  });

  test("a planner can't find a parameter that the tool does not have", async () => {
    expect(
      await otherCodes(told(`${asked}, subject: { source_type: generated }`), planner),
    ).toEqual(["plan/unknown-argument"]);
  });

  test("a plan that shows a model confidential values gets a warning", async () => {
    const parameters = "id: { type: string }, pin: { type: string, x-sensitive: true }";
    const { diagnostics } = await linked(told(asked), { ...planner, parameters });
    expect(diagnostics.map(({ code, message }) => `${code} ${message}`)).toEqual([
      "plan/confidential-flow the parameters of the plan may be confidential, and step `2` lets a planner show them to a model",
      "plan/confidential-flow `step_1.output` may be confidential, and step `2` lets a planner show them to a model",
    ]);
  });

  test("the plan and each plan that calls it may ask a model", async () => {
    const { lowered } = await compileFiles(
      planFiles(told(asked), {
        ...planner,
        tools: `  again:
    description: Informs again.
    parameters: { type: object, required: [id], properties: { id: { type: string } } }
    binding: { type: plan, steps: [{ id: 1, tool: inform, bindings: { id: id } }] }
`,
      }),
    );
    const plans = lowered
      .flatMap(({ tools }) => tools)
      .filter(({ tool }) => tool.binding.type === "plan");
    for (const { id, tool } of plans)
      expect(planBinding.capabilities?.(tool.binding.config as PlanConfig, [], id)).toContainEqual({
        capability: "planner:ask desk/inform",
        credentials: [],
      });
    expect(plans).toHaveLength(2);
  });
});
