import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { fullFormats } from "ajv-formats/dist/formats.js";
import { describe, expect, test } from "vitest";
import type { BoundPlan, PlanTool, RightBinding } from "../../bench/planner/bound-plan.js";
import { readBoundPlans } from "../../bench/planner/read-bound-plans.js";
import {
  exampleCall,
  exampleOf,
  sourceValue,
  stepOfSource,
} from "../../bench/planner/source-value.js";
import { getOwn, isJsonObject, type JsonObject, type JsonValue } from "../../src/core/json.js";

const plans = readBoundPlans();
const ajv = new Ajv2020({ allErrors: true, strictTypes: false, formats: fullFormats });

/** Ajv's errors, each with its place; empty if the value is valid. */
function faultsOf(schema: JsonObject, value: JsonValue): readonly string[] {
  ajv.validate(schema, value);
  return (ajv.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

/** Errors as a test prints them: `4 code_type …`, for step and parameter. */
type Faults = readonly string[];

function toolOf(tools: readonly PlanTool[], id: string): PlanTool {
  const found = tools.find((each) => each.id === id);
  if (found === undefined) throw new Error(`the catalog has no tool \`${id}\``);
  return found;
}

function parametersOf(tool: PlanTool): JsonObject {
  const properties = tool.input_schema["properties"];
  return isJsonObject(properties) ? properties : {};
}

function alsoOf(binding: RightBinding): readonly string[] {
  return "also" in binding ? (binding.also ?? []) : [];
}

const sourcesOf = (binding: RightBinding) =>
  "source" in binding ? [binding.source].concat(alsoOf(binding)) : alsoOf(binding);

/** Every binding of a plan, with its place. */
const bindingsOf = (plan: BoundPlan) =>
  Object.entries(plan.bound).flatMap(([step, parameters]) =>
    Object.entries(parameters).map(([parameter, binding]) => ({ step, parameter, binding })),
  );

test("ten plans have 3 to 12 steps, and half of them use the tools that write code", () => {
  const lengths = plans.map(({ plan }) => plan.plan.steps.length);
  expect(lengths.toSorted((a, b) => a - b)).toEqual([3, 3, 4, 5, 5, 6, 7, 8, 10, 12]);
  expect(plans.filter(({ plan }) => plan.tools === "tools/code-writing.json")).toHaveLength(5);
});

test("schemas of the catalogs are valid and misspell no keyword", () => {
  const schemas = plans.flatMap(({ tools }) =>
    tools.flatMap((tool) => [tool.input_schema, tool.output_schema]),
  );
  for (const schema of schemas) expect(() => ajv.compile(schema)).not.toThrow();
});

test("a file of another form is rejected with its name and the place", () => {
  const folder = mkdtempSync(join(tmpdir(), "skillc-plans-"));
  writeFileSync(join(folder, "half.json"), JSON.stringify({ ...plans[0]?.plan, bound: { 1: 1 } }));
  expect(() => readBoundPlans(folder)).toThrow(/half\.json: `\/bound\/1` must be object/);
  rmSync(folder, { recursive: true });
});

describe.each(plans.map((each) => ({ name: each.plan.name, ...each })))(
  "the plan $name",
  ({ plan, tools }) => {
    const { steps } = plan.plan;
    const toolAt = (step: string) =>
      toolOf(tools, steps.find(({ id }) => id === step)?.tool ?? `of step ${step}`);

    test("steps are counted from 1, and each has bindings and an output", () => {
      const ids = steps.map((_, at) => String(at + 1));
      expect(steps.map(({ id }) => id)).toEqual(ids);
      expect(Object.keys(plan.bound)).toEqual(ids);
      expect(Object.keys(plan.outputs)).toEqual(ids);
    });

    test("example outputs are valid against the tools' output schemas", () => {
      const faults: Faults = steps.flatMap(({ id }) =>
        faultsOf(toolAt(id).output_schema, plan.outputs[id] ?? null).map((each) => `${id}${each}`),
      );
      expect(faults).toEqual([]);
    });

    test("bound values make up parameters that the tools' input schemas accept", () => {
      const faults: Faults = steps.flatMap(({ id }) =>
        faultsOf(toolAt(id).input_schema, exampleCall(plan, id)).map((each) => `${id}${each}`),
      );
      expect(faults).toEqual([]);
    });

    test("a source has an example value, in an input or the output of an earlier step", () => {
      const wrong = bindingsOf(plan).flatMap(({ step, parameter, binding }) =>
        sourcesOf(binding)
          .filter((source) => {
            const from = stepOfSource(source);
            const isEarlier = from === undefined || Number(from) < Number(step);
            return !isEarlier || sourceValue(plan, source) === undefined;
          })
          .map((source) => `${step} ${parameter} ${source}`),
      );
      expect(wrong).toEqual([]);
    });

    test("a generated value needs only inputs and earlier steps", () => {
      const wrong = bindingsOf(plan).flatMap(({ step, parameter, binding }) =>
        ("from" in binding ? binding.from : [])
          .filter((name) => {
            const from = /^step_(.+)$/.exec(name)?.[1];
            return from === undefined
              ? !Object.hasOwn(plan.inputs, name)
              : Number(from) >= Number(step);
          })
          .map((name) => `${step} ${parameter} ${name}`),
      );
      expect(wrong).toEqual([]);
    });

    test("sources that are as right hold the same value", () => {
      for (const { binding } of bindingsOf(plan))
        for (const source of alsoOf(binding))
          expect(sourceValue(plan, source)).toEqual(exampleOf(plan, binding));
    });

    test("a parameter is bound to its default only if the schema has one, and then never absent", () => {
      const undecided = steps.flatMap(({ id }) => {
        const bound = getOwn(plan.bound, id) ?? {};
        return Object.entries(parametersOf(toolAt(id)))
          .filter(([name, schema]) => {
            const hasDefault = isJsonObject(schema) && Object.hasOwn(schema, "default");
            const binding = getOwn(bound, name);
            return hasDefault
              ? binding === undefined
              : binding !== undefined && "default" in binding;
          })
          .map(([name]) => `${id} ${name}`);
      });
      expect(undecided).toEqual([]);
    });

    test("explicit bindings of a step are the right ones", () => {
      for (const { id, bindings = {} } of steps)
        for (const [parameter, explicit] of Object.entries(bindings))
          expect(getOwn(getOwn(plan.bound, id) ?? {}, parameter)).toMatchObject(
            explicit.source_type === "literal"
              ? { value: explicit.default_value }
              : { source: explicit.source },
          );
    });
  },
);
