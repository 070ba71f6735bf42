import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  deskFiles,
  filesIn,
  makeProject,
  put as putFile,
  skillc,
} from "../support/command-line.js";

function put(root: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) putFile(root, path, text);
}

const binding = [
  "tools:",
  "  list-orders:",
  "    description: Lists orders.",
  "    returns: { $ref: ./order.json }",
  "    binding:",
  "      type: http",
  "      method: GET",
  "      url: https://orders.example.com/orders",
  "      headers: { Authorization: 'Bearer ${ORDERS_TOKEN}' }",
  "",
].join("\n");

function desk(...body: readonly string[]): Record<string, string> {
  const about = ["---", "name: desk", "description: Orders.", "license: MIT", "metadata:"];
  const text = [...about, '  team: "ops"', "---", "", ...body, ""].join("\n");
  return {
    "skills/desk/SKILL.md": text,
    "skills/desk/metadata.yaml": binding,
    "skills/desk/order.json": '{ "type": "object" }\n',
    "skills/desk/guide.md": "Be kind.\n",
    "skills/desk/.env": "ORDERS_TOKEN=hunter2hunter2\n",
    "skills/desk/.hidden/a.md": "hidden\n",
    "secret.md": "hunter2hunter2\n",
  };
}

const sqlTool = [
  "tools:",
  "  big:",
  "    description: Lists big ones.",
  "    parameters: { type: object, properties: {} }",
  "    binding:",
  "      type: http",
  "      method: GET",
  "      url: https://orders.example.com/query",
  "      query:",
  "        sql: SELECT id FROM orders WHERE total > 0",
  "    risk_level: low",
  "",
].join("\n");

const links = [
  "[guide](guide.md#part), ![picture](img/a%20b.png), [again](./guide.md)",
  "[order](order.json) [tools](metadata.yaml) [itself](SKILL.md)",
  "[up](../../secret.md) [coded](%2e%2e/%2e%2e/secret.md) [root](/etc/passwd)",
  "[env](.env) [hidden](.hidden/a.md) [gone](gone.md) [away](https://example.com/x.md)",
  "`[code](code.md)`",
];

describe("pack", () => {
  test("writes the skill by the specification, with the linked files alone", async () => {
    const root = makeProject({ ...desk(...links), "skills/desk/code.md": "code\n" });
    put(root, { "skills/desk/img/.keep": "" });
    writeFileSync(join(root, "skills/desk/img/a b.png"), Buffer.from([0xff, 0xd8, 0, 1]));
    const { code, stderr, stdout } = await skillc(root, ["pack", "--out", "packed"]);
    expect({ code, stderr, stdout }).toEqual({
      code: 0,
      stderr: "",
      stdout: "✓ 1 skill → packed: 3 files written\n",
    });
    const packed = filesIn(join(root, "packed"));
    const { ".skillc-pack.json": _record, "desk/SKILL.md": text = "", ...others } = packed;
    expect(Object.keys(others)).toEqual(["desk/guide.md", "desk/img/a b.png"]);
    const image = readFileSync(join(root, "packed/desk/img/a b.png"));
    expect([...image]).toEqual([0xff, 0xd8, 0, 1]);
    expect(text).toMatch(
      /^---\nname: desk\ndescription: Orders\.\nlicense: MIT\nmetadata:\n {2}skillc\.tools: desk__list-orders\n {2}skillc\.manifest: [0-9a-f]{64}\n---\n\n\[guide\]/,
    );
    expect(JSON.stringify(packed)).not.toMatch(/hunter2|orders\.example|ORDERS_TOKEN|ops/);
  });

  test("follows no link of the file system", async () => {
    const root = makeProject(desk("[a](out.md) [b](folder/secret.md)"));
    symlinkSync(join(root, "secret.md"), join(root, "skills/desk/out.md"));
    symlinkSync(root, join(root, "skills/desk/folder"));
    const { stdout } = await skillc(root, ["check", "--publish", "--json"]);
    const { published } = JSON.parse(stdout) as { published: { skills: unknown } };
    expect(published.skills).toMatchObject([
      {
        files: [{ path: "SKILL.md" }],
        leftOut: [
          { path: "out.md", problem: "is behind the link `out.md`" },
          { path: "folder/secret.md", problem: "is behind the link `folder`" },
        ],
      },
    ]);
  });

  test("publishes no file of the tools, also by a link in another letter case", async () => {
    const files = { ...desk("[a](order.json) [b](ORDER.json)"), "skills/desk/ORDER.json": "{}\n" };
    const root = makeProject(files);
    await skillc(root, ["pack", "--out", "packed"]);
    expect(Object.keys(filesIn(join(root, "packed")))).toEqual([
      ".skillc-pack.json",
      "desk/SKILL.md",
    ]);
  });

  test("replaces and removes its own files, and leaves those of others alone", async () => {
    const root = makeProject(desk("[guide](guide.md)"));
    const pack = (...argv: readonly string[]) => skillc(root, ["pack", "--out", "packed", ...argv]);
    await pack();
    put(root, { "packed/README.md": "mine\n", ...desk("No link.") });
    expect((await pack("--json")).code).toBe(0);
    expect(Object.keys(filesIn(join(root, "packed")))).toEqual([
      ".skillc-pack.json",
      "README.md",
      "desk/SKILL.md",
    ]);
    expect((await pack()).stdout).toBe("✓ 1 skill → packed: up to date\n");
  });

  test("writes nothing if a file of somebody else is in the way", async () => {
    const root = makeProject({ ...desk("[guide](guide.md)"), "packed/desk/guide.md": "mine\n" });
    const { code, stderr } = await skillc(root, ["pack", "--out", "packed"]);
    expect(code).toBe(1);
    expect(stderr).toContain("`desk/guide.md` is in the folder");
    expect(filesIn(join(root, "packed"))).toEqual({ "desk/guide.md": "mine\n" });
  });

  test("writes nothing over an edit by hand", async () => {
    const root = makeProject(desk("One."));
    await skillc(root, ["pack", "--out", "packed"]);
    put(root, { "packed/desk/SKILL.md": "edited\n", ...desk("Two.") });
    expect((await skillc(root, ["pack", "--out", "packed"])).code).toBe(1);
    expect(filesIn(join(root, "packed"))["desk/SKILL.md"]).toBe("edited\n");
  });

  test("writes through no link in the folder", async () => {
    const root = makeProject(desk("One."));
    put(root, { "elsewhere/keep.md": "mine\n", "packed/keep.md": "mine\n" });
    symlinkSync(join(root, "elsewhere"), join(root, "packed/desk"));
    const { code, stderr } = await skillc(root, ["pack", "--out", "packed"]);
    expect({ code, stderr }).toMatchObject({ code: 1 });
    expect(stderr).toContain("`desk` is a link");
    expect(existsSync(join(root, "elsewhere/SKILL.md"))).toBe(false);
  });

  test("packs one skill, and names the skills if there is no such skill", async () => {
    const other = "---\nname: other\ndescription: Other.\n---\nText.\n";
    const root = makeProject({ ...desk("One."), "skills/other/SKILL.md": other });
    const one = await skillc(root, ["pack", "--skill", "other", "--out", "packed", "--json"]);
    expect(JSON.parse(one.stdout)).toMatchObject({
      skills: ["other"],
      changed: ["other/SKILL.md"],
    });
    const unknown = await skillc(root, ["pack", "--skill", "othr", "--out", "packed"]);
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toContain("did you mean `other`?");
    expect((await skillc(root, ["pack", "--skill", "--out", "packed"])).stdout).toContain(
      "2 skills",
    );
  });

  test("reports errors of the skills, and writes nothing", async () => {
    const root = makeProject({
      ...desk("One."),
      "skills/desk/metadata.yaml": "tools: { a: { binding: { type: htp } } }\n",
    });
    const { code, stderr } = await skillc(root, ["pack", "--out", "packed"]);
    expect(code).toBe(1);
    expect(stderr).toContain("error[");
    expect(existsSync(join(root, "packed"))).toBe(false);
  });
});

describe("check --publish", () => {
  test("warns about texts that name a host, a credential or a line of a binding", async () => {
    const body = "Ask orders.example.com with ORDERS_TOKEN. See [guide](guide.md).";
    const root = makeProject({
      ...desk(body),
      "skills/desk/guide.md": "Send it: 'Bearer ${ORDERS_TOKEN}' }\n",
      "skills/shop/SKILL.md": `---\nname: shop\ndescription: Shop.\n---\nRuns: SELECT id FROM orders WHERE total > 0\n`,
      "skills/shop/metadata.yaml": sqlTool,
    });
    const { code, stderr, stdout } = await skillc(root, ["check", "--publish"]);
    expect(code).toBe(0);
    expect(stderr).toContain("which has the host `orders.example.com`");
    expect(stderr).toContain("which has the credential `ORDERS_TOKEN`");
    expect(stderr).toContain("skills/desk/SKILL.md:9:5");
    expect(stderr).toContain("skills/desk/guide.md:1:20");
    expect(stderr).toContain("has a line of a binding, `SELECT id FROM orders WHERE total > 0`");
    expect(stderr).toContain("skills/shop/SKILL.md:5:7");
    expect(stdout).toContain("  desk__list-orders reads Lists orders.\n");
    expect((await skillc(root, ["check", "--publish", "--strict"])).code).toBe(1);
    expect((await skillc(root, ["check"])).stderr).not.toContain("publish/");
  });

  test("warns about a line of a binding in JSON", async () => {
    const { "skills/desk/metadata.json": metadata, ...others } = deskFiles;
    const line = "orders of the desk alone";
    const root = makeProject({
      ...others,
      "skills/desk/SKILL.md": `${others["skills/desk/SKILL.md"]}${line}\n`,
      "skills/desk/metadata.json": metadata.replace(
        /\{ "Authorization": "[^"]*" \}/,
        `{\n          "X-View": "${line}"\n        }`,
      ),
    });
    const { stderr } = await skillc(root, ["check", "--publish"]);
    expect(stderr).toContain(`has a line of a binding, \`${line}\``);
  });

  test("warns about nothing in a new project, whose tool has no binding", async () => {
    const root = makeProject();
    await skillc(root, ["init"]);
    expect(await skillc(root, ["check", "--publish"])).toMatchObject({ code: 0, stderr: "" });
  });

  test("lists skills, files and tools as JSON", async () => {
    const root = makeProject(desk("See [guide](guide.md)."));
    const { stdout } = await skillc(root, ["check", "--publish", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({
      diagnostics: [],
      published: {
        skills: [
          {
            name: "desk",
            keys: ["name", "description", "license", "metadata"],
            files: [
              { path: "SKILL.md", mediaType: "text/markdown" },
              { path: "guide.md", mediaType: "text/markdown", bytes: 9 },
            ],
            leftOut: [],
          },
        ],
        tools: [{ name: "desk__list-orders", title: null, annotations: { readOnlyHint: true } }],
      },
    });
  });
});

describe("generate with the key `mcp`", () => {
  test("writes mcp.json, notices edits, and removes the file with the key", async () => {
    const root = makeProject({ ...desk("See [guide](guide.md)."), "skillc.yaml": "mcp: {}\n" });
    expect((await skillc(root, ["generate"])).code).toBe(0);
    expect((await skillc(root, ["generate", "--check"])).code).toBe(0);
    put(root, { "skills/desk/guide.md": "Be very kind.\n" });
    expect((await skillc(root, ["generate", "--check"])).stderr).toContain(
      "2 generated files are out of date",
    );
    await skillc(root, ["generate"]);
    const path = join(root, "generated/mcp.json");
    const text = readFileSync(path, "utf8");
    expect(text).toContain("Be very kind.");
    writeFileSync(path, text.replace("kind", "rude"));
    expect((await skillc(root, ["generate"])).stderr).toContain("output/");
    expect((await skillc(root, ["generate", "--force"])).code).toBe(0);
    put(root, { "skillc.yaml": "skills: skills\n" });
    expect((await skillc(root, ["generate"])).code).toBe(0);
    expect(existsSync(path)).toBe(false);
  });
});
