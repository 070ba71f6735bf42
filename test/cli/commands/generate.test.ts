import { createHash } from "node:crypto";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import * as prettier from "prettier";
import { describe, expect, test } from "vitest";
import { deskFiles, filesIn, makeProject, put, skillc } from "../support/command-line.js";
import { echoProject } from "../support/echo-kind.js";

const tools = "skills/desk/metadata.json";
const misspelt = deskFiles[tools].replace("{order_id}", "{orderId}");

function generatedIn(root: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(filesIn(root)).filter(([path]) => path.startsWith("generated/")),
  );
}

function sumOf(rows: readonly { readonly ms: number }[]): number {
  return rows.reduce((sum, { ms }) => sum + ms, 0);
}

describe("generate", () => {
  test("writes the output, and changes nothing the second time", async () => {
    const root = makeProject(deskFiles);
    const first = await skillc(root, ["generate"]);
    expect(first).toMatchObject({ code: 0, stderr: "" });
    expect(first.stdout).toMatch(
      /^✓ 1 skill, 1 tool → generated\/\n  \d+ files written · 0 unchanged · .*\n$/,
    );
    const written = generatedIn(root);
    expect(Object.keys(written)).toContain("generated/desk/get-order.ts");
    const time = statSync(join(root, "generated/index.ts")).mtimeMs;

    const second = await skillc(root, ["generate"]);
    expect(second.stdout).toMatch(/\d+ files unchanged · 1 skill from the cache/);
    expect(generatedIn(root)).toEqual(written);
    expect(statSync(join(root, "generated/index.ts")).mtimeMs).toBe(time);
  });

  test("writes nothing after an error, prints it, and exits with 1", async () => {
    const root = makeProject(deskFiles);
    await skillc(root, ["generate"]);
    const before = generatedIn(root);
    put(root, tools, misspelt);
    const { code, stdout, stderr } = await skillc(root, ["generate"]);
    expect(code).toBe(1);
    expect(stdout).toBe("");
    expect(stderr).toContain("error[http/unknown-parameter]");
    expect(stderr).toContain(`--> ${tools}:14:`);
    expect(stderr).toContain('14 |         "url": "${ORDERS_URL}/orders/{orderId}",');
    expect(stderr).toMatch(/\n\d+ errors? in 1 skill\n$/);
    expect(generatedIn(root)).toEqual(before);
  });

  test("prints only diagnostics with --json, with exactly the documented members", async () => {
    const root = makeProject({ ...deskFiles, [tools]: misspelt });
    const { code, stdout, stderr } = await skillc(root, ["generate", "--json"]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
    const printed: { diagnostics: readonly Record<string, unknown>[] } = JSON.parse(stdout);
    expect(Object.keys(printed)).toEqual(["diagnostics", "accepted"]);
    const column = misspelt.split("\n")[13]?.indexOf("{orderId}") ?? -1;
    expect(printed.diagnostics.find((each) => each["code"] === "http/unknown-parameter")).toEqual({
      code: "http/unknown-parameter",
      severity: "error",
      message: expect.stringContaining("`orderId`"),
      help: expect.stringContaining("`order_id`"),
      file: tools,
      line: 14,
      column: column + 1,
      endLine: 14,
      endColumn: column + 10,
      skill: "desk",
      tool: "get-order",
    });
    put(root, tools, deskFiles[tools]);
    expect(JSON.parse((await skillc(root, ["generate", "--json"])).stdout)).toEqual({
      diagnostics: [],
      accepted: [],
      missingPackages: [],
    });
  });

  test("removes files that nothing generates any more, and keeps files that it didn't write", async () => {
    const root = makeProject(deskFiles);
    await skillc(root, ["generate"]);
    put(root, "generated/desk/mine.txt", "mine");
    put(root, tools, deskFiles[tools].replace("get-order", "find-order"));
    const { stdout } = await skillc(root, ["generate"]);
    expect(stdout).toMatch(/\d removed/);
    const paths = Object.keys(generatedIn(root));
    expect(paths).toContain("generated/desk/find-order.ts");
    expect(paths).not.toContain("generated/desk/get-order.ts");
    expect(paths).toContain("generated/desk/mine.txt");
  });

  test("stops at a file that was edited by hand, unless --force is set", async () => {
    const root = makeProject(deskFiles);
    await skillc(root, ["generate"]);
    const written = generatedIn(root);
    const path = "generated/desk/get-order.ts";
    put(root, path, `${written[path]}\nexport const mine = 1;\n`);
    const refused = await skillc(root, ["generate"]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("error[output/edited-by-hand]");
    expect(refused.stderr).toContain(`--> ${path}:1:1`);
    expect(generatedIn(root)[path]).toContain("mine");
    expect((await skillc(root, ["generate", "--force"])).code).toBe(0);
    expect(generatedIn(root)).toEqual(written);
  });

  test("stops at a file of the user in place of a generated one", async () => {
    const root = makeProject({ ...deskFiles, "generated/index.ts": "export const mine = 1;\n" });
    const { code, stderr } = await skillc(root, ["generate"]);
    expect(code).toBe(1);
    expect(stderr).toContain("error[output/foreign-file]");
    expect(Object.keys(generatedIn(root))).toEqual(["generated/index.ts"]);
  });

  test("writes nothing through a link", async () => {
    const root = makeProject({
      ...deskFiles,
      "elsewhere/mine.txt": "mine",
      "generated/mine.txt": "mine",
    });
    symlinkSync(join(root, "elsewhere"), join(root, "generated/desk"));
    const { code, stderr } = await skillc(root, ["generate"]);
    expect(code).toBe(1);
    expect(stderr).toContain("error[output/place-taken]: a link is here");
    expect(stderr).toContain("--> generated/desk");
    // Not `generatedIn`: newer versions of Node list what is behind the link too.
    expect(readdirSync(join(root, "generated")).toSorted()).toEqual(["desk", "mine.txt"]);
    expect(readdirSync(join(root, "elsewhere"))).toEqual(["mine.txt"]);
  });

  test.each([
    [
      "a folder in the place of a file",
      "generated/desk/get-order.ts/note.txt",
      "generated/desk/get-order.ts",
      "a folder is here instead of a generated file",
    ],
    [
      "a file in the place of a folder",
      "generated/desk",
      "generated/desk",
      "a file is here instead of a generated folder",
    ],
    [
      "a file in the place of the output",
      "generated",
      "generated",
      "a file is here instead of a generated folder",
    ],
  ])("stops at %s, even with --force, and writes nothing", async (_, path, place, told) => {
    const root = makeProject({ ...deskFiles, [path]: "mine" });
    const before = filesIn(root);
    for (const flag of ["--json", "--force", "--check"]) {
      const { code, stdout, stderr } = await skillc(root, ["generate", flag]);
      expect(code).toBe(1);
      expect(stdout + stderr).toContain("output/place-taken");
      expect(stdout + stderr).toContain(told);
      expect(stdout + stderr).toContain(flag === "--json" ? `"file": "${place}"` : `--> ${place}`);
      expect(stderr).not.toMatch(/EISDIR|ENOTDIR|    at /);
    }
    expect(filesIn(root)).toEqual(before);
  });

  test("reports a file in place of .skillc/ as the user's error, not as a bug of skillc", async () => {
    const { code, stderr } = await skillc(makeProject({ ...deskFiles, ".skillc": "" }), [
      "generate",
    ]);
    const told = "error: `.skillc` is a file, but must be a folder";
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(told) });
  });

  test("reports a link in place of the cache, and touches nothing behind it", async () => {
    const root = makeProject({ ...deskFiles, "elsewhere/notes.txt": "mine" });
    mkdirSync(join(root, ".skillc"));
    symlinkSync("../elsewhere", join(root, ".skillc/cache"));
    const { code, stderr } = await skillc(root, ["generate"]);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringContaining("warning[cache/nothing-kept]"),
    });
    expect(readdirSync(join(root, "elsewhere"))).toEqual(["notes.txt"]);
  });

  test("ignores a cache entry with a foreign signature", async () => {
    const root = makeProject(deskFiles);
    await skillc(root, ["generate"]);
    const written = generatedIn(root);
    const cache = join(root, ".skillc/cache");
    for (const name of readdirSync(cache)) {
      const entry = readFileSync(join(cache, name), "utf8");
      const content = entry.slice(entry.indexOf("\n") + 1).replaceAll("import", "evil(); import");
      const hash = createHash("sha256").update(content).digest("hex");
      writeFileSync(join(cache, name), `skillc cache 1 ${hash}\n${content}`);
    }
    rmSync(join(root, "generated"), { recursive: true });
    expect(await skillc(root, ["generate"])).toMatchObject({ code: 0 });
    expect(generatedIn(root)).toEqual(written);
  });

  test("compiles everything itself with --check", async () => {
    const root = makeProject(deskFiles);
    await skillc(root, ["generate"]);
    const { stdout } = await skillc(root, ["generate", "--check", "--json", "--timings"]);
    const { timings }: { timings: { stages: readonly { stage: string }[] } } = JSON.parse(stdout);
    expect(timings.stages.map(({ stage }) => stage)).toEqual(
      expect.arrayContaining(["format", "types"]),
    );
  });

  test("covers the whole run with --timings, as a table and as JSON", async () => {
    const root = makeProject(deskFiles);
    const { stdout } = await skillc(root, ["generate", "--timings"]);
    const rows = [...stdout.matchAll(/^ {2}(\w+) +(-?\d+) ms$/gm)].map(([, stage, ms]) => ({
      stage,
      ms: Number(ms),
    }));
    expect(rows.map((row) => row.stage)).toEqual(
      "start read output settings cache parse resolve analyze check lower emit format verify print link types compare write other total".split(
        " ",
      ),
    );
    expect(sumOf(rows.slice(0, -1))).toBe(rows.at(-1)?.ms);
    expect(rows.every((row) => row.ms >= 0)).toBe(true);

    for (const more of [[], ["--check"]]) {
      const ran = await skillc(root, ["generate", "--timings", "--json", ...more]);
      const { diagnostics, timings } = JSON.parse(ran.stdout);
      expect(diagnostics).toEqual([]);
      expect(timings.stages).toContainEqual({ stage: "read", ms: expect.any(Number) });
      expect(sumOf(timings.stages)).toBe(timings.total);
    }
  });

  test("works from a folder inside the project, and with --cwd before or after the command", async () => {
    const root = makeProject({
      ...deskFiles,
      "skillc.yaml": "out: src/generated\n",
      "deep/er/x": "",
    });
    expect((await skillc(join(root, "deep/er"), ["generate"])).code).toBe(0);
    expect(Object.keys(filesIn(root))).toContain("src/generated/desk/get-order.ts");
    expect((await skillc("/", ["--cwd", root, "generate", "--check"])).code).toBe(0);
    expect((await skillc(root, ["generate", "--check", "--cwd", "deep"])).code).toBe(0);
  });

  test("runs twice in turn if two start at once", async () => {
    const root = makeProject(deskFiles);
    const both = await Promise.all([skillc(root, ["generate"]), skillc(root, ["generate"])]);
    expect(both.map((each) => each.code)).toEqual([0, 0]);
    expect((await skillc(root, ["generate", "--check"])).code).toBe(0);
  });

  test("compiles the files on disk after it waited for another run", async () => {
    const root = makeProject(deskFiles);
    const lock = join(root, ".skillc/generate.lock");
    mkdirSync(join(root, ".skillc"));
    writeFileSync(lock, JSON.stringify({ pid: process.ppid, host: hostname(), id: "other" }));
    let waited = false;
    const { code } = await skillc(root, ["generate"], {
      onOutput(text) {
        if (waited || !text.includes("waiting for another skillc generate")) return;
        waited = true;
        put(root, tools, deskFiles[tools].replace("get-order", "find-order"));
        rmSync(lock);
      },
    });
    expect({ code, waited }).toEqual({ code: 0, waited: true });
    expect(Object.keys(generatedIn(root))).toContain("generated/desk/find-order.ts");
  });

  test("names the place of a write that fails, and leaves the output unchanged", async () => {
    const path = "generated/.skillc-staging/notes.txt";
    const root = makeProject({ ...deskFiles, [path]: "mine" });
    const { code, stderr } = await skillc(root, ["generate"]);
    expect(code).toBe(1);
    expect(stderr).toContain(
      "`generated/.skillc-staging` can't be written: it contains `notes.txt`",
    );
    expect(stderr).toContain("`generated/` is unchanged");
    expect(Object.keys(generatedIn(root))).toEqual([path]);
  });

  test("formats with the user's own prettier settings", async () => {
    const root = makeProject({ ...deskFiles, ".prettierrc": "singleQuote: true\nsemi: false\n" });
    await skillc(root, ["generate"]);
    expect(generatedIn(root)["generated/desk/get-order.ts"]).toMatch(
      / from '@skillc\/runtime\/v1'\n/,
    );
    put(root, ".prettierrc", "{ broken");
    const { code, stderr } = await skillc(root, ["generate"]);
    expect(code).toBe(1);
    expect(stderr).toContain("prettier's settings can't be read");
  });
});

test("leaves nothing to change for prettier with all of the user's settings", async () => {
  const root = makeProject({
    ...deskFiles,
    ".editorconfig":
      "root = true\n[*]\nend_of_line = crlf\nindent_size = 8\n[*.json]\nindent_size = 4\n",
    ".prettierrc": JSON.stringify({
      semi: false,
      plugins: ["prettier-plugin-that-is-not-installed"],
      insertPragma: true,
      overrides: [{ files: "*.json", options: { printWidth: 40 } }],
    }),
  });
  expect((await skillc(root, ["generate"])).code).toBe(0);
  for (const path of Object.keys(generatedIn(root))) {
    const text = readFileSync(join(root, path), "utf8");
    const options = await prettier.resolveConfig(join(root, path), { editorconfig: true });
    const style = { ...options, plugins: [], insertPragma: false, filepath: path };
    expect({ path, fits: await prettier.check(text, style) }).toEqual({ path, fits: true });
    expect(text).toMatch(/^(?:[^\r\n]*\r\n)+$/);
  }
  expect((await skillc(root, ["generate", "--check"])).code).toBe(0);
  expect((await skillc(root, ["generate"])).stderr).toBe("");
});

describe("generate --check", () => {
  test("writes nothing and lists the changes", async () => {
    const root = makeProject(deskFiles);
    const missing = await skillc(root, ["generate", "--check"]);
    expect(missing.code).toBe(1);
    expect(missing.stdout).toContain("  + generated/desk/get-order.ts\n");
    expect(missing.stderr).toContain("generated files are out of date");
    expect(Object.keys(filesIn(root))).toEqual(Object.keys(deskFiles));
    expect(statSync(join(root, ".skillc"), { throwIfNoEntry: false })).toBeUndefined();

    await skillc(root, ["generate"]);
    const fine = await skillc(root, ["generate", "--check"]);
    expect(fine).toMatchObject({
      code: 0,
      stdout: "✓ 1 skill, 1 tool: generated/ is up to date\n",
      stderr: "",
    });

    put(root, tools, deskFiles[tools].replace("get-order", "find-order"));
    const drifted = await skillc(root, ["generate", "--check"]);
    expect(drifted.code).toBe(1);
    expect(drifted.stdout).toContain("  - generated/desk/get-order.ts\n");
    expect(drifted.stdout).toContain("  + generated/desk/find-order.ts\n");
    expect(drifted.stdout).toContain("  ~ generated/catalog.ts\n");
  });

  test("reports each change as a diagnostic with --json", async () => {
    const root = makeProject(deskFiles);
    const { code, stdout } = await skillc(root, ["generate", "--check", "--json"]);
    expect(code).toBe(1);
    expect(JSON.parse(stdout).diagnostics).toContainEqual(
      expect.objectContaining({
        code: "output/out-of-date",
        severity: "error",
        file: "generated/desk/get-order.ts",
        line: 1,
        column: 1,
      }),
    );
  });
});

describe("generate --check of a file that `generate` would refuse to replace", () => {
  test("reports an edit by hand, and does not suggest `skillc generate`", async () => {
    const root = makeProject(deskFiles);
    await skillc(root, ["generate"]);
    const path = "generated/desk/get-order.ts";
    put(root, path, `${generatedIn(root)[path]}\nexport const mine = 1;\n`);
    const { code, stdout, stderr } = await skillc(root, ["generate", "--check"]);
    expect(code).toBe(1);
    expect(stderr).toContain("error[output/edited-by-hand]");
    expect(stderr).toContain(`--> ${path}:1:1`);
    expect(stderr).not.toContain("help: run `skillc generate`");
    expect(stdout).toBe(`  ~ ${path}\n`);

    const json = await skillc(root, ["generate", "--check", "--json"]);
    const found: readonly { code: string; file: string }[] = JSON.parse(json.stdout).diagnostics;
    expect(json.code).toBe(1);
    expect(found.map((each) => `${each.code} ${each.file}`)).toEqual([
      `output/edited-by-hand ${path}`,
    ]);
  });

  test("reports a file of the user too, and still lists the other changes", async () => {
    const root = makeProject({ ...deskFiles, "generated/index.ts": "export const mine = 1;\n" });
    const { stdout, stderr } = await skillc(root, ["generate", "--check"]);
    expect(stderr).toContain("error[output/foreign-file]");
    expect(stderr).toContain("then run `skillc generate`");
    expect(stdout).toContain("  + generated/desk/get-order.ts\n");
  });
});

describe("generate --watch", () => {
  test("generates after each edit, prints errors, goes on, and ends on request", async () => {
    const root = makeProject(deskFiles);
    const stop = new AbortController();
    const edits = [misspelt, deskFiles[tools].replace("get-order", "find-order")];
    let rounds = 0;
    const { code, stdout, stderr } = await skillc(root, ["generate", "--watch"], {
      signal: stop.signal,
      onOutput(text) {
        const ready = text.split("watching for changes").length - 1;
        if (ready === rounds) return;
        rounds = ready;
        const edit = edits.shift();
        if (edit === undefined) stop.abort();
        else put(root, tools, edit);
      },
    });
    expect(code).toBe(0);
    expect(rounds).toBe(3);
    expect(stderr.match(/error\[http\/unknown-parameter\]/g)).toHaveLength(1);
    expect(stdout.match(/✓ 1 skill, 1 tool/g)).toHaveLength(2);
    expect(Object.keys(generatedIn(root))).toContain("generated/desk/find-order.ts");
  });

  test("notices an edit during the first run", async () => {
    const root = makeProject(deskFiles);
    const stop = new AbortController();
    let edited = false;
    await skillc(root, ["generate", "--watch"], {
      signal: stop.signal,
      onOutput(text) {
        // The summary is printed inside the run, when the skills have long been read.
        if (!edited && text.includes("✓")) {
          edited = true;
          put(root, tools, deskFiles[tools].replace("get-order", "find-order"));
        }
        if (text.split("watching for changes").length === 3) stop.abort();
      },
    });
    expect(Object.keys(generatedIn(root))).toContain("generated/desk/find-order.ts");
  });

  test("prints that it finishes the run first if it has to end during a run", async () => {
    const root = makeProject(deskFiles);
    const stop = new AbortController();
    const { code, stdout, stderr } = await skillc(root, ["generate", "--watch"], {
      signal: stop.signal,
      onOutput(text) {
        if (text.includes("✓")) stop.abort();
      },
    });
    expect([code, stderr]).toEqual([
      0,
      "skillc ends after this run; press Ctrl-C again to end at once\n",
    ]);
    expect(stdout).not.toContain("watching for changes");
  });

  test("starts no run for its own output, even if the module of a kind lies beside it", async () => {
    const root = makeProject({
      ...echoProject,
      "skillc.yaml": "bindings:\n  echo: ./index.ts\n",
      "index.ts": 'export { default } from "./kinds/echo/index.js";\n',
    });
    const stop = new AbortController();
    let rounds = 0;
    await skillc(root, ["generate", "--watch"], {
      signal: stop.signal,
      onOutput(text) {
        const ready = text.split("watching for changes").length - 1;
        if (ready === rounds) return;
        rounds = ready;
        // Time for a run that nothing should start.
        if (ready === 1) put(root, "kinds/echo/title.ts", 'export const title = "repeat";\n');
        if (ready === 2) setTimeout(() => stop.abort(), 1000);
      },
    });
    expect(rounds).toBe(2);
  });

  test("follows skillc.yaml to another folder of skills", async () => {
    const root = makeProject({ ...deskFiles, "more/readme.txt": "" });
    const stop = new AbortController();
    const edits = [
      () => put(root, "skillc.yaml", "skills: more\n"),
      () => put(root, "more/clerk/SKILL.md", "---\nname: clerk\ndescription: Helps.\n---\nHelp.\n"),
      () => stop.abort(),
    ];
    let rounds = 0;
    const { stdout } = await skillc(root, ["generate", "--watch"], {
      signal: stop.signal,
      onOutput(text) {
        const ready = text.split("watching for changes").length - 1;
        if (ready === rounds) return;
        rounds = ready;
        edits[ready - 1]?.();
      },
    });
    expect(stdout).toContain("✓ 1 skill, 0 tools");
  });
});
