import { describe, expect, test } from "vitest";
import { renderDiagnosticPages } from "../../../src/cli/commands/docs.js";
import { allDiagnosticEntries } from "../../../src/cli/diagnostics/all-diagnostic-entries.js";
import { referencePages } from "../../../src/cli/reference-pages.js";
import { toolErrors } from "../../../src/cli/tool-errors.js";
import type { DiagnosticEntries } from "../../../src/core/diagnostic-entry.js";
import { makeProject, skillc } from "../support/command-line.js";

describe("explain", () => {
  test("shows title, explanation, example and fix", async () => {
    const { code, stdout } = await skillc(makeProject(), ["explain", "config/unknown-key"]);
    expect(code).toBe(0);
    expect(stdout).toMatchInlineSnapshot(`
      "error[config/unknown-key]: an unknown key in skillc.yaml

      skillc.yaml accepts only the settings that docs/skills/project-settings.md lists. Grants, quotas and
      obligations have a fixed set of keys too. A misspelt key would have no effect: a misspelt limit, for
      example, would limit nothing.

      Example

        skillc.yaml
          skill: skills

        skills/desk/SKILL.md
          ---
          name: desk
          description: Answer customers.
          ---

          Answer politely.

      Fixed

        skillc.yaml
        - skill: skills
        + skills: skills
      "
    `);
  });

  test("accepts a code in the form that diagnostics print", async () => {
    const root = makeProject();
    const plain = await skillc(root, ["explain", "config/unknown-key"]);
    expect(await skillc(root, ["explain", "error[config/unknown-key]"])).toEqual(plain);
  });

  test("prints any entry, and with JSON the entry itself", async () => {
    const root = makeProject();
    const diagnostics = allDiagnosticEntries();
    for (const [code, { title }] of Object.entries(diagnostics)) {
      const { stdout } = await skillc(root, ["explain", code]);
      expect(stdout).toContain(title);
      expect(stdout.length).toBeLessThan(40_000);
    }
    const { stdout } = await skillc(root, ["explain", "config/unknown-key", "--json"]);
    expect(JSON.parse(stdout)).toEqual({
      code: "config/unknown-key",
      ...diagnostics["config/unknown-key"],
    });
  });

  test("lists all codes if none is given", async () => {
    const { stdout } = await skillc(makeProject(), ["explain"]);
    const lines = stdout.trimEnd().split("\n");
    const codes = [...Object.keys(allDiagnosticEntries()), ...Object.keys(toolErrors)];
    expect(lines).toHaveLength(codes.length);
    expect(codes.filter((each) => !lines.some((line) => line.includes(` ${each} `)))).toEqual([]);
  });

  test("lists the codes of an area", async () => {
    const root = makeProject();
    const { code, stdout } = await skillc(root, ["explain", "http"]);
    expect(code).toBe(0);
    const all = Object.keys(allDiagnosticEntries()).filter((each) => each.startsWith("http/"));
    const listed = stdout.match(/^\w+ +(http\/\S+)/gm)?.map((line) => line.replace(/^\w+ +/, ""));
    expect(listed).toEqual(all.toSorted());
    expect((await skillc(root, ["explain", "PROVIDER"])).stdout).toMatchInlineSnapshot(`
      "thrown   PROVIDER.TIMEOUT      the service did not answer in time
      thrown   PROVIDER.UNAVAILABLE  the service could not be reached, or the connection broke
      thrown   PROVIDER.PROTOCOL     an answer or a setting cannot be used
      "
    `);
    const json = await skillc(root, ["explain", "PROVIDER", "--json"]);
    expect(JSON.parse(json.stdout)).toMatchObject([
      { code: "PROVIDER.TIMEOUT", fields: { timeoutMs: expect.any(String) as string } },
      { code: "PROVIDER.UNAVAILABLE" },
      { code: "PROVIDER.PROTOCOL" },
    ]);
  });

  test("shows an error of a call, and what to do about it", async () => {
    const root = makeProject();
    expect((await skillc(root, ["explain", "PROVIDER.TIMEOUT"])).stdout).toMatchInlineSnapshot(`
      "PROVIDER.TIMEOUT: the service did not answer in time

      No attempt got an answer within the binding's \`timeout_ms\`. \`error.attempts\` is the number of
      attempts: the runtime repeats reads and idempotent writes as their \`retry\` says. If the call was
      still waiting for a connection or a credential, nothing was sent, and \`error.outcome\` is \`not-done\`.
      For an HTTP tool with \`poll\`, the service accepted the work and did not finish in time. The work may
      go on.

      Fields of \`failure\`
        \`timeoutMs\`: time limit of one attempt, or of all polls, in milliseconds

      What to do
        Retry: later, if \`error.outcome\` is \`not-done\` or a repeat does no harm. Otherwise find out first
        if the write happened
        Report to the model: the service did not answer; try again later. If the outcome is \`unknown\`: the
        write may have happened; find out first
        Alert an operator: if calls keep failing
      "
    `);
    for (const [code, entry] of Object.entries(toolErrors)) {
      const { stdout } = await skillc(root, ["explain", code]);
      expect(stdout.split("\n")[0]).toBe(`${code}: ${entry.title}`);
      const json = await skillc(root, ["explain", code, "--json"]);
      expect(JSON.parse(json.stdout)).toEqual({ code, ...entry });
    }
  });

  test.each([
    ["provider.timeout", "PROVIDER.TIMEOUT"],
    ["htp", "http"],
    ["http/unknown-paramter", "http/unknown-parameter"],
  ])("rejects the unknown code %s, and suggests another", async (written, meant) => {
    const { code, stderr } = await skillc(makeProject(), ["explain", written]);
    expect(code).toBe(2);
    expect(stderr).toContain(`there is no code \`${written}\``);
    expect(stderr).toContain(`did you mean \`${meant}\`?`);
  });
});

const entry = (example: string, fixed: string): DiagnosticEntries => ({
  "a/one": {
    severity: "warning",
    title: "one",
    explanation: "Why.",
    example: { "skills/x/SKILL.md": example },
    fixed: { "skills/x/SKILL.md": fixed },
  },
});

describe("pages of diagnostics", () => {
  test("the reference has an index and a page for each family, and no other page of diagnostics", async () => {
    const families = Object.keys(allDiagnosticEntries()).map((code) => code.split("/")[0] ?? "");
    const pages = renderDiagnosticPages(allDiagnosticEntries());
    expect(pages.map(({ path }) => path).toSorted()).toEqual(
      [...new Set(["index", ...families])]
        .map((name) => `reference/diagnostics/${name}.md`)
        .toSorted(),
    );
    const reference = await referencePages();
    expect(reference.filter(({ path }) => path.includes("diagnostics"))).toEqual(pages);
  });

  test("every code is in the index, under an anchor of its own, and on the page of its family", () => {
    const pages = new Map(
      renderDiagnosticPages(allDiagnosticEntries()).map(({ path, text }) => [path, text]),
    );
    for (const code of Object.keys(allDiagnosticEntries())) {
      const anchor = code.replace("/", "");
      const [family] = code.split("/");
      expect(pages.get("reference/diagnostics/index.md")).toContain(
        `<a id="${anchor}"></a>[${code}](${family}.md#${anchor})`,
      );
      expect(pages.get(`reference/diagnostics/${family}.md`)).toContain(`\n## ${code}\n`);
    }
  });

  test("contains fences longer than those inside, and shows a change with two lines around it", () => {
    const before = "1\n2\n3\n````js\nwrong\n````\n4\n5\n6\n";
    const [index, family] = renderDiagnosticPages(entry(before, before.replace("wrong", "right")));
    expect(index?.text).toMatchInlineSnapshot(`
      "# Diagnostics

      Every code that skillc reports, with a link to its explanation, a failing example and the fix. \`skillc explain CODE\` prints the same. An error stops \`skillc generate\`. A warning does not; \`skillc check --strict\` treats warnings as errors.

      ## a

      - <a id="aone"></a>[a/one](a.md#aone), warning: one
      "
    `);
    expect(family?.text).toMatchInlineSnapshot(`
      "# Diagnostics: a

      One family of [all diagnostics](index.md).

      ## a/one

      **warning**: one

      Why.

      \`skills/x/SKILL.md\`

      \`\`\`\`\`markdown
      1
      2
      3
      \`\`\`\`js
      wrong
      \`\`\`\`
      4
      5
      6
      \`\`\`\`\`

      Fixed:

      \`skills/x/SKILL.md\`

      \`\`\`\`\`diff
      …
       3
       \`\`\`\`js
      -wrong
      +right
       \`\`\`\`
       4
      …
      \`\`\`\`\`
      "
    `);
  });
});
