import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { deskFiles, filesIn, makeProject, put, skillc } from "../support/command-line.js";

/** An API that knows order 7. */
async function orderService(): Promise<string> {
  const server = createServer((request, response) => {
    const known = request.url === "/orders/7" && request.headers.authorization === "Bearer letmein";
    response.writeHead(known ? 200 : 404, { "content-type": "application/json" });
    response.end(
      JSON.stringify(known ? { id: "7", note: "\u001b[31mred" } : { error: "no such order" }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  // A server that listens on a port has an address of this form.
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}

/** Where nobody listens any more. */
async function closedAddress(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // As above.
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}

/** The project, generated once: each test has a copy, with the times of its files, by which a call tells whether it is stale. */
let generated: string;
beforeAll(async () => {
  generated = mkdtempSync(join(tmpdir(), "skillc-call-"));
  for (const [path, text] of Object.entries(deskFiles)) put(generated, path, text);
  const { code, stderr } = await skillc(generated, ["generate"]);
  if (code !== 0) throw new Error(stderr);
});
afterAll(() => rmSync(generated, { recursive: true, force: true }));

function deskProject(): string {
  const root = makeProject();
  cpSync(generated, root, { recursive: true, preserveTimestamps: true });
  return root;
}

describe("call", () => {
  test("calls the generated tool with the project's own .env, prints the answer, keeps the ledger", async () => {
    const root = deskProject();
    put(root, ".env", `ORDERS_URL=${await orderService()}\nORDERS_TOKEN=letmein\n`);
    const { code, stdout, stderr } = await skillc(root, [
      "call",
      "desk/get-order",
      "--args",
      '{"order_id": "7"}',
    ]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(JSON.parse(stdout)).toEqual({
      status: "success",
      data: { id: "7", note: "\u001b[31mred" },
    });
    expect(stdout).not.toContain("\u001b");

    const unknown = await skillc(root, ["call", "desk/get-order", "--args", "-", "--json"], {
      stdin: '{"order_id": "8"}',
    });
    expect(JSON.parse(unknown.stdout)).toMatchObject({ status: "error", status_code: 404 });
    expect(unknown.code).toBe(0);

    const listed = await skillc(root, ["ledger", "list", "--json"]);
    expect(JSON.parse(listed.stdout).calls).toHaveLength(2);
    expect((await skillc(root, ["ledger", "verify"])).code).toBe(0);
    expect(await skillc(root, ["ledger", "list", "--status", "nope"])).toEqual({
      code: 0,
      stdout: "no calls\n",
      stderr: "note: no call ended as `nope`; the ledger has `error`, `success`\n",
    });
  });

  test("refuses an integer that a number can't hold, wherever its JSON stands, and calls nothing", async () => {
    const root = deskProject();
    put(root, ".env", `ORDERS_URL=${await orderService()}\nORDERS_TOKEN=letmein\n`);
    const json = '{"order_id": 653247040368672768}';
    const problem =
      "is an integer beyond ±9007199254740991, which a JavaScript number can't represent exactly";
    const call = (...args: string[]) =>
      skillc(root, ["call", "desk/get-order", ...args], { stdin: json });
    const ofArgs = await call("--args", json);
    expect(ofArgs).toMatchObject({ code: 2, stdout: "" });
    expect(ofArgs.stderr).toContain(
      `the tool can't be called with \`--args\`: /order_id ${problem}`,
    );
    expect((await call("--args", "-")).stderr).toContain(`standard input: /order_id ${problem}`);
    const ofCaller = await call("--args", "{}", "--caller", '{"tenant": 653247040368672768}');
    expect(ofCaller.stderr).toContain(`\`--caller\` is not a caller: /tenant ${problem}`);
  });

  test("reports a merge conflict in .env without its values, and makes the call", async () => {
    const root = deskProject();
    const sides = "<<<<<<< HEAD\nORDERS_TOKEN=hunter2\n=======\nORDERS_TOKEN=letmein\n>>>>>>> b\n";
    put(root, ".env", `ORDERS_URL=${await orderService()}\n${sides}`);
    const call = ["call", "desk/get-order", "--args", '{"order_id": "7"}', "--json"];
    const { code, stdout, stderr } = await skillc(root, call);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr:
        "warning: `.env` has a merge conflict that is not resolved: if a name occurs twice, the last value counts\n",
    });
    expect(JSON.parse(stdout)).toMatchObject({ status: "success" });
  });

  test("calls on behalf of the `--caller`, and fails without one", async () => {
    const root = makeProject();
    const metadata = deskFiles["skills/desk/metadata.json"].replace(
      '"headers": {',
      '"query": { "for": "{caller.tenant}" }, "headers": {',
    );
    for (const [path, text] of Object.entries(deskFiles)) put(root, path, text);
    put(root, "skills/desk/metadata.json", metadata);
    put(root, ".env", `ORDERS_URL=${await orderService()}\nORDERS_TOKEN=letmein\n`);
    expect(await skillc(root, ["generate"])).toMatchObject({ code: 0 });
    const call = ["call", "desk/get-order", "--args", '{"order_id": "7"}', "--json"];
    const refused = await skillc(root, call);
    expect(JSON.parse(refused.stdout)).toMatchObject({ error: { code: "AUTH.CALLER_MISSING" } });
    const named = await skillc(root, [...call, "--caller", '{"tenant": "acme"}']);
    expect(JSON.parse(named.stdout)).toMatchObject({
      status: "error",
      error: { error: "no such order" },
    });
  });

  test.each([
    ["acme", "`--caller` is not a caller: Unexpected token"],
    ['{"tenant": ""}', "`--caller` is not a caller: `tenant` of a caller must be text of 1 to 256"],
    ['{"tennant": "acme"}', "`--caller` is not a caller: a caller can't have the field `tennant`"],
    ["null", "`--caller` is not a caller: a caller must be an object"],
  ])("refuses the caller %s before anything is called", async (caller, message) => {
    const root = deskProject();
    const { code, stderr } = await skillc(root, ["call", "desk/get-order", "--caller", caller]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  test("explains the exit codes with --help", async () => {
    const { stdout } = await skillc(makeProject(), ["call", "--help"]);
    expect(stdout).toContain("0  the tool answered, whatever its `status`");
    expect(stdout).toContain("1  there is no answer: a ToolError");
  });

  test("a failure is printed with its code and every problem, and exits with 1", async () => {
    const root = deskProject();
    const wrong = await skillc(root, ["call", "desk/get-order", "--args", '{"order": 7}']);
    expect(wrong.code).toBe(1);
    expect(wrong.stdout).toBe("");
    expect(wrong.stderr).toContain(
      "error: SCHEMA.VALIDATION_FAILED: parameters of `desk/get-order` don't fit their schema",
    );
    expect(wrong.stderr).toContain("/order_id");
    expect(wrong.stderr).toContain("/order ");

    const missing = await skillc(root, [
      "call",
      "desk/get-order",
      "--args",
      '{"order_id": "7"}',
      "--json",
    ]);
    expect(missing.code).toBe(1);
    expect(JSON.parse(missing.stdout)).toMatchObject({
      error: {
        code: "CREDENTIAL.MISSING",
        names: expect.arrayContaining(["ORDERS_TOKEN"]),
        tool: "desk/get-order",
      },
    });
  });

  test("suggests an existing name for a wrong one, and the command to run without output", async () => {
    const root = deskProject();
    const near = await skillc(root, ["call", "desk/get-ordr"]);
    expect(near).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("did you mean `desk/get-order`?"),
    });
    const bare = await skillc(root, ["call", "get-order"]);
    expect(bare.stderr).toContain("write the skill too: `desk/get-order`");
    const far = await skillc(root, ["call", "something/else"]);
    expect(far.stderr).toContain("`desk/get-order`");
    const none = await skillc(makeProject(deskFiles), ["call", "desk/get-order"]);
    expect(none).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("run `skillc generate` first"),
    });
  });
});

describe("call beside a skill that was edited", () => {
  const args = ["call", "desk/get-order", "--args", '{"order_id": "7"}'];

  async function editedDesk(path: keyof typeof deskFiles, from: string, to: string) {
    const root = deskProject();
    put(root, path, deskFiles[path].replace(from, to));
    // Not a matter of how fast this machine is.
    const later = new Date("2100-01-01");
    utimesSync(join(root, path), later, later);
    return root;
  }

  test.each([
    ["skills/desk/metadata.json", '"GET"', '"DELETE"'],
    ["skills/desk/metadata.json", "get-order", "fetch-order"],
    ["skills/desk/metadata.json", '"type": "http"', '"type": "htp"'],
    ["skills/desk/SKILL.md", "Ask for", "Never ask for"],
  ] as const)("warns on stderr: in %s, %j is %j", async (path, from, to) => {
    const root = await editedDesk(path, from, to);
    const { stderr } = await skillc(root, args);
    expect(stderr).toContain(
      "warning: `generated/desk/get-order.ts` is older than `skills/desk/SKILL.md`: run `skillc generate`\n",
    );
  });

  test("notices changed files of a SQL tool without connecting to its database", async () => {
    const skill = (query: string) =>
      `---\nname: shop\ndescription: Knows orders.\ntools:\n  count-orders:\n    description: Count them.\n    binding: { type: sql, connection: "\${SHOP_URL}", query: "${query}" }\n---\n`;
    const query = "SELECT count(*) AS n FROM orders";
    const root = makeProject({
      "skillc.yaml": "databases: { SHOP_URL: { schema: [db.sql] } }\n",
      "db.sql": "CREATE TABLE orders (id bigint PRIMARY KEY);\n",
      "skills/shop/SKILL.md": skill(query),
    });
    expect((await skillc(root, ["generate"])).code).toBe(0);
    const later = new Date("2100-01-01");
    const edited = async (text: string) => {
      put(root, "skills/shop/SKILL.md", text);
      utimesSync(join(root, "skills/shop/SKILL.md"), later, later);
      return (await skillc(root, ["call", "shop/count-orders"])).stderr;
    };
    expect(await edited(`${skill(query).replace("tools:", "# a comment\ntools:")}`)).not.toContain(
      "is older than",
    );
    expect(await edited(skill(`${query} WHERE id > 3`))).toContain("is older than");
  });

  test("prints no hint if `generate` would change nothing, or if the skill is missing", async () => {
    const root = await editedDesk("skills/desk/metadata.json", '"properties"', ' "properties"');
    const before = await skillc(root, args);
    rmSync(join(root, "skills"), { recursive: true });
    const gone = await skillc(root, args);
    for (const { stderr } of [before, gone]) {
      expect(stderr).not.toContain("warning");
      expect(stderr).toContain("error: CREDENTIAL.MISSING");
      expect(stderr).toContain("`skillc check --env` checks the settings of every tool");
    }
  });
});

describe("call where the service is not", () => {
  const args = ["call", "desk/get-order", "--args", '{"order_id": "7"}'];

  test("a setting without a scheme: nothing was asked, and its value stays unsaid", async () => {
    const root = deskProject();
    const env = { ORDERS_URL: "127.0.0.1:8123", ORDERS_TOKEN: "letmein" };
    const { code, stderr } = await skillc(root, args, { env });
    expect(code).toBe(1);
    expect(stderr).toContain(
      "error: PROVIDER.PROTOCOL: `desk/get-order` was not sent: the value of `${ORDERS_URL}` must start with http:// or https://\n",
    );
    expect(stderr).toContain("`skillc check --env`");
    expect(stderr).not.toContain("8123");
    const checked = await skillc(root, ["check", "--env"], { env });
    expect(checked.code).toBe(1);
    expect(checked.stdout).toMatch(/✗ not a URL +ORDERS_URL/);
    expect(checked.stdout).toContain("the value of ORDERS_URL is not a URL");
    expect(checked.stdout).not.toContain("8123");
    const json = await skillc(root, ["check", "--env", "--json"], { env });
    expect(JSON.parse(json.stdout).environment).toContainEqual(
      expect.objectContaining({ name: "ORDERS_URL", state: "unusable" }),
    );
  });

  test("a refused connection names the setting, the system's code and the attempts", async () => {
    const root = deskProject();
    const ORDERS_URL = await closedAddress();
    const { stderr } = await skillc(root, args, { env: { ORDERS_URL, ORDERS_TOKEN: "letmein" } });
    expect(stderr).toContain(
      "`desk/get-order` got no connection to ${ORDERS_URL} (ECONNREFUSED) after 3 attempts\n",
    );
    expect(stderr).toContain("is the service running? `skillc check --env`");
    expect(stderr).not.toContain(ORDERS_URL);
  });
});

describe("init", () => {
  test("writes a skill that compiles without a warning and can be called at once", async () => {
    const root = makeProject();
    const { code, stdout } = await skillc(root, ["init"]);
    expect(code).toBe(0);
    expect(Object.keys(filesIn(root))).toEqual([
      ".gitattributes",
      ".gitignore",
      "handlers.ts",
      "schemas/import-overrides.schema.json",
      "schemas/metadata.schema.json",
      "schemas/skill.schema.json",
      "schemas/skillc.schema.json",
      "skillc.yaml",
      "skills/hello/SKILL.md",
      "skills/hello/metadata.yaml",
      "tsconfig.json",
    ]);
    expect(filesIn(root)[".gitignore"]).toBe("node_modules/\n.skillc/\n.env\n");
    expect(filesIn(root)[".gitattributes"]).toContain(
      "generated/**/*.validate.ts linguist-generated\n",
    );
    expect(await skillc(root, ["check", "--strict"])).toMatchObject({ code: 0, stderr: "" });
    expect((await skillc(root, ["generate"])).code).toBe(0);
    // The command that `init` told the user to type.
    const [, args = ""] =
      /call hello\/greet --args '([^']*)' --handlers handlers\.ts/.exec(stdout) ?? [];
    const called = await skillc(root, [
      "call",
      "hello/greet",
      "--args",
      args,
      "--handlers",
      "handlers.ts",
    ]);
    expect(JSON.parse(called.stdout)).toEqual({
      status: "success",
      data: { greeting: "Hello, Ada!" },
    });
  });

  test("--http writes one whose write can be seen in shadow mode, with nothing set up", async () => {
    const root = makeProject();
    const { stdout } = await skillc(root, ["init", "--http", "shop"]);
    expect(stdout).toContain("  cd shop\n");
    const shop = `${root}/shop`;
    expect(await skillc(shop, ["check", "--strict"])).toMatchObject({ code: 0, stderr: "" });
    await skillc(shop, ["generate"]);
    const [, args = ""] = /create-order --mode shadow --args '([^']*)'/.exec(stdout) ?? [];
    const called = await skillc(shop, [
      "call",
      "order-desk/create-order",
      "--mode",
      "shadow",
      "--args",
      args,
    ]);
    expect(JSON.parse(called.stdout)).toMatchObject({
      status: "shadow",
      request: { method: "POST", headers: { Authorization: "Bearer ${ORDERS_TOKEN}" } },
    });
    const env = await skillc(shop, ["check", "--env"], { env: { ORDERS_URL: "http://localhost" } });
    expect(env.code).toBe(1);
    expect(env.stdout).toMatch(
      /✗ missing +ORDERS_TOKEN +credential +order-desk\/create-order and 1 more/,
    );
    expect(env.stdout).toMatch(/✓ here +ORDERS_URL/);
  });

  test("suggests to install both packages unless a package.json at or above the folder names them", async () => {
    const root = makeProject({ "package.json": '{"dependencies": {"express": "5"}}' });
    const bare = await skillc(root, ["init"]);
    const [, runtime = ""] = /^ {2}npm install (\S+)$/m.exec(bare.stdout) ?? [];
    const [, compiler = ""] =
      /^ {2}npm install -D (\S+) typescript @types\/node$/m.exec(bare.stdout) ?? [];
    // They are on no registry: where these are, is where there are some.
    const nameAt = (path: string): unknown =>
      JSON.parse(readFileSync(join(root, path, "package.json"), "utf8")).name;
    expect([nameAt(runtime), nameAt(compiler)]).toEqual(["@skillc/runtime", "skillc"]);
    put(
      root,
      "package.json",
      '{"dependencies": {"@skillc/runtime": "0.1.0"}, "devDependencies": {"skillc": "0.1.0", "typescript": "7"}}',
    );
    const inside = await skillc(root, ["init", "inner"]);
    expect(inside.stdout).not.toMatch(/npm install [^-]/);
    expect(inside.stdout).toContain("  npm install -D @types/node\n");
    expect(inside.stdout).toContain("  npx skillc generate\n");
  });

  test("never overwrites; keeps settings that are there, and adds to git's", async () => {
    const root = makeProject({
      "skillc.yaml": "out: lib\n",
      ".gitignore": "/.skillc/\nnode_modules",
      ".gitattributes": "*.png binary\n",
    });
    expect((await skillc(root, ["init"])).code).toBe(0);
    expect(filesIn(root)).toMatchObject({
      "skillc.yaml": "out: lib\n",
      ".gitignore": "/.skillc/\nnode_modules\n.env\n",
      ".gitattributes": expect.stringMatching(/^\*\.png binary\ngenerated/),
    });
    const before = filesIn(root);
    expect((await skillc(root, ["init"])).code).toBe(0);
    expect(filesIn(root)).toEqual(before);
    rmSync(join(root, "skills/hello/metadata.yaml"));
    expect(await skillc(root, ["init"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("`skills/hello/SKILL.md`"),
    });
    expect(existsSync(join(root, "skills/hello/metadata.yaml"))).toBe(false);
  });

  test.each([".gitattributes", ".gitignore", "skills"])(
    "writes nothing at all where a link stands: %s",
    async (path) => {
      const root = makeProject({ "elsewhere/notes.txt": "mine" });
      symlinkSync(path === "skills" ? "elsewhere" : "elsewhere/notes.txt", join(root, path));
      expect(await skillc(root, ["init"])).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(`\`${path}\` is a link`),
      });
      expect(readdirSync(root).toSorted()).toEqual([path, "elsewhere"].toSorted());
      expect(filesIn(join(root, "elsewhere"))).toEqual({ "notes.txt": "mine" });
    },
  );
});
