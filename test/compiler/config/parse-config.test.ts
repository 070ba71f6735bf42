import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { configDiagnosticEntries } from "../../../src/compiler/config/diagnostics.js";
import { parseConfig } from "../../../src/compiler/config/parse-config.js";
import { parseDiagnosticEntries } from "../../../src/compiler/parse/diagnostics.js";
import { createReport } from "../../../src/core/report.js";
import { toJson } from "../../../src/core/syntax-node.js";

function config(text: string) {
  const report = createReport({ ...configDiagnosticEntries, ...parseDiagnosticEntries });
  const read = parseConfig({ path: "skillc.yaml", text }, report);
  const found = report.diagnostics();
  return {
    read,
    found,
    faults: found.map((each) => `${each.code} ${text.slice(each.span.start, each.span.end)}`),
  };
}

const defaults = {
  skills: "skills",
  out: "generated",
  policies: "policies",
  secretNames: [],
  bindings: [],
  settings: {},
};

describe("parseConfig", () => {
  it("returns the defaults for an empty file", () => {
    expect(parseConfig(undefined, createReport({}))).toEqual(defaults);
    for (const text of ["", "# nothing yet\n", "secrets:\nbindings:\ndatabases:\n", "{}"]) {
      expect(config(text)).toMatchObject({ read: defaults, faults: [] });
    }
  });

  it("reads every setting", () => {
    const { read, faults } = config(`
skills: ./agent/skills/
out: src/generated
policies: agent/policies/
databases:
  WAREHOUSE_URL: { schema: [db/schema.sql] }
secrets: { ORDERS_TOKEN: local-only, ORDERS_URL: "http://127.0.0.1:8008" }
bindings: { graphql: ./examples/../graphql/index.ts, soap: "@acme/skillc-soap/kind", imap: skillc-imap }
`);
    expect(faults).toEqual([]);
    const { settings, ...rest } = read;
    const { databases } = settings;
    expect(rest).toEqual({
      skills: "agent/skills",
      out: "src/generated",
      policies: "agent/policies",
      secretNames: ["ORDERS_TOKEN", "ORDERS_URL"],
      bindings: [
        { type: "graphql", module: "./graphql/index.ts" },
        { type: "soap", module: "@acme/skillc-soap/kind" },
        { type: "imap", module: "skillc-imap" },
      ],
    });
    expect(databases && toJson(databases)).toEqual({
      WAREHOUSE_URL: { schema: ["db/schema.sql"] },
    });
  });

  it.each([
    ["skills.", "skills."],
    ["skills ", "skills "],
    ["node_modules./x", "node_modules."],
    ["\u200c.git/hooks", "\ufffd.git"],
    ["GIT~1/hooks", "GIT~1"],
    ["con", "con"],
    ["src/aux.d", "aux.d"],
    ["generated::$INDEX_ALLOCATION", "generated::$INDEX_ALLOCATION"],
    ["gen|x", "gen|x"],
  ])("rejects an output folder that is another folder on some system: %j", (out, part) => {
    for (const setting of ["out", "skills"]) {
      const { read, found } = config(`${setting}: ${JSON.stringify(out)}\n`);
      expect(read).toEqual(defaults);
      expect(found.map(({ code, message }) => [code, message])).toEqual([
        ["config/path", `on some systems \`${part}\` means another path`],
      ]);
    }
  });

  it("treats two spellings of one name as one folder, as macOS does", () => {
    const { read, faults } = config("skills: caf\u00e9\nout: cafe\u0301\n");
    expect(read).toEqual(defaults);
    expect(faults).toEqual(["config/overlapping-folders cafe\u0301"]);
  });

  it("keeps no secret's value", () => {
    const { read, found } = config(
      "secrets:\n  A: hunter2\n  B: 31337\n  bad-name: hunter2\n  C: [hunter2]\n",
    );
    expect(read.secretNames).toEqual(["A"]);
    expect(JSON.stringify([read, found])).not.toMatch(/hunter2|31337/);
  });

  it.each([
    ["skills: ../a", "name a folder below skillc.yaml, such as `skills`"],
    ["out: ../a", "name a folder below skillc.yaml, such as `generated`"],
    ["out: .git", "name a folder of their own, such as `generated`"],
    ["policies: generated/a", "name a folder outside of it, such as `policies`"],
    ["out: policies", "name a folder outside of it, such as `rules`"],
  ])("suggests what to write instead of %j", (text, help) => {
    expect(config(text).found).toMatchObject([{ help }]);
  });

  it.each([
    ["a misspelt setting", "skill: a", ["config/unknown-key skill"]],
    ["a list", "- a", ["config/wrong-type - a"]],
    [
      "a folder that is no text",
      "skills: [a]\nout: 1",
      ["config/wrong-type [a]", "config/wrong-type 1"],
    ],
    ["secrets that are no mapping", "secrets: [a]", ["config/wrong-type [a]"]],
    ["a secret that is no text", "secrets: {PIN: 1234}", ["config/wrong-type 1234"]],
    ["a secret without a value", "secrets:\n  PIN:\n", ["config/wrong-type PIN"]],
    [
      "a secret's name",
      "secrets: {1a: x, a-b: y}",
      ["config/secret-name 1a", "config/secret-name a-b"],
    ],
    ["a path out of the project", "skills: ../a", ["config/path ../a"]],
    ["a path that comes back", "skills: ../a/skills", ["config/path ../a/skills"]],
    ["an absolute path", "out: /tmp/x", ["config/path /tmp/x"]],
    ["a drive", "out: 'C:/x'", ["config/path 'C:/x'"]],
    ["a backslash", "out: a\\b", ["config/path a\\b"]],
    ["an empty path", "out: ''", ["config/path ''"]],
    ["output in git's folder", "out: .git", ["config/path .git"]],
    ["output where workflows are run", "out: .github/workflows", ["config/path .github/workflows"]],
    ["output in an editor's folder", "out: app/.VSCode", ["config/path app/.VSCode"]],
    ["output in our own folder", "out: ./.skillc/out/", ["config/path ./.skillc/out/"]],
    ["output among packages", "out: web/Node_Modules/x", ["config/path web/Node_Modules/x"]],
    ["output in skills", "out: skills/x", ["config/overlapping-folders skills/x"]],
    [
      "skills in output",
      "skills: generated/skills",
      ["config/overlapping-folders generated/skills"],
    ],
    ["one folder for both", "skills: A\nout: a/", ["config/overlapping-folders a/"]],
    ["policies in output", "policies: generated", ["config/overlapping-folders generated"]],
    ["policies below output", "policies: Generated/a", ["config/overlapping-folders Generated/a"]],
    ["output in place of policies", "out: policies", ["config/overlapping-folders policies"]],
    ["policies out of the project", "policies: ../shared", ["config/path ../shared"]],
    ["policies at an absolute path", "policies: /etc", ["config/path /etc"]],
    ["policies in skillc's own folder", "policies: .skillc/a", ["config/path .skillc/a"]],
    ["policies in a package", "policies: node_modules/a", ["config/path node_modules/a"]],
    ["the whole project", "skills: .", ["config/overlapping-folders ."]],
    ["a binding type", "bindings: {A b: x}", ["config/binding-type A b"]],
    ["a URL as a module", "bindings: {a: 'file:///x'}", ["config/module 'file:///x'"]],
    ["a module out of the project", "bindings: {a: ./../x.ts}", ["config/module ./../x.ts"]],
    ["a module that is the project", "bindings: {a: ./}", ["config/module ./"]],
    [
      "a module with `..` in a package",
      "bindings: {a: pkg/../../x}",
      ["config/module pkg/../../x"],
    ],
    ["invalid YAML", "skills: a: b", ["parse/invalid-yaml a: b"]],
  ])("reports %s", (_, text, expected) => {
    expect(config(text).faults).toEqual(expected);
  });

  it("suggests the setting that was meant", () => {
    expect(config("bindigns: {}").found[0]?.help).toBe("did you mean `bindings`?");
  });

  it("never lets the folders leave the project or contain one another, for any text", () => {
    const part = fc.constantFrom(
      "a",
      "A",
      "b",
      "..",
      ".",
      "",
      "skills",
      "generated",
      "~",
      "C:",
      "\\",
      "\u0000",
    );
    const path = fc.array(part, { maxLength: 4 }).map((parts) => parts.join("/"));
    const property = fc.property(path, path, (skills, out) => {
      const { read } = config(JSON.stringify({ skills, out }));
      for (const folder of [read.skills, read.out])
        expect(folder).toMatch(/^(?!\.\.(?:\/|$))[^/\\:\0]+(?:\/(?!\.\.(?:\/|$))[^/\\\0]+)*$/);
      expect(`${read.out}/`.toLowerCase().startsWith(`${read.skills}/`.toLowerCase())).toBe(false);
      expect(`${read.skills}/`.toLowerCase().startsWith(`${read.out}/`.toLowerCase())).toBe(false);
    });
    fc.assert(property, { numRuns: 500 });
  });
});
