import { describe, expect, test } from "vitest";
import { freezePlan, type RunRecord } from "../../src/planner/freeze.js";
import { PlanError, readBindingPlan, runPlan } from "../../src/planner/index.js";
import {
  type Any,
  createPlannerProject,
  eventsOf,
  modelOf,
  type TestTool,
} from "./planner-project.js";

const text = { type: "string" };
const customer = {
  type: "object",
  required: ["customer_id", "mail"],
  properties: { customer_id: text, mail: { type: "string", maxLength: 20 }, note: text },
};

const tools: { readonly [id: string]: TestTool } = {
  "desk/get-customer": {
    input: { customer_id: text },
    required: ["customer_id"],
    output: customer,
    serve: ({ customer_id }) => ({ customer_id, mail: "ada@example.com" }),
  },
  "desk/send-mail": {
    effect: "write",
    input: { mail: text, note: text, subject: text, copies: { type: "integer" } },
    required: ["mail", "subject"],
    output: { type: "object", required: ["id"], properties: { id: text } },
    serve: () => ({ id: "m-1" }),
  },
  "shop/refund": {
    input: { customer_id: { type: "string", minLength: 2 } },
    required: ["customer_id"],
  },
};

const catalog = createPlannerProject(tools).catalog;

function record(bindings: Any, more: Partial<RunRecord> = {}): RunRecord {
  return {
    plan: {
      steps: [
        { id: "1", tool: "get-customer" },
        { id: "2", tool: "desk/send-mail" },
      ],
    },
    bindings: readBindingPlan({
      steps: [
        { step_id: "1", bindings: { customer_id: "customer_id" } },
        { step_id: "2", bindings },
      ],
    }),
    inputs: { customer_id: "c-1" },
    ...more,
  };
}

function stepOf(bindings: Any): Any {
  const { binding } = freezePlan(record(bindings), { catalog, skill: "desk" }) as Any;
  return binding.steps[1].bindings;
}

describe("freezing a plan", () => {
  test("a plan that `runPlan` ran becomes an entry of `tools_schema`", async () => {
    const project = createPlannerProject(tools);
    const llm = modelOf(({ name }) => (name === "parameters" ? { subject: "Hello" } : {}));
    const plan = {
      steps: [
        { id: "1", tool: "get-customer" },
        { id: "2", tool: "send-mail", bindings: { subject: { source_type: "generated" } } },
      ],
    };
    const inputs = { customer_id: "c-1" };
    const events = await eventsOf(runPlan({ ...project, plan, inputs, llm, goal: "Greet" }));
    const bound = events.find(({ event }) => event === "binding_plan") as Any;
    const { bindings } = bound.data;
    const kept = JSON.parse(JSON.stringify({ plan, bindings, inputs, goal: "Greet" }));
    const tool = freezePlan(
      { ...kept, bindings: readBindingPlan(kept.bindings) },
      { catalog, skill: "desk" },
    );
    expect(tool).toEqual({
      description: "Greet",
      parameters: { type: "object", required: ["customer_id"], properties: { customer_id: text } },
      binding: {
        type: "plan",
        planner: true,
        created_at: bindings.created_at,
        steps: [
          { id: "1", tool: "get-customer", bindings: { customer_id: "customer_id" } },
          {
            id: "2",
            tool: "send-mail",
            bindings: expect.objectContaining({
              mail: "step_1.output.mail",
              subject: { source_type: "generated" },
            }),
          },
        ],
        output: "step_2.output",
      },
    });
  });

  test.each<[string, Any, Any]>([
    ["a sure path", "step_1.output.mail", "step_1.output.mail"],
    [
      "a path that may have no value",
      "step_1.output.note",
      { source: "step_1.output.note", fallback: "llm_infer" },
    ],
    [
      "a default",
      { source: "step_1.output.note", fallback: "USE_DEFAULT", default_value: "x" },
      { source: "step_1.output.note", fallback: "use_default", default_value: "x" },
    ],
    [
      "a decision of a model",
      { source: "step_1.output.mail", confidence: 0.9, reasoning: "it is the address" },
      { source: "step_1.output.mail", confidence: 0.9, reasoning: "it is the address" },
    ],
    [
      "a decision below the threshold",
      { source: "step_1.output.mail", confidence: 0.5, reasoning: "a guess" },
      { source_type: "generated", reasoning: "a guess" },
    ],
    [
      "a default in place of an unsure source",
      { source: "x", confidence: 0.5, fallback: "use_default", default_value: 3 },
      3,
    ],
    [
      "a literal text",
      { source_type: "LITERAL", default_value: "hi" },
      { source_type: "literal", default_value: "hi" },
    ],
    ["a literal number", { source_type: "literal", default_value: 3 }, 3],
    [
      "a text around a value",
      { source: "customer_id", transform: "No. {value}" },
      { source: "customer_id", fallback: "llm_infer", transform: "No. {value}" },
    ],
    ["a path of the state", "state.inputs.customer_id", "state.inputs.customer_id"],
  ])("%s keeps its meaning", (_, given, expected) => {
    expect(stepOf({ subject: given })).toEqual({ subject: expected });
  });

  test("an unsure source with `omit` is left out", () => {
    expect(stepOf({ note: { source: "x", confidence: 0.1, fallback: "omit" } })).toEqual({});
  });

  test("an input gets the narrowest schema of the parameters that take it", () => {
    const plan = {
      steps: [
        { id: "1", tool: "desk/get-customer" },
        { id: "2", tool: "shop/refund" },
      ],
    };
    const own = { customer_id: "customer_id" };
    const bindings = readBindingPlan({
      bindings: [
        { step_id: "1", tool: "get-customer", bindings: own },
        { step_id: "2", tool: "refund", bindings: own },
      ],
    });
    const { binding, parameters } = freezePlan(
      { plan, bindings },
      { catalog, skill: "desk" },
    ) as Any;
    expect(parameters.properties).toEqual({ customer_id: { type: "string", minLength: 2 } });
    expect(binding.planner).toBeUndefined();
    expect(binding.steps.map(({ tool }: Any) => tool)).toEqual(["get-customer", "shop/refund"]);
  });

  test("a part of an input makes the input an object", () => {
    const { parameters } = freezePlan(record({ subject: "order.title", mail: "order.to.mail" }), {
      catalog,
    }) as Any;
    expect(parameters.properties.order).toEqual({
      type: "object",
      required: ["title", "to"],
      properties: {
        title: text,
        to: { type: "object", required: ["mail"], properties: { mail: text } },
      },
    });
  });

  test("a plan that still asks a model keeps the inputs that only the model sees", () => {
    const inputs = { customer_id: "c-1", query: "be kind", size: 3 };
    const asking = record({ subject: { source_type: "generated" } }, { inputs });
    const { parameters } = freezePlan(asking, { catalog }) as Any;
    expect(Object.keys(parameters.properties)).toEqual(["customer_id", "query", "size"]);
    const sure = record({ subject: "customer_id" }, { inputs });
    expect((freezePlan(sure, { catalog }) as Any).parameters.required).toEqual(["customer_id"]);
  });
});

describe("a plan that can't be frozen", () => {
  test.each<[string, RunRecord, string]>([
    ["an unknown tool", record({}, { plan: { steps: [{ id: "1", tool: "x" }] } }), "no tool `x`"],
    ["no steps", record({}, { plan: {} as Any }), "needs a list of steps"],
    ["a later step", record({ subject: "step_2.output.id" }), "names no step above"],
    ["an unknown parameter", record({ size: "customer_id" }), "has no parameter `size`"],
    ["state that no plan of a skill has", record({ subject: "state.documents" }), "state"],
    [
      "an unsure source that ends the plan",
      record({ subject: { source: "x", confidence: 0, fallback: "error" } }),
      "it has no value",
    ],
    ["a hostile name", record(JSON.parse('{ "__proto__": "customer_id" }')), "`__proto__`"],
  ])("%s is a problem with its place", (_, given, message) => {
    expect(() => freezePlan(given, { catalog, skill: "desk" })).toThrow(PlanError);
    expect(() => freezePlan(given, { catalog, skill: "desk" })).toThrow(message);
  });
});
