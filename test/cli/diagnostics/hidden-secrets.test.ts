import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { diagnosticsAsData } from "../../../src/cli/diagnostics/json.js";
import { renderBriefly, renderDiagnostics } from "../../../src/cli/diagnostics/render.js";
import { parseConfig } from "../../../src/compiler/config/parse-config.js";
import { secretParts } from "../../../src/compiler/read/read-config-file.js";
import { createReport } from "../../../src/core/report.js";
import { allDiagnosticEntries } from "../../../src/cli/diagnostics/all-diagnostic-entries.js";
import { compileFiles } from "../../support/compile.js";

/** Everything that is said of a skillc.yaml, in every form. */
function told(text: string): string {
  const report = createReport(allDiagnosticEntries());
  const file = { path: "skillc.yaml", text, hidden: secretParts(text) };
  parseConfig(file, report);
  const diagnostics = report.diagnostics();
  const sources = new Map([[file.path, file]]);
  return [
    renderDiagnostics(diagnostics, sources),
    renderBriefly(diagnostics, sources),
    JSON.stringify(diagnosticsAsData(diagnostics, [], sources)),
  ].join("\n");
}

describe("a value under `secrets:`", () => {
  test.each([
    ["a name that can't be one", "secrets:\n  orders-token: hunter2\n"],
    ["a value that was taken for a part of the name", "secrets:\n  { TOKEN:hunter2 }\n"],
    ["an assignment", "secrets:\n  TOKEN=hunter2:\n"],
    ["a text", "secrets: TOKEN=hunter2\n"],
    ["a list", "secrets:\n  - TOKEN=hunter2\n"],
    ["a number", "secrets:\n  A-B: hunter2\n  PIN: 4711\n"],
    ["a list for a value", "secrets:\n  PIN: [hunter2]\n"],
    ["a quote that is never closed", 'secrets:\n  A: "hunter2\n  B: x\n'],
    ["a second colon", "secrets:\n  A: hunter2: b\n"],
    ["a tag", "secrets:\n  A: !hunter2 b\n"],
    ["an alias", "secrets:\n  A: *hunter2\n"],
    ["a character that can't begin a value", "secrets:\n  A: @hunter2\n"],
    ["a key that stands twice", "secrets:\n  hunter2: a\n  hunter2: b\n"],
    ["an escape", 'secrets:\n  A: "hunter2\\q"\n'],
    ["a tab", "secrets:\n\tA: hunter2\n"],
    ["indentation that fits nothing", "secrets:\n    A: x\n  B: hunter2\n"],
    ["a merge", "secrets:\n<<<<<<< HEAD\n  A: hunter2\n=======\n  A: b\n>>>>>>> x\n"],
    ["a control character", "secrets:\n  A: hunter2\u0001\n"],
    ["a flow mapping", "{ skills: skills, secrets: { a-b: hunter2 } }\n"],
    ["quotes around the key", '"secrets":\n  a-b: hunter2\n'],
    ["a document that is indented", "  skills: skills\n  secrets:\n    a-b: hunter2\n"],
    ["a setting that is indented too deep", "out: generated\n  secrets:\n    a-b: hunter2\n"],
    ["a misspelt key", "secret:\n  A: hunter2\n"],
    ["a misspelt key, on one line", "Secrets: { A: hunter2 }\n"],
    ["a byte order mark", "\ufeffsecrets: { a-b: hunter2 }\n"],
    ["line ends of Windows", "secrets:\r\n  a-b: hunter2\r\n"],
    ["a setting's flow mapping", "out: { secrets: { A: hunter2 } }\n"],
    ["a flow mapping that is never closed", "databases: { a: {}, secrets: { A: hunter2 }\n"],
    ["the line of another setting", "databases: {}, secrets: { A: hunter2 }\n"],
    ["the lines after such a line", "databases: { secrets: {\n  A: hunter2: b }\n"],
    ["a store's URL", "store: postgres://me:hunter2@db.example/x\n"],
    ["a ledger's URL", 'ledger: "postgres://me:hunter2@db.example/x"\n'],
    ["a URL in a list", "store: [redis://:hunter2@cache.example]\n"],
    ["an obligation's flow mapping", "obligations: [], secrets: { A: hunter2 }\n"],
    ["a line that goes on at the start", 'secrets:\n  A: "b\nhunter2 c\n'],
  ])("appears in no message and no snippet: %s", (_, text) => {
    const output = told(text);
    expect(output).toContain("error[");
    expect(output).not.toContain("hunter2");
  });

  test.each([
    ["skills", "*x"],
    ["out", "*x"],
    ["databases", "{ DB_URL: { schema: *x } }"],
    ["bindings", "{ soap: *x }"],
  ])("causes an error if an alias gives it to `%s`, and the setting stays unused", (key, value) => {
    const text = `secrets:\n  A: &x ./hunter2/db.sql\n${key}: ${value}\n`;
    const report = createReport(allDiagnosticEntries());
    const settings = parseConfig({ path: "skillc.yaml", text }, report);
    expect(report.diagnostics().map(({ code }) => code)).toEqual(["config/secret-as-setting"]);
    expect(JSON.stringify(settings)).not.toContain("hunter2");
    expect(told(text)).not.toContain("hunter2");
  });

  test("appears nowhere, however the file is cut and mixed up", () => {
    const lines = [
      "skills: skills",
      "out: generated",
      "secrets:",
      "  ORDERS_TOKEN: hunter2",
      '  B: "hunter2',
      "  'c': [hunter2, {",
      "  - hunter2",
      "hunter2",
      "? hunter2",
      "<<<<<<< HEAD",
      "# hunter2",
      "  hunter2: &hunter2 !!hunter2 |",
    ];
    const noise = fc.constantFrom("", "\t", '"', "'", "{", "]", ": ", "- ", "\u0000", "%", "`");
    const mixed = fc
      .array(fc.tuple(fc.constantFrom(...lines), noise), { maxLength: 12 })
      .map((all) => all.map(([line, added]) => line + added).join("\n"));
    fc.assert(
      fc.property(mixed, (text) => {
        expect(told(text)).not.toContain("hunter2");
      }),
    );
  });
});

test.each([
  ["files", "`reed` is not a key of `files`"],
  ["quotas", "`reed`"],
  ["grants", "`reed`"],
  ["obligations", "`reed`"],
])("an unknown key under `%s` appears in its own error", (key, message) => {
  const list = ["quotas", "grants", "obligations"].includes(key);
  const value = list ? "[{ reed: [uploads] }]" : "{ reed: [uploads] }";
  const output = told(`${key}: ${value}\nsecrets: { A: hunter2 }\n`);
  expect(output).toContain(message);
  expect(output).not.toMatch(/•|hunter2/);
});

test("the value and the misspelt name of another setting appear in its error", () => {
  expect(told("skill: skills\nsecrets: { A: hunter2 }\nout: [generated]\n")).toMatch(
    /`skill` is not a setting[\s\S]*1 \| skill:[\s\S]*3 \| out: \[generated\]/,
  );
  expect(told("quotas:\n  - { name: calls, calls_per_minut: 5 }\n")).toMatch(
    /2 \| {3}- \{ name: calls, calls_per_minut: 5 \}/,
  );
});

describe("a secret in plain text", () => {
  const token = "sk_live_51H8x7dKq93mZv7LpQ2";
  const pem = [
    "-----BEGIN PRIVATE KEY-----",
    "MIIEvQIBADANBgkqhkiG9w0BAQEF",
    "-----END PRIVATE KEY-----",
  ];
  const skill = (secret: string, lines: readonly string[]): string =>
    [
      "---",
      "name: desk",
      "description: Greets.",
      "tools_schema:",
      "  get:",
      "    description: Get.",
      "    order_id: string",
      ...lines.filter((each) => each.startsWith("    ") && !each.startsWith("     ")),
      "    binding:",
      "      type: http",
      "      url: https://api.example.com/{order_id}",
      `      headers: { Authorization: "Bearer ${secret}" }`,
      ...lines.filter((each) => each.startsWith("      ")),
      "---",
      "",
    ].join("\n");

  /** Everything that is printed of it: in full, briefly, as JSON. */
  async function printed(text: string): Promise<string> {
    const path = "skills/desk/SKILL.md";
    const { accepted, diagnostics } = await compileFiles({ [path]: text });
    expect(diagnostics.map(({ code }) => code)).toContain("credential/plaintext-secret");
    const sources = new Map([[path, { path, text }]]);
    return [
      renderDiagnostics(diagnostics, sources),
      renderBriefly(diagnostics, sources),
      JSON.stringify(diagnosticsAsData(diagnostics, accepted, sources)),
    ].join("\n");
  }

  test.each([
    ["a key of the tool", [`    ${token}: [a]`]],
    ["a key of the binding", [`      ${token}: a`]],
    ["a method", [`      method: ${token}`]],
    ["a number", [`      timeout_ms: ${token}`]],
    ["a placeholder", [`      query: { a: "{${token}}" }`]],
    ["a path of the answer", ["      response_mapping:", `        path: "${token}["`]],
    ["an example", [`    order: { type: string, default: ${token}, maxLength: 3 }`]],
    ["a text that is cut in the message", [`    ${"a".repeat(40)}${token}: [a]`]],
    ["a type", [`    order: ${token}`]],
  ])("appears in no finding as %s", async (_, lines) => {
    const output = await printed(skill(token, lines));
    expect(output).not.toContain(token);
    expect(output).not.toContain(token.slice(0, 12));
  });

  test("appears in no finding, even if it is accepted", async () => {
    const accepts = `    accept: { "credential/plaintext-secret": "${token} is public", "a/b": x }`;
    const path = "skills/desk/SKILL.md";
    const text = skill(token, [accepts, `      ${token}: a`]);
    const { accepted, diagnostics } = await compileFiles({ [path]: text });
    expect(accepted).toHaveLength(1);
    const data = diagnosticsAsData(diagnostics, accepted, new Map([[path, { path, text }]]));
    expect(JSON.stringify(data)).not.toContain(token);
    expect(data.accepted[0]?.reason).toBe(`${"•".repeat(token.length)} is public`);
  });

  test("appears in no finding if it has several lines", async () => {
    const block = ["      private_key: |", ...pem.map((each) => `        ${each}`)];
    const text = skill("${TOKEN}", block).replace(
      "    binding:",
      `    x: "${pem.join(" ")}"\n    binding:`,
    );
    const output = await printed(text);
    expect(output).not.toContain("MIIEvQIBADAN");
  });

  test("hides no other word that contains it if it is short", async () => {
    const output = await printed(skill("${TOKEN}", ["      password: esk", "      esk: 1"]));
    expect(output).toContain("`•••` is not a key");
    expect(output).toContain("desk");
  });
});
