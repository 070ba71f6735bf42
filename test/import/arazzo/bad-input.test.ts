import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { filesIn, makeProject, put, skillc } from "../../cli/support/command-line.js";
import { flow, getPet, importFlows, importFlowsAgain, petApi } from "./support.js";

describe("a document that can't be read", () => {
  test.each([
    ["null", "import/unknown-format"],
    ["{}", "import/unknown-format"],
    ["arazzo: 2.0.0", "import/unknown-format"],
    ["arazzo: 1.2.0", "import/unknown-format"],
    ["openapi: 3.1.0", "import/unknown-format"],
    ["arazzo: [1.0.1]", "import/unknown-format"],
    ["arazzo: 1.0.1", "import/no-tools"],
    ["arazzo: 1.1.0\nworkflows: {}", "import/no-tools"],
    ["arazzo: 1.0.1\nworkflows: [null, 5, [], { workflowId: 7 }]", "import/no-tools"],
    ["a: [", "parse/invalid-yaml"],
    [`${"[".repeat(5000)}`, "parse/too-deep"],
    [`arazzo: 1.0.1\nx: &a [${"1,".repeat(500)}]\ny: [${"*a,".repeat(10_000)}]`, "parse/too-large"],
  ])("writes nothing, and reports the reason: %.40s", async (text, code) => {
    const { files, told, ...ran } = await importFlows(text);
    expect([ran.code, files]).toEqual([1, {}]);
    expect(told.map((each) => each.code)).toContain(code);
    expect(ran.stderr).not.toContain("    at ");
  });

  test("a document of 50 MB is too large, and nothing is written", async () => {
    const { files, told, ...ran } = await importFlows(
      `arazzo: 1.0.1\n# ${"x".repeat(50_000_000)}\n`,
    );
    expect([ran.code, files]).toEqual([1, {}]);
    expect(told.map((each) => each.code)).toEqual(["import/too-large"]);
  });

  test.each([
    [["missing.yaml"], 1, "there is no such file"],
    [["flows.arazzo.yaml", "--skill", "No Name"], 2, "is not a valid name for a skill"],
    [["flows.arazzo.yaml", "--into", "../elsewhere"], 2, "is not a folder below"],
    [[], 2, "no Arazzo document was imported into `skills` yet"],
  ])("an invalid command line has one message: %j", async (argv, code, message) => {
    const root = makeProject({ "flows.arazzo.yaml": flow(`[${getPet}]`), "api.yaml": petApi });
    const ran = await skillc(root, ["import", "arazzo", ...argv]);
    expect(ran.code).toBe(code);
    expect(ran.stderr).toContain(message);
    expect(readdirSync(root)).not.toContain("skills");
  });
});

describe("a workflow that no plan can be", () => {
  const reasonOf = async (text: string, files?: Readonly<Record<string, string>>) => {
    const { report, told, ...ran } = await importFlows(text, [], files);
    expect(ran.stderr).not.toContain("    at ");
    expect(ran.files).toEqual({});
    const notes = report.workflows?.flatMap((each) => each.notes) ?? [];
    return [...notes, ...told].map(({ message }) => message).join("\n");
  };

  test.each([
    [
      "an unknown operation",
      "[{ stepId: a, operationId: ghost }]",
      "no operation of `pets` is called",
    ],
    [
      "an unknown source",
      "[{ stepId: a, operationId: $sourceDescriptions.x.getPet }]",
      "no source description has the name `x`",
    ],
    [
      "an unknown workflow",
      "[{ stepId: a, workflowId: ghost }]",
      "the document has no workflow `ghost`",
    ],
    [
      "a workflow of another document",
      "[{ stepId: a, workflowId: $sourceDescriptions.x.y }]",
      "is a workflow of another document",
    ],
    [
      "two targets",
      "[{ stepId: a, workflowId: flow, operationId: getPet }]",
      "a step needs one of",
    ],
    ["no target", "[{ stepId: a }]", "a step needs one of"],
    [
      "an operation without its required parameter",
      "[{ stepId: a, operationId: getPet }]",
      "`pets/get-pet` requires `id`",
    ],
    ["a step of no steps", "[]", "it has no steps"],
    ["steps with one id", `[${getPet}, ${getPet}]`, "two steps have the id `get`"],
    [
      "an action that goes back",
      `[${getPet.replace("}] }", "}], onSuccess: [{ name: x, type: goto, stepId: get }] }")}]`,
      "a plan runs only forward",
    ],
    [
      "a condition that no plan has",
      `[${getPet.replace("}] }", "}], onSuccess: [{ name: x, type: end, criteria: [{ condition: $response.body#/price > 5 }] }] }")}, { stepId: b, workflowId: flow }]`,
      "`when` can't express the condition",
    ],
    [
      "a path with no operation",
      '[{ stepId: a, operationPath: "{$sourceDescriptions.pets.url}#/paths/~1cats/get" }]',
      "no operation of `pets` is called",
    ],
    [
      "a path that is none",
      '[{ stepId: a, operationPath: "#/paths" }]',
      "does not point at an operation",
    ],
  ])("a workflow is left out because of %s", async (_, steps, reason) => {
    expect(await reasonOf(flow(steps))).toContain(reason);
  });

  test("workflows that call one another in a circle are left out, and the others become plans", async () => {
    const other = (id: string, next: string) =>
      `  - { workflowId: ${id}, steps: [{ stepId: s, workflowId: ${next} }] }\n`;
    const { code, report } = await importFlows(
      flow(
        `[${getPet}]`,
        other("one", "two") + other("two", "three") + other("three", "one") + other("last", "one"),
      ),
    );
    expect(code).toBe(0);
    expect(report.workflows.map(({ tool, workflowId }) => [workflowId, tool !== null])).toEqual([
      ["flow", true],
      ["one", false],
      ["two", false],
      ["three", false],
      ["last", false],
    ]);
  });

  test("an API outside of the document's folder and the project is not read", async () => {
    const reason = await reasonOf(
      flow(`[${getPet}]`).replace("./api.yaml", "../../../etc/hostname"),
    );
    expect(reason).toMatch(/outside of the document's folder|there is no such file/);
  });

  test.each([
    ["http://169.254.169.254/latest", /does not read `pets`/],
    ["https://elsewhere.example/api.yaml", /does not read `pets`/],
    ["http://[", /its URL is not valid/],
    ["", /does not describe an API/],
    ["flows.arazzo.yaml", /does not describe an API/],
  ])("a source at %j ends without a plan", async (url, reason) => {
    expect(await reasonOf(flow(`[${getPet}]`).replace("./api.yaml", JSON.stringify(url)))).toMatch(
      reason,
    );
  });
});

describe("values that can't be sources", () => {
  const noteWith = async (value: string) => {
    const step = `{ stepId: make, operationId: order, requestBody: { payload: { pet: $inputs.id, note: ${value} } } }`;
    const { files, report, ...ran } = await importFlows(flow(`[${step}]`));
    expect(ran.stderr).not.toContain("    at ");
    const metadata = parse(files["skills/flows-workflows/metadata.yaml"] ?? "{}");
    const { bindings } = metadata.tools_schema.flow.binding.steps[0];
    const messages = report.workflows.flatMap(({ notes }) => notes.map(({ message }) => message));
    return { note: bindings.note, told: messages.find((each) => each.includes("`note`")) };
  };
  const literal = (text: string) => ({ source_type: "literal", default_value: text });

  test.each([
    ['"$5"', literal("$5")],
    ['"{$no}"', literal("{$no}")],
    ['"$foo.bar"', literal("$foo.bar")],
    ['"step_x.output"', literal("step_x.output")],
    ["7", literal("7")],
    ["$inputs.note", { source: "note", fallback: "omit" }],
    ['"{$inputs.id}"', "id"],
    ['"No. {$inputs.id}!"', { source: "id", transform: "No. {value}!" }],
  ])("%s is taken as it stands", async (value, expected) => {
    expect((await noteWith(value)).note).toEqual(expected);
  });

  test.each([
    ["$inputs.__proto__", "the workflow has no input `__proto__`"],
    ["$inputs.constructor", "the workflow has no input `constructor`"],
    ["$steps.__proto__.outputs.x", "the workflow has no step `__proto__`"],
    ["$steps.make.outputs.toString", "the step `make` has no output `toString`"],
    ['"$inputs.id#/__proto__"', "may be text, which has no fields"],
    ["$response.header.ETag", "a plan has no path for `$response.header.ETag`"],
    ["$statusCode", "a plan does not pass status codes on"],
    ['"{$inputs.id} {$inputs.note}"', "several expressions"],
    ["{ a: [$inputs.id] }", "inside a list or an object"],
    ["{ a: 1 }", "this value"],
  ])("%s is left out and reported", async (value, message) => {
    const { note, told } = await noteWith(value);
    expect(note).toBeUndefined();
    expect(told).toContain(message);
  });

  test("outputs that refer to themselves have no source", async () => {
    const steps = `[{ stepId: a, operationId: getPet, parameters: [{ name: id, in: path, value: $inputs.id }], outputs: { x: $steps.a.outputs.y, y: $steps.a.outputs.x } }]`;
    const { report } = await importFlows(flow(steps, "    outputs: { z: $steps.a.outputs.x }\n"));
    expect(report.workflows[0]?.notes.map(({ message }) => message).join()).toContain(
      "refers to itself",
    );
  });

  test("inputs that contain themselves take any value", async () => {
    const text = flow(
      `[${getPet}]`,
      "components: { inputs: { loop: { type: object, properties: { again: { $ref: '#/components/inputs/loop' } } } } }\n",
    )
      .replace(
        "id: { type: string }",
        "id: { type: string }, loop: { $ref: '#/components/inputs/loop' }",
      )
      .replace(
        "value: $inputs.id",
        "value: $inputs.id }, { name: loop, in: query, value: $inputs.loop",
      );
    const { code, told } = await importFlows(text);
    expect(code).toBe(0);
    expect(told.map(({ message }) => message).join()).toContain("has no parameter `loop`");
  });
});

test("1,000 steps become a plan", async () => {
  const steps = Array.from({ length: 1000 }, (_, index) => getPet.replace("get,", `get${index},`));
  const { code, report } = await importFlows(flow(`[${steps.join(", ")}]`));
  expect([code, report.workflows[0]?.tool]).toEqual([0, "flows-workflows/flow"]);
});

test("a file in the way stops the import of the API and of the workflows", async () => {
  const root = makeProject({ "flows.arazzo.yaml": flow(`[${getPet}]`), "api.yaml": petApi });
  put(root, "skills/flows-workflows/metadata.yaml", "tools_schema: {}\n");
  const before = filesIn(root);
  const { code, told } = await importFlowsAgain(root, ["flows.arazzo.yaml"]);
  expect([code, told.map((each) => each.code)]).toEqual([
    1,
    expect.arrayContaining(["import/foreign-file"]),
  ]);
  expect(filesIn(root)).toEqual(before);
});
