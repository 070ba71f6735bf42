/** The documents of the operations, which the import reads and imports too. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { filesIn, makeProject, put, skillc } from "../../cli/support/command-line.js";
import { serve, skillsIn } from "../openapi/support.js";
import { flow, getPet, importFlows, importFlowsAgain, petApi } from "./support.js";

const flows = flow(`[${getPet}]`);
const plan = "skills/flows-workflows/metadata.yaml";

/** Tools of plans, as far as the tests read them. */
interface Tools {
  readonly [name: string]: {
    readonly description: string;
    readonly binding: {
      readonly steps: readonly { readonly tool: string }[];
      readonly output?: unknown;
    };
  };
}

const toolsOf = (text: string | undefined): Tools => parse(text ?? "{}").tools_schema ?? {};

const stepOf = (root: string) => toolsOf(skillsIn(root)[plan])["flow"]?.binding.steps[0];

describe("the API of the workflows", () => {
  test("only the operations of the steps become tools", async () => {
    const { files, report } = await importFlows(flows);
    expect(Object.keys(files)).toEqual([
      "skills/flows-workflows/SKILL.md",
      plan,
      "skills/pets/SKILL.md",
      "skills/pets/metadata.yaml",
      "skills/schemas/pets/Pet.json",
    ]);
    expect(report.sources).toMatchObject([{ name: "pets", source: "api.yaml", import: "pets" }]);
  });

  test("an API that was imported before keeps its name, its tools and its edits", async () => {
    const root = makeProject({ "api.yaml": petApi, "flows.arazzo.yaml": flows });
    const choices = ["--name", "zoo", "--prefix", "zoo-", "--only", "order"];
    expect((await skillc(root, ["import", "openapi", "api.yaml", ...choices])).code).toBe(0);
    const orders = "skills/zoo-orders/metadata.yaml";
    const edited = readFileSync(join(root, orders), "utf8").replace("Order", "Order a pet.");
    put(root, orders, edited);
    const { code, report } = await importFlowsAgain(root, ["flows.arazzo.yaml"]);
    expect([code, report.sources.map((each) => each.import)]).toEqual([0, ["zoo"]]);
    expect(stepOf(root)?.tool).toBe("zoo-pets/get-pet");
    expect(readFileSync(join(root, orders), "utf8")).toBe(edited);
    // The import of the API now has both operations.
    const check = await skillc(root, ["import", "openapi", "--check"]);
    expect(check.code).toBe(0);
  });

  test("an API whose operations are imported already is left as it is", async () => {
    const root = makeProject({ "api.yaml": petApi, "flows.arazzo.yaml": flows });
    expect((await skillc(root, ["import", "openapi", "api.yaml"])).code).toBe(0);
    const before = filesIn(root);
    expect((await importFlowsAgain(root, ["flows.arazzo.yaml"])).code).toBe(0);
    expect(filesIn(root)).toMatchObject(before);
  });

  test("an operation of one of several APIs is found without its source's name", async () => {
    const cats = petApi
      .replace("title: Pets", "title: Cats")
      .replaceAll("Pet", "Cat")
      .replaceAll("pets", "cats")
      .replaceAll("order", "orderCat");
    const text = flows
      .replace("[{ name: pets", "[{ name: cats, url: ./cats.yaml, type: openapi }, { name: pets")
      .replace(
        "steps: [",
        "steps: [{ stepId: cat, operationId: getCat, parameters: [{ name: id, in: path, value: $inputs.id }] }, ",
      );
    const { code, files } = await importFlows(text, [], { "api.yaml": petApi, "cats.yaml": cats });
    expect(code).toBe(0);
    const steps = toolsOf(files[plan])["flow"]?.binding.steps;
    expect(steps?.map(({ tool }) => tool)).toEqual(["cats/get-cat", "pets/get-pet"]);
  });

  test("an address is read only if the command line allows its origin", async () => {
    const at = await serve((_, response) => response.end(petApi));
    const text = flows.replace("./api.yaml", `${at}/api.yaml`);
    const refused = await importFlows(text, [], {});
    expect(refused.code).toBe(1);
    expect(refused.told.map((each) => each.code)).toContain("import/unread-reference");
    expect(refused.files).toEqual({});
    const allowed = await importFlows(text, ["--allow", at], {});
    expect([allowed.code, Object.keys(allowed.files)]).toEqual([0, expect.arrayContaining([plan])]);
  });

  test("an API that can't be read leaves out its workflows, and no others", async () => {
    const { code, report, told } = await importFlows(
      flow(
        `[${getPet}]`,
        "  - { workflowId: gone, steps: [{ stepId: a, operationId: $sourceDescriptions.gone.x }] }\n",
      ).replace("[{ name: pets", "[{ name: gone, url: ./gone.yaml, type: openapi }, { name: pets"),
    );
    expect(code).toBe(0);
    expect(report.workflows.map(({ tool }) => tool !== null)).toEqual([true, false]);
    expect(told.filter(({ code: each }) => each === "import/unread-reference")).toMatchObject([
      { message: "the import does not read `gone`: there is no such file", line: 3 },
    ]);
  });
});

describe("importing again", () => {
  test("a change of the document is merged with an edit of the plan", async () => {
    const first = await importFlows(flows);
    const { root } = first;
    put(root, plan, (first.files[plan] ?? "").replace("Runs the workflow flow.", "Look a pet up."));
    put(
      root,
      "flows.arazzo.yaml",
      flow(`[${getPet}]`, "    outputs: { owner: $response.body }\n    summary: Changed\n")
        .replace("stepId: get,", "stepId: get, outputs: { owner: $response.body#/owner },")
        .replace(
          "owner: $response.body }\n    summary: Changed",
          "owner: $steps.get.outputs.owner }",
        ),
    );
    expect((await importFlowsAgain(root, ["--check"])).code).toBe(1);
    const again = await importFlowsAgain(root);
    expect(again.code).toBe(0);
    const { binding, description } = toolsOf(skillsIn(root)[plan])["flow"] ?? {};
    expect([description, binding?.output]).toEqual([
      "Look a pet up.",
      { owner: { source: "step_get.output.owner", fallback: "omit" } },
    ]);
    expect((await importFlowsAgain(root, ["--check"])).code).toBe(0);
  });

  test("a change of the API that a plan does not survive leaves the workflow out", async () => {
    const { root } = await importFlows(
      flow(
        `[${getPet}]`,
        "  - { workflowId: order, inputs: { type: object, properties: { id: { type: string } } }, steps: [{ stepId: a, operationId: order, requestBody: { payload: { pet: $inputs.id } } }] }\n",
      ),
    );
    put(root, "api.yaml", petApi.replace("required: [pet]", "required: [pet, count]"));
    const { code, report } = await importFlowsAgain(root);
    expect(code).toBe(0);
    expect(report.workflows[1]?.notes.at(-1)?.message).toContain("requires `count`");
  });
});
