import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { readBindingPlan, runPlan } from "../../../src/planner/index.js";
import { createRuntime } from "../../../src/runtime/runtime.js";
import { eventsOf } from "../../planner/planner-project.js";
import { linkPackages, tsc } from "../../support/tsc.js";
import { makeProject, put, skillc } from "../support/command-line.js";

/** Any JSON, which these tests read without types. */
// oxlint-disable-next-line typescript/no-explicit-any -- tests read any output
type Any = any;

const metadata = `# Our tools.
tools_schema:
  # Reads a customer.
  get-customer:
    description: Get a customer.
    customer_id: string
    binding: { type: handler, effect: read }
    returns:
      type: object
      required: [customer_id, mail]
      properties: { customer_id: { type: string }, mail: { type: string } }
  send-mail:
    description: Send a mail.
    mail: string
    subject: string
    binding: { type: handler }
    returns: { type: object, required: [id], properties: { id: { type: string } } }
`;

const project = {
  "package.json": '{"type": "module"}',
  "skills/desk/SKILL.md": "---\nname: desk\ndescription: Writes to customers.\n---\n",
  "skills/desk/metadata.yaml": metadata,
};

const plan = {
  steps: [
    { id: "1", tool: "get-customer" },
    { id: "2", tool: "desk/send-mail" },
  ],
};
const bindings = {
  bindings: [
    { step_id: "1", tool: "get-customer", bindings: { customer_id: { source: "customer_id" } } },
    {
      step_id: "2",
      tool: "send-mail",
      bindings: {
        mail: { source: "step_1.output.mail", source_type: "STEP_OUTPUT", confidence: 0.95 },
        subject: { source: "title", source_type: "USER_INPUT", reasoning: "the title says it" },
      },
    },
  ],
};
const inputs = { customer_id: "c-1", title: "Hello" };
const record = JSON.stringify({ plan, bindings, inputs, goal: "Greet a customer." });

async function generated(files: Readonly<Record<string, string>> = {}): Promise<string> {
  const root = makeProject({ ...project, "run.json": record, ...files });
  const { code, stderr } = await skillc(root, ["generate"]);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return root;
}

const adding = ["plan", "freeze", "run.json", "--skill", "desk", "--tool", "greet"];

function metadataOf(root: string): string {
  return readFileSync(join(root, "skills/desk/metadata.yaml"), "utf8");
}

const frozen = `  greet:
    description: Greet a customer.
    parameters:
      type: object
      required: [ customer_id, title ]
      properties: { customer_id: { type: string }, title: { type: string } }
    binding:
      type: plan
      steps:
        - id: "1"
          tool: get-customer
          bindings: { customer_id: customer_id }
        - id: "2"
          tool: send-mail
          bindings:
            mail: step_1.output.mail
            subject: { source: title, confidence: 1, reasoning: the title says it }
      output: step_2.output
`;

describe("skillc plan freeze", () => {
  test("prints the entry of `tools_schema`", async () => {
    const root = await generated();
    const { code, stdout } = await skillc(root, ["plan", "freeze", "run.json"]);
    expect(code).toBe(0);
    expect(stdout).toContain("tools_schema:\n  frozen-plan:\n    description: Greet a customer.\n");
    expect(stdout).toContain("tool: desk/get-customer");
    expect(metadataOf(root)).toBe(metadata);
  });

  test("adds the tool to the skill, and keeps what is there", async () => {
    const root = await generated();
    const { code, stdout } = await skillc(root, adding);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: "wrote `greet` to skills/desk/metadata.yaml; check it with `skillc generate`\n",
    });
    expect(metadataOf(root)).toBe(metadata + frozen);
  });

  test("the frozen plan compiles, and makes the calls that `runPlan` made", async () => {
    const root = await generated();
    await skillc(root, adding);
    const { code, stderr } = await skillc(root, ["generate"]);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    const settings = new URL("../../docs/project/tsconfig.json", import.meta.url);
    cpSync(fileURLToPath(settings), join(root, "tsconfig.json"));
    put(root, "use.ts", 'export { greet } from "./generated/desk/index.js";\n');
    linkPackages(root, ["@skillc/runtime", "@types/node", "undici-types"]);
    expect(await tsc(root)).toBe("");
    const { catalog, tools } = (await import(
      pathToFileURL(join(root, "generated/index.ts")).href
    )) as Any;
    const calls: Any[] = [];
    const handlers = {
      "desk/get-customer": (params: Any) => {
        calls.push(params);
        return { ...params, mail: "ada@example.com" };
      },
      "desk/send-mail": (params: Any) => {
        calls.push(params);
        return { id: "m-1" };
      },
    };
    const runtime = createRuntime({ handlers, env: {} } as Any);
    const greet = await tools.desk__greet();
    expect(await greet(inputs, { runtime })).toEqual({ status: "success", data: { id: "m-1" } });
    const own = calls.splice(0);
    const run = { plan, bindings: readBindingPlan(bindings), inputs, tools, catalog, runtime };
    const events = await eventsOf(runPlan(run));
    expect(events.at(-1)).toMatchObject({ event: "done", data: { status: "success" } });
    expect(own).toEqual(calls);
    expect(own).toHaveLength(2);
  });

  test("refuses an existing tool, unless `--force` replaces it", async () => {
    const root = await generated();
    await skillc(root, adding);
    const again = await skillc(root, adding);
    expect(again.code).toBe(1);
    expect(again.stderr).toContain("has the tool `greet` already");
    put(root, "run.json", record.replace("Greet a customer.", "Greet again."));
    expect(await skillc(root, [...adding, "--force"])).toMatchObject({ code: 0 });
    expect(metadataOf(root)).toBe(metadata + frozen.replace("Greet a customer.", "Greet again."));
  });

  test("`--json` prints the tool and the file, or the error", async () => {
    const root = await generated();
    const { stdout } = await skillc(root, [...adding, "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({
      file: "skills/desk/metadata.yaml",
      tool: { description: "Greet a customer.", binding: { type: "plan" } },
    });
    const again = await skillc(root, [...adding, "--json"]);
    expect(JSON.parse(again.stdout)).toMatchObject({
      error: { message: "skills/desk/metadata.yaml has the tool `greet` already" },
    });
  });

  test.each([
    ["no JSON", "{", "is not JSON"],
    ["no plan", "[]", "has no `plan` with its `bindings`"],
    ["bindings of another form", '{"plan": {}, "bindings": {}}', "can't be used"],
    [
      "an unknown tool",
      record.replace('"get-customer"}', '"get-custumer"}'),
      "can't become a plan of a skill",
    ],
    ["deep JSON", `{"plan": ${"[".repeat(5000)}${"]".repeat(5000)}, "bindings": {}}`, "`plan`"],
  ])("a file with %s changes nothing", async (_, text, message) => {
    const root = await generated({ "run.json": text });
    const { code, stderr } = await skillc(root, adding);
    expect(code).not.toBe(0);
    expect(code).not.toBe(3);
    expect(stderr).toContain(message);
    expect(metadataOf(root)).toBe(metadata);
  });

  test.each([
    [["--skill", "desk"], "`--skill` and `--tool` go together"],
    [["--skill", "../desk", "--tool", "greet"], "can't be a name"],
    [["--skill", "shop", "--tool", "greet"], "has no skill `shop`"],
  ])("refuses %s", async (flags, message) => {
    const root = await generated();
    const { code, stderr } = await skillc(root, ["plan", "freeze", "run.json", ...flags]);
    expect(code).not.toBe(0);
    expect(stderr).toContain(message);
    expect(metadataOf(root)).toBe(metadata);
  });
});
