import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { repository } from "../../test/support/repository.js";
import type { BoundPlan, PlanTool } from "./bound-plan.js";

/** The folder of the plans that the repository keeps. */
export const boundPlans = join(repository, "bench/planner/plans");

/** A plan, and the tools of its catalog. */
export interface PlanWithTools {
  readonly plan: BoundPlan;
  readonly tools: readonly PlanTool[];
}

/** @throws Error if a file of the folder has another form, with the name of the file */
export function readBoundPlans(folder: string = boundPlans): readonly PlanWithTools[] {
  const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
  return files.toSorted().map((name) => {
    const plan = read(join(folder, name), isBoundPlan);
    return { plan, tools: read(join(folder, plan.tools), isToolList) };
  });
}

function read<Content>(path: string, isContent: ValidateFunction<Content>): Content {
  const content: unknown = JSON.parse(readFileSync(path, "utf8"));
  if (isContent(content)) return content;
  const [fault] = isContent.errors ?? [];
  throw new Error(`${path}: \`${fault?.instancePath}\` ${fault?.message}`);
}

const ajv = new Ajv2020();
const text = { type: "string", minLength: 1 };
const texts = { type: "array", items: text };

/** An object with these properties and no others. */
function closed(properties: object, required: readonly string[] = Object.keys(properties)): object {
  return { type: "object", additionalProperties: false, required, properties };
}

const mapOf = (values: object) => ({ type: "object", additionalProperties: values });

const explicitBinding = {
  oneOf: [
    closed({ source_type: { const: "literal" }, default_value: {} }),
    closed({ source_type: { enum: ["step_output", "user_input"] }, source: text }),
  ],
};

const rightBinding = {
  oneOf: [
    closed({ source: text, also: texts }, ["source"]),
    closed({ value: {}, also: texts }, ["value"]),
    closed({ generate: {}, from: texts }),
    closed({ default: { const: true } }),
  ],
};

const step = { id: text, tool: text, description: text, bindings: mapOf(explicitBinding) };

const isBoundPlan = ajv.compile<BoundPlan>(
  closed({
    name: text,
    tools: text,
    goal: text,
    inputs: { type: "object" },
    plan: closed({
      steps: { type: "array", minItems: 2, items: closed(step, ["id", "tool", "description"]) },
    }),
    bound: mapOf(mapOf(rightBinding)),
    outputs: { type: "object" },
  }),
);

const tool = {
  id: { type: "string", pattern: "^[a-z-]+/[a-z_-]+$" },
  description: text,
  input_schema: {
    type: "object",
    required: ["properties"],
    properties: { type: { const: "object" }, additionalProperties: { const: false } },
  },
  output_schema: { type: "object" },
  side_effect: { enum: ["read", "write"] },
};

const isToolList = ajv.compile<readonly PlanTool[]>({
  type: "array",
  items: closed({ ...tool, param_aliases: mapOf(texts) }, Object.keys(tool)),
});
