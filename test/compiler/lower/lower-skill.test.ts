import { expect, test } from "vitest";
import { lowerSkill } from "../../../src/compiler/lower/lower-skill.js";
import type { SkillModel, ToolModel } from "../../../src/core/skill-model.js";
import { resolveProject } from "../resolve/skill-project.js";

async function resolved(front: string, body = "", at = "desk"): Promise<SkillModel> {
  const text = `---\nname: ${at}\ndescription: Looks after orders.\n${front}---\n${body}`;
  const { skills } = await resolveProject({ [`skills/${at}/SKILL.md`]: text });
  const [skill] = skills;
  if (skill === undefined) throw new Error("the skill was not resolved");
  return skill;
}

const get = (url: string) => `tools:
  get-order:
    description: Get it.
    order_id: string
    binding: { type: http, method: GET, url: "${url}" }
`;
const plain = get("https://a.example/{order_id}");

test("a plan has the skill's folder and alias, and the file and names of each tool", async () => {
  const tools =
    "tools:\n  get-order: { description: Get it. }\n  list_all: { description: List. }\n  index: { description: Index. }\n";
  const lowered = lowerSkill(await resolved(tools, "", "order-desk"));
  expect([lowered.folder, lowered.alias]).toEqual(["order-desk", "orderDesk"]);
  expect(
    lowered.tools.map(({ id, file, functionName, typeStem }) => [id, file, functionName, typeStem]),
  ).toEqual([
    ["order-desk/get-order", "get-order", "getOrder", "GetOrder"],
    ["order-desk/list_all", "list_all", "listAll", "ListAll"],
    // `index.ts` is the skill's own module.
    ["order-desk/index", "index.tool", "index", "Index"],
  ]);
});

async function versionOf(
  front: string,
  body = "",
): Promise<{ skill?: string; binding?: string; manifest?: string }> {
  return lowerSkill(await resolved(front, body)).tools[0]?.version ?? {};
}

test("a version changes with what it is of, and with nothing else", async () => {
  const first = await versionOf(plain);
  expect(first.skill).toMatch(/^[0-9a-f]{16}$/);
  expect(await versionOf(`\n\n# a comment\n${plain}`)).toEqual(first);
  const other = await versionOf(get("https://b.example/{order_id}"));
  expect(other.skill).toBe(first.skill);
  expect(other.binding).not.toBe(first.binding);
  const said = await versionOf(plain, "Be kind.\n");
  expect(said.skill).not.toBe(first.skill);
  expect(said.binding).toBe(first.binding);
  const slower = await versionOf(plain.replace("type: http", "type: http, timeout_ms: 9000"));
  expect(slower.binding).not.toBe(first.binding);
});

const query = (more: string) => `tools:
  count-orders:
    description: Counts them.
    binding:
      type: sql
      connection: \${SHOP}
${more}      query: SELECT count(*) AS n FROM orders
`;

test("no version holds a place in a file, whatever the keys of a binding", async () => {
  const keys = "      rows: many\n      max_rows: 9\n      read_only: true\n";
  expect(await versionOf(`# a comment above\n${query(keys)}`)).toEqual(
    await versionOf(query(keys)),
  );
  const commented = keys.replaceAll("\n", " # why\n");
  expect(await versionOf(query(commented))).toEqual(await versionOf(query(keys)));
});

test.each([
  ["risk_level: high"],
  ["requires_confirmation: true"],
  ['version: "2"'],
  ["rollback: get-order"],
  ["tags: [orders]"],
  ["deprecated: use find"],
])(
  "`%s` changes the manifest hash of the tool, and not the version of its binding",
  async (line) => {
    const first = await versionOf(plain);
    const { binding, skill, manifest } = await versionOf(`${plain}    ${line}\n`);
    expect([binding, skill]).toEqual([first.binding, first.skill]);
    expect(manifest).toMatch(/^[0-9a-f]{64}$/);
    expect(manifest).not.toBe(first.manifest);
  },
);

test("a description changes the manifest hash of its tool, and not the version of its binding", async () => {
  const [first, other] = [
    await versionOf(plain),
    await versionOf(plain.replace("Get it", "Get one")),
  ];
  expect([other.binding, other.skill]).toEqual([first.binding, first.skill]);
  expect(other.manifest).not.toBe(first.manifest);
});

test("the version of a tool that was analyzed begins with that of its files", async () => {
  const authored = await resolved(plain);
  const analyzed: SkillModel = {
    ...authored,
    tools: authored.tools.map((tool) => ({
      ...tool,
      binding: { ...tool.binding, config: { columns: ["id"] } },
    })),
  };
  const [before, after] = [lowerSkill(authored), lowerSkill(analyzed, authored)].map(
    ({ tools }) => tools[0]?.version.binding ?? "",
  );
  expect(after).toMatch(new RegExp(`^${before}-[0-9a-f]{16}$`));
});

test.each(["span", "places", "question"])(
  "the type of a parameter called `%s` counts",
  async (name) => {
    const typed = (type: string) =>
      versionOf(`tools:\n  ask:\n    description: Ask.\n    ${name}: ${type}\n`);
    expect((await typed("string")).binding).not.toBe((await typed("number")).binding);
  },
);

test("the model survives being written out", async () => {
  const lowered = lowerSkill(await resolved(plain));
  expect(JSON.parse(JSON.stringify(lowered))).toEqual(lowered);
  const tool: ToolModel | undefined = lowered.tools[0]?.tool;
  expect(tool?.name).toBe("get-order");
});
