import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { plainIdentifier } from "../../../src/core/code.js";
import { fileName } from "../../../src/core/file-name.js";
import {
  isDeviceName,
  functionName,
  isPlainName,
  modelName,
  skillAlias,
  typeStem,
} from "../../../src/core/names.js";
import { linesOf } from "../../support/compile.js";
import { diagnose } from "../whole/compile-untyped.js";
import { checkedProject, desk, faults } from "../resolve/skill-project.js";
import { unicodeText } from "../../support/unicode-text.js";

test.each([
  ["create-order", "createOrder", "CreateOrder"],
  ["create_order", "createOrder", "CreateOrder"],
  ["createOrder", "createOrder", "CreateOrder"],
  ["CreateOrder", "createOrder", "CreateOrder"],
  ["HTTPServer2", "httpServer2", "HttpServer2"],
  ["getURL", "getUrl", "GetUrl"],
  ["governance_budget_status", "governanceBudgetStatus", "GovernanceBudgetStatus"],
  ["2fa-check", "_2FaCheck", "$2FaCheck"],
  ["get-v2", "getV2", "GetV2"],
])("the tool %s becomes the function %s and the stem %s", (name, identifier, stem) => {
  expect([functionName(name), typeStem(name)]).toEqual([identifier, stem]);
});

test("the names of aliases, of tools for a model and of files follow from the skill and the tool", () => {
  expect(skillAlias("order-desk")).toBe("orderDesk");
  expect(modelName("order-desk", "create-order")).toBe("order-desk__create-order");
  expect(fileName("create_order")).toBe("create_order");
  expect(fileName("../../etc/passwd")).toMatch(/^-etc-passwd-[0-9a-f]{8}$/);
  expect(fileName("con")).toMatch(/^con-[0-9a-f]{8}$/);
  expect(fileName("技能-甲")).not.toBe(fileName("技能-乙"));
});

test("any name becomes a valid identifier and a file inside its folder", () => {
  fc.assert(
    fc.property(unicodeText(), (name) => {
      expect(functionName(name)).toMatch(plainIdentifier);
      expect(typeStem(name)).toMatch(plainIdentifier);
      expect(fileName(name)).not.toMatch(/[/\\.\0]/);
      expect(fileName(name) === name || !isPlainName(name) || isDeviceName(name)).toBe(true);
    }),
  );
});

function tools(...names: readonly string[]): readonly string[] {
  return ["tools:", ...names.flatMap((name) => [`  ${name}:`, "    description: Does it."])];
}

describe("names of tools", () => {
  test("cause an error with both places if they become the same function", async () => {
    const outcome = await checkedProject(desk(...tools("create-order", "createOrder")));
    expect(faults(outcome)).toEqual([
      "SKILL.md:7:3-14 error name/collision: `create-order` and `createOrder` would both become `createOrder` " +
        "(rename one of the two: letter case and separators make no difference)",
    ]);
    const diagnostic = outcome.diagnostics.find((each) => each.code === "name/collision");
    expect(diagnostic?.related?.map(({ message }) => message)).toEqual(["`create-order` is here"]);
  });

  test("cause an error if they become the same file without letter case", async () => {
    expect(faults(await checkedProject(desk(...tools("getURL", "geturl"))))).toEqual([
      "SKILL.md:7:3-9 error name/collision: `getURL` and `geturl` would both become the same file on some file systems " +
        "(rename one of the two: letter case and separators make no difference)",
    ]);
  });

  test.each([
    [
      "delete",
      "`delete` would be the identifier `delete`, which JavaScript reserves",
      "delete-desk",
    ],
    ["await", "`await` would be the identifier `await`, which JavaScript reserves", "await-desk"],
    [
      "arguments",
      "`arguments` would be the identifier `arguments`, which JavaScript reserves",
      "arguments-desk",
    ],
    ["then", "`then` would be the identifier `then`, which JavaScript reserves", "then-desk"],
    [
      "con",
      "`con` is the name of a device on Windows, where no file can have this name",
      "con-desk",
    ],
    [
      "COM1",
      "`COM1` is the name of a device on Windows, where no file can have this name",
      "COM1-desk",
    ],
  ])("`%s` is reserved", async (name, message, better) => {
    expect(faults(await checkedProject(desk(...tools(name))))).toEqual([
      `SKILL.md:5:3-${3 + name.length} error name/reserved: ${message} (rename it, for example to \`${better}\`)`,
    ]);
  });

  test.each([
    ["orders.create", "orders-create"],
    ["créer commande", "creer-commande"],
    ["../up", "up"],
    ["con.", "con-desk"],
  ])("`%s` has characters that it can't have", async (name, better) => {
    expect(faults(await checkedProject(desk(...tools(name))))[0]).toContain(
      `error name/bad-characters: the tool name \`${name}\` has other characters than letters, digits, \`-\` and \`_\` ` +
        `(rename it, for example to \`${better}\`)`,
    );
  });

  test("may have 58 characters after `desk__`, but not 59", async () => {
    expect(faults(await checkedProject(desk(...tools("x".repeat(58)))))).toEqual([]);
    expect(faults(await checkedProject(desk(...tools("x".repeat(59)))))[0]).toContain(
      "name/too-long",
    );
  });
});

function skill(name: string, ...lines: readonly string[]): string {
  return ["---", `name: ${name}`, "description: Orders.", ...lines, "---", ""].join("\n");
}

describe("names of skills", () => {
  test("must differ, even without tools", async () => {
    const { diagnostics, lines } = await checkedProject({
      "skills/a/SKILL.md": skill("desk"),
      "skills/b/SKILL.md": skill("desk"),
    });
    const twice = diagnostics.find(({ code }) => code === "name/skill-twice");
    expect(twice?.related).toMatchObject([
      {
        span: { file: "skills/a/SKILL.md", start: 10, end: 14 },
        message: "the skill in `skills/a`",
      },
    ]);
    expect(lines.filter((line) => line.includes("name/"))).toEqual([
      "skills/b/SKILL.md:2:7-11 error name/skill-twice: `skills/a` also has a skill with the name `desk` " +
        "(rename the one in `skills/b`, its folder and its `name`)",
    ]);
  });

  test("must be safe folders only if the skill generates code", async () => {
    const bare = await checkedProject({ "skills/a/SKILL.md": skill("../My Skill") });
    expect(bare.diagnostics.filter((each) => each.severity === "error")).toEqual([]);
    const withTools = await checkedProject({
      "skills/a/SKILL.md": skill("../My Skill", ...tools("get")),
    });
    expect(
      withTools.diagnostics.filter((each) => each.severity === "error").map((each) => each.code),
    ).toContain("name/bad-characters");
  });

  test.each("import export default delete new return typeof enum null".split(" "))(
    "`%s` is reserved if the skill generates code, and nothing is printed",
    async (name) => {
      const files = { [`skills/${name}/SKILL.md`]: skill(name, ...tools("get")) };
      const lines = linesOf(await diagnose(files), files);
      expect(lines.filter((line) => line.includes(" error "))).toEqual([
        `skills/${name}/SKILL.md:2:7 error name/reserved: \`${name}\` would be the identifier \`${name}\`, which JavaScript reserves`,
      ]);
    },
  );

  test.each(["skillc", "SkillC", "skillc__await"])(
    "`%s` is reserved for tools of skillc itself, even without tools",
    async (name) => {
      const files = { "skills/a/SKILL.md": skill(name) };
      const lines = linesOf(await diagnose(files), files);
      expect(lines.filter((line) => line.includes(" error "))).toEqual([
        `skills/a/SKILL.md:2:7 error name/reserved: \`${name}\` is a name of skillc itself: models see tools of skillc under it`,
      ]);
    },
  );

  test("must not become the same import if the skills have tools", async () => {
    const { diagnostics } = await checkedProject({
      "skills/a/SKILL.md": skill("order-desk", ...tools("get")),
      "skills/b/SKILL.md": skill("order_desk", ...tools("get")),
    });
    expect(
      diagnostics.filter((each) => each.severity === "error").map((each) => each.code),
    ).toEqual(["name/collision"]);
  });
});
