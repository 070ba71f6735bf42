import { describe, expect, test } from "vitest";
import { compileFiles, linesOf } from "../../support/compile.js";
import { diagnose } from "../whole/compile-untyped.js";

/** A skill with one tool that has a placeholder where a credential belongs, a warning, and maybe a secret, an error. */
interface Desk {
  /** Lines of the tool and of the front matter. */
  readonly tool?: readonly string[];
  readonly skill?: readonly string[];
  readonly header?: string;
  readonly metadata?: object;
}

const placeholder = "Authorization: Bearer YOUR_TOKEN";
const secret = "X-API-Key: 9f8Gk2LmQ4xT7vB1";

function desk({ header = placeholder, metadata, skill = [], tool = [] }: Desk) {
  const lines = [
    "---",
    "name: desk",
    "description: Looks after orders.",
    ...skill,
    "tools:",
    "  get-order:",
    "    description: Get an order.",
    ...tool.map((line) => `    ${line}`),
    "    binding:",
    "      type: http",
    "      method: GET",
    "      url: https://sandbox.example.com/orders",
    `      headers: { ${header} }`,
    "---",
    "",
  ];
  return {
    "skills/desk/SKILL.md": lines.join("\n"),
    ...(metadata && { "skills/desk/metadata.json": JSON.stringify(metadata) }),
  };
}

const toolAccepts = 'accept: { "credential/placeholder": the sandbox takes any token }';

/** `severity code: message (help)`, but for what makes a skill not portable. */
async function told(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const { diagnostics } = await diagnose(files);
  return diagnostics
    .filter(({ code }) => code !== "skill/not-portable")
    .map(({ code, help, message, severity }) => `${severity} ${code}: ${message} (${help})`);
}

async function codes(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  return (await told(files)).map((line) => line.split(": ")[0] ?? "");
}

describe("an accepted finding", () => {
  test("becomes neither warning nor error, and keeps its reason", async () => {
    const { accepted, diagnostics, files } = await compileFiles(desk({ tool: [toolAccepts] }));
    expect(diagnostics.map(({ code }) => code)).toEqual(["skill/not-portable"]);
    expect(accepted.map(({ code, reason, tool }) => ({ code, reason, tool }))).toEqual([
      {
        code: "credential/placeholder",
        reason: "the sandbox takes any token",
        tool: "get-order",
      },
    ]);
    expect(files.map(({ path }) => path)).toContain("desk/get-order.ts");
  });

  test.each([
    ["on the tool", desk({ tool: [toolAccepts] })],
    ["on the skill", desk({ skill: [toolAccepts] })],
    ["in the `owlclaw` block", desk({ skill: ["owlclaw:", `  ${toolAccepts}`] })],
    [
      "in metadata.json",
      desk({ metadata: { accept: { "credential/placeholder": "the sandbox takes any token" } } }),
    ],
  ])("may be accepted %s", async (_, files) => {
    expect(await codes(files)).toEqual([]);
  });

  test("may be a secret that only looks like one, and the compiler still generates code", async () => {
    const accepts = 'accept: { "credential/plaintext-secret": the public id of a sheet }';
    expect(await codes(desk({ header: secret }))).toEqual(["error credential/plaintext-secret"]);
    const { accepted, diagnostics, files } = await compileFiles(
      desk({ header: secret, tool: [accepts] }),
    );
    expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(accepted).toMatchObject([{ code: "credential/plaintext-secret", severity: "error" }]);
    expect(files).not.toEqual([]);
  });

  test("stays a finding for every tool without the entry", async () => {
    const files = desk({ tool: [toolAccepts] });
    const [text] = Object.values(files);
    const other = (text ?? "")
      .split("\n")
      .slice(4, -2)
      .filter((line) => !line.includes("accept"))
      .join("\n")
      .replace("get-order", "get-other");
    const both = (text ?? "").replace(/---\n$/, `${other}\n---\n`);
    expect(await codes({ "skills/desk/SKILL.md": both })).toEqual([
      "warning credential/placeholder",
    ]);
  });

  test("stays a finding for one of two tools that share a schema if only the other accepts it", async () => {
    const tool = (name: string, ...lines: readonly string[]) => [
      `  ${name}:`,
      "    description: Get an order.",
      "    parameters: { $ref: ./order.json }",
      ...lines,
      '    binding: { type: http, method: GET, url: "https://sandbox.example.com/{id}" }',
    ];
    const accepts = '    accept: { "schema/unknown-keyword": our own }';
    const project = (...tools: readonly (readonly string[])[]) => ({
      "skills/desk/SKILL.md": [
        "---",
        "name: desk",
        "description: Desk.",
        "tools:",
        ...tools.flat(),
        "---",
        "",
      ].join("\n"),
      "skills/desk/order.json": JSON.stringify({
        type: "object",
        tsType: "Order",
        required: ["id"],
        properties: { id: { type: "string", minLength: 1 } },
      }),
    });
    const found = async (files: ReturnType<typeof project>) => {
      const { accepted, diagnostics } = await compileFiles(files);
      const about = ({ code, tool: owner }: (typeof diagnostics)[number]) =>
        `${code} ${owner ?? ""}`;
      return {
        accepted: accepted.map(about),
        open: diagnostics.filter(({ code }) => code !== "skill/not-portable").map(about),
      };
    };
    expect(await found(project(tool("one", accepts), tool("two")))).toEqual({
      accepted: ["schema/unknown-keyword one"],
      open: ["schema/unknown-keyword two"],
    });
    expect((await found(project(tool("one", accepts), tool("two", accepts)))).open).toEqual([]);
  });

  test("may come from the parser if it lies inside the tool's lines", async () => {
    const lines = [
      "order_id:",
      "  type: string",
      "  minLength: 1",
      "  description: &b: The order.",
    ];
    const header = 'X-Order: "{order_id}"';
    expect(await codes(desk({ header, tool: lines }))).toEqual(["warning parse/doubtful-yaml"]);
    const accepts = 'accept: { "parse/doubtful-yaml": all our readers agree }';
    expect(await codes(desk({ header, tool: [...lines, accepts] }))).toEqual([]);
    expect(await codes(desk({ header, skill: [accepts], tool: lines }))).toEqual([]);
    const { accepted } = await compileFiles(desk({ header, tool: [...lines, accepts] }));
    expect(accepted).toMatchObject([
      { code: "parse/doubtful-yaml", skill: "desk", tool: "get-order" },
    ]);
  });

  test("must lie inside the tool's lines if it comes from the parser", async () => {
    const accepts = 'accept: { "parse/doubtful-yaml": all our readers agree }';
    const found = await codes(
      desk({ header: "X-A: b", skill: ["license: &b: MIT"], tool: [accepts] }),
    );
    expect(found).toContain("warning parse/doubtful-yaml");
    expect(found).toContain("warning accept/unused");
  });

  test("may be accepted by the skill even if the tool has other errors", async () => {
    const files = desk({ skill: [toolAccepts], tool: ["rollbak: nothing"] });
    expect(await codes(files)).toEqual(["error tool/unknown-key"]);
  });

  test("stays accepted if the skill comes from the cache", async () => {
    const kept = new Map<string, string>();
    const cache = {
      get: (key: string) => kept.get(key),
      set: (key: string, value: string) => void kept.set(key, value),
    };
    const files = desk({ tool: [toolAccepts] });
    const first = await compileFiles(files, { cache });
    const again = await compileFiles(files, { cache });
    expect(again.counts).toMatchObject({ compiled: 0, reused: 1 });
    expect(again.accepted).toEqual(first.accepted);
    expect(linesOf(again, files)).toEqual(linesOf(first, files));
  });
});

describe("an invalid entry of `accept`", () => {
  test.each([
    [
      'accept: { "credential/placehodler": x }',
      "error accept/unknown-code: `credential/placehodler` is not the code of a diagnostic (did you mean `credential/placeholder`?)",
    ],
    [
      'accept: { "http/bad-origin": x }',
      "error accept/not-acceptable: `http/bad-origin` can't be accepted: it is an error, and an error stops `skillc generate` (fix the problem that it reports)",
    ],
    [
      'accept: { "sql/not-translated": x }',
      "error accept/not-acceptable: `sql/not-translated` can't be accepted: it is a note, which stops nothing (fix the problem that it reports)",
    ],
    [
      'accept: { "accept/unused": x }',
      "error accept/not-acceptable: `accept/unused` can't be accepted: it is not about one skill (fix the problem that it reports)",
    ],
    [
      'accept: { "credential/placeholder": " " }',
      "error accept/no-reason: `credential/placeholder` is accepted without a reason (write the reason: `credential/placeholder: …`)",
    ],
    [
      'accept: { "credential/placeholder": true }',
      "error accept/no-reason: `credential/placeholder` is accepted without a reason (write the reason: `credential/placeholder: …`)",
    ],
  ])("gets rejected with an explanation: %s", async (line, expected) => {
    for (const files of [desk({ tool: [line] }), desk({ skill: [line] })]) {
      const found = await told(files);
      expect(found.filter((each) => each.includes("accept/"))).toEqual([expected]);
      expect(found.some((each) => each.startsWith("warning credential/placeholder"))).toBe(true);
    }
  });
});

describe("an unused entry of `accept`", () => {
  const unused = 'accept: { "http/unusable-value": nobody asks for it }';

  test("causes a warning at its place", async () => {
    expect(await told(desk({ tool: [unused], header: "X-A: b" }))).toEqual([
      "warning accept/unused: `http/unusable-value` is accepted, but does not occur in this tool (remove it)",
    ]);
    expect(await told(desk({ skill: [unused], header: "X-A: b" }))).toEqual([
      "warning accept/unused: `http/unusable-value` is accepted, but does not occur in this skill (remove it)",
    ]);
  });

  test("causes no warning beside an error, because the compiler stops early", async () => {
    const files = desk({ tool: [unused, "rollbak: nothing"], header: "X-A: b" });
    expect(await codes(files)).toEqual(["error tool/unknown-key"]);
  });

  test("causes a warning at the skill if the tool accepts the same code", async () => {
    const files = desk({ skill: [toolAccepts], tool: [toolAccepts] });
    expect(await told(files)).toEqual([
      "warning accept/unused: `credential/placeholder` is accepted, but does not occur in this skill (remove it)",
    ]);
  });
});

describe("a parameter named `accept`", () => {
  test.each(["accept: boolean", "accept: { type: boolean }", "accept?: string"])(
    "may be declared as %s",
    async (line) => {
      const name = "{accept}";
      const files = desk({ tool: [line], header: `X-Accept: "${name}"` });
      expect(await codes(files)).toEqual([]);
    },
  );

  test.each([
    [
      "accept: [sql/may-be-left-out]",
      "`accept` maps codes of diagnostics to reasons: `accept: { sql/may-be-left-out: a trigger fills it }`",
    ],
    [
      "accept: { may-be-left-out: x }",
      "`accept` maps codes of diagnostics to reasons: `accept: { sql/may-be-left-out: a trigger fills it }`",
    ],
    ["acept: { credential/placeholder: x }", "did you mean `accept`?"],
  ])("causes an error if it is declared as %s", async (line, help) => {
    const found = await told(desk({ tool: [line] }));
    expect(found[0]).toMatch(/^error tool\/unknown-key: /);
    expect(found[0]).toContain(`(${help})`);
  });
});

test("the error of a key that another program may use can be accepted", async () => {
  const url = "binding: { type: http, method: GET, url: 'https://sandbox.example.com/orders' }";
  const skill = (...lines: readonly string[]) => ({
    "skills/desk/SKILL.md": "---\nname: desk\ndescription: Looks after orders.\n---\n",
    "skills/desk/metadata.yaml": [
      ...lines,
      `tools: { get-order: { description: Get an order., ${url} } }`,
      "",
    ].join("\n"),
  });
  const codes = async (...lines: readonly string[]) =>
    (await compileFiles(skill(...lines))).diagnostics.map(({ code, severity }) => [severity, code]);
  expect(await codes("risk-level: medium")).toEqual([["error", "skill/misspelt-setting"]]);
  const accept = "accept: { skill/misspelt-setting: the hub reads it }";
  expect(await codes("risk-level: medium", accept)).toEqual([]);
  expect(await codes("scopes: [repo]")).toEqual([["error", "skill/misplaced-setting"]]);
  const acceptScopes = "accept: { skill/misplaced-setting: the hub reads it }";
  expect(await codes("scopes: [repo]", acceptScopes)).toEqual([]);
});
