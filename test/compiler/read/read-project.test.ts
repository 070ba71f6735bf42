import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readDiagnosticEntries } from "../../../src/compiler/read/diagnostics.js";
import { findProjectRoot } from "../../../src/compiler/read/find-root.js";
import { readProject } from "../../../src/compiler/read-project.js";
import { createReport } from "../../../src/core/report.js";

const skill = "---\nname: a\n---\n";
let root = "";

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "skillc-read-"));
});

afterEach(() => {
  rmSync(root, { recursive: true });
});

function write(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}

async function read(skills?: string) {
  const report = createReport(readDiagnosticEntries);
  const project = await readProject(root, report, skills);
  const found = report.diagnostics();
  return {
    project,
    found,
    paths: [...project.files.keys()],
    codes: found.map((each) => `${each.code} ${each.span.file}`),
  };
}

describe("readProject", () => {
  it("reads skillc.yaml and all files of skills, sorted by path", async () => {
    write("skillc.yaml", "skills: skills\n");
    for (const name of [
      "b/SKILL.md",
      "a/skill.md",
      "a/metadata.json",
      "a/schemas/x.json",
      "a/x.avsc",
      "a/x.proto",
      "a/q.sql",
      "a/x.yml",
      "a/run.py",
      "shared.yaml",
      "group/c/SKILL.md",
    ]) {
      write(`skills/${name}`, `text of ${name}`);
    }
    for (const name of ["a/README.md", ".git/x.json", "node_modules/p/SKILL.md", "a/.hidden.json"])
      write(`skills/${name}`, "no");
    write("other/d/SKILL.md", skill);
    const { project, paths, codes } = await read();
    expect(codes).toEqual([]);
    expect(project.configFile).toEqual({
      path: "skillc.yaml",
      hidden: [],
      text: "skills: skills\n",
    });
    expect(paths).toEqual([
      "skills/a/metadata.json",
      "skills/a/q.sql",
      "skills/a/run.py",
      "skills/a/schemas/x.json",
      "skills/a/skill.md",
      "skills/a/x.avsc",
      "skills/a/x.proto",
      "skills/a/x.yml",
      "skills/b/SKILL.md",
      "skills/group/c/SKILL.md",
      "skills/shared.yaml",
    ]);
    expect(project.files.get("skills/b/SKILL.md")).toEqual({
      path: "skills/b/SKILL.md",
      text: "text of b/SKILL.md",
    });
  });

  it("reads the folder that skillc.yaml or an option names", async () => {
    write("skillc.yaml", "skills: agent/skills/\n");
    write("agent/skills/a/SKILL.md", skill);
    write("b/SKILL.md", skill);
    expect((await read()).paths).toEqual(["agent/skills/a/SKILL.md"]);
    expect((await read("b/..")).paths).toContain("b/SKILL.md");
    expect((await read(".")).paths).toEqual([
      "agent/skills/a/SKILL.md",
      "b/SKILL.md",
      "skillc.yaml",
    ]);
  });

  it("keeps line ends and the byte order mark", async () => {
    write("skills/a/SKILL.md", "\ufeff---\r\nname: ä😀\r\n---\r\n");
    const { project } = await read();
    expect(project.files.get("skills/a/SKILL.md")?.text).toBe("\ufeff---\r\nname: ä😀\r\n---\r\n");
  });

  it("points at the setting that names a missing folder", async () => {
    write("skillc.yaml", "skills: skils\n");
    expect((await read()).found).toMatchObject([
      { code: "read/no-skills-folder", span: { file: "skillc.yaml", start: 8, end: 13 } },
    ]);
  });

  it.each([
    ["nothing is there", () => {}],
    ["it is a file", () => write("skills", "x")],
    ["a link takes it out of the project", () => symlinkSync(tmpdir(), join(root, "skills"))],
  ])("reports a missing skills folder if %s", async (_, make) => {
    make();
    expect((await read()).codes[0]).toMatch(/^read\/(?:no-skills-folder|unreadable) skills$/);
  });

  it.each(["skills", "agent/skills"])(
    "reports a link that leads out of the project, and does not follow it: %s",
    async (skills) => {
      write("skillc.yaml", `skills: ${skills}\n`);
      mkdirSync(join(root, "agent"));
      symlinkSync(tmpdir(), join(root, skills));
      expect((await read()).found).toMatchObject([
        {
          code: "read/no-skills-folder",
          message: `\`${skills}\` is a link that leads to no folder in the project, so skillc does not follow it`,
        },
      ]);
    },
  );

  it("names the byte that is not UTF-8", async () => {
    write(
      "skills/a/SKILL.md",
      Buffer.concat([Buffer.from("ä\n"), Buffer.from([0x62, 0xe9, 0x62])]),
    );
    const { found, paths } = await read();
    expect(paths).toEqual([]);
    expect(found).toMatchObject([
      { code: "read/not-utf-8", span: { start: 3 }, message: expect.stringContaining("byte 5 ") },
    ]);
  });

  it("rejects skills that are too large, but accepts large data", async () => {
    write("skills/a/SKILL.md", "x".repeat(2 * 1024 * 1024 + 1));
    write("skills/b/SKILL.md", "x".repeat(2 * 1024 * 1024));
    write("skills/b/assets/data.json", "x".repeat(3 * 1024 * 1024));
    const { codes, paths, project } = await read();
    expect([codes, paths]).toEqual([["read/too-large skills/a/SKILL.md"], ["skills/b/SKILL.md"]]);
    expect(project.unread?.get("skills/b/assets/data.json")?.code).toBe("read/too-large");
  });

  it("ignores folders and pipes, and does not wait for them", async () => {
    write("skills/a/SKILL.md/x.txt", "x");
    mkdirSync(join(root, "skills/b"));
    execFileSync("mkfifo", [join(root, "skills/b/SKILL.md")]);
    expect((await read()).codes).toEqual([
      "read/unreadable skills/a/SKILL.md",
      "read/unreadable skills/b/SKILL.md",
    ]);
  });

  it("follows links to files below the skills folder, and no others", async () => {
    const outside = mkdtempSync(join(tmpdir(), "skillc-outside-"));
    writeFileSync(join(outside, "secret.json"), "{}");
    write("skills/a/SKILL.md", skill);
    write("skills/shared/x.json", "{}");
    symlinkSync("../shared/x.json", join(root, "skills/a/inside.json"));
    symlinkSync(join(outside, "secret.json"), join(root, "skills/a/outside.json"));
    symlinkSync(outside, join(root, "skills/out"));
    symlinkSync("..", join(root, "skills/a/loop"));
    symlinkSync("nowhere.json", join(root, "skills/a/dangling.json"));
    symlinkSync("nowhere.txt", join(root, "skills/a/unimportant.txt"));
    symlinkSync("../../node_modules", join(root, "skills/node_modules"));
    const { codes, paths, project } = await read();
    rmSync(outside, { recursive: true });
    expect([...project.files.values()].map(({ linkTo }) => linkTo)).toEqual([
      undefined,
      "skills/shared/x.json",
      undefined,
    ]);
    expect(paths).toEqual(["skills/a/SKILL.md", "skills/a/inside.json", "skills/shared/x.json"]);
    expect(codes).toEqual([
      "read/link skills/a/dangling.json",
      "read/link skills/a/loop",
      "read/link skills/a/outside.json",
      "read/link skills/out",
    ]);
  });

  it.each([
    "Skill.MD",
    "skil.md",
    "skill.markdown",
    "SKLIL.md",
    "SKILL",
    "SKILL.md.txt",
    "Skills.md",
  ])("recognizes %s as a misnamed SKILL.md", async (name) => {
    write(`skills/a/${name}`, skill);
    expect((await read()).codes).toEqual([`read/misnamed-skill skills/a/${name}`]);
  });

  it("suggests SKILL.md for a similar name, unless a skill may contain that file", async () => {
    write("skills/a/SKILL.md", skill);
    write("skills/a/skull.md", "x");
    write("skills/a/references/still.md", "x");
    write("skills/b/SKILL.md", skill);
    write("skills/b/shell.md", "x");
    expect((await read()).codes).toEqual([]);
    write("skills/c/skull.md", "x");
    expect((await read()).codes).toEqual(["read/misnamed-skill skills/c/skull.md"]);
  });

  it("reports a folder without a skill, unless another finding explains it", async () => {
    mkdirSync(join(root, "skills"));
    expect((await read()).found).toMatchObject([
      { code: "read/no-skills", severity: "warning", span: { file: "skills", start: 0 } },
    ]);
    write("skillc.yaml", "skills: skills\n");
    expect((await read()).found).toMatchObject([
      { code: "read/no-skills", span: { file: "skillc.yaml", start: 8, end: 14 } },
    ]);
    write("skills/SKILL.md", skill);
    expect((await read()).codes).toEqual(["read/no-skill-folder skills/SKILL.md"]);
  });

  it("reads one skill per folder, and none inside another skill or at the top", async () => {
    for (const path of [
      "SKILL.md",
      "a/SKILL.md",
      "a/skill.md",
      "a/assets/t/SKILL.md",
      "b/c/SKILL.md",
    ])
      write(`skills/${path}`, skill);
    const { codes, paths } = await read();
    expect(paths).toEqual(["skills/a/SKILL.md", "skills/b/c/SKILL.md"]);
    expect(codes).toEqual([
      "read/no-skill-folder skills/SKILL.md",
      "read/nested-skill skills/a/assets/t/SKILL.md",
      "read/two-skill-files skills/a/skill.md",
    ]);
  });
});

describe("the metadata file of a skill", () => {
  it("comes from the first of metadata.json, metadata.yaml and metadata.yml, and others cause a warning", async () => {
    write("skills/a/SKILL.md", skill);
    for (const name of ["metadata.yml", "metadata.yaml", "metadata.json"])
      write(`skills/a/${name}`, "{}");
    write("skills/a/assets/metadata.json", "{}");
    write("skills/a/assets/metadata.yaml", "{}");
    const { codes, found, paths } = await read();
    expect(codes).toEqual([
      "read/two-metadata-files skills/a/metadata.yaml",
      "read/two-metadata-files skills/a/metadata.yml",
    ]);
    expect(found[0]?.message).toBe(
      "the folder also has `metadata.json`, and skillc reads that file instead",
    );
    expect(paths).toEqual([
      "skills/a/SKILL.md",
      "skills/a/assets/metadata.json",
      "skills/a/assets/metadata.yaml",
      "skills/a/metadata.json",
    ]);
  });

  it.each(["Metadata.json", "metadta.yaml", "METADATA.YML", "metadata.jsno", "metadata.yaml2"])(
    "may be misnamed as %s, which causes a diagnostic if there is no other",
    async (name) => {
      write("skills/a/SKILL.md", skill);
      write(`skills/a/${name}`, "{}");
      write("skills/a/assets/metdata.json", "{}");
      expect((await read()).codes).toEqual([`read/misnamed-metadata skills/a/${name}`]);
      write("skills/a/metadata.yaml", "{}");
      expect((await read()).codes).toEqual([]);
    },
  );

  it("stays unread while it contains an unresolved merge conflict", async () => {
    write("skills/a/SKILL.md", skill);
    write("skills/a/metadata.yaml", "<<<<<<< HEAD\na: 1\n=======\na: 2\n>>>>>>> other\n");
    expect((await read()).codes).toEqual(["read/merge-conflict skills/a/metadata.yaml"]);
  });
});

describe("findProjectRoot", () => {
  it("returns the nearest folder upwards with a skillc.yaml, else the starting folder", async () => {
    write("skillc.yaml", "");
    write("a/b/x.txt", "");
    write("c/skillc.yaml/x.txt", "");
    expect(await findProjectRoot(join(root, "a/b"))).toBe(root);
    expect(await findProjectRoot(join(root, "c"))).toBe(root);
    write("a/skillc.yaml", "");
    expect(await findProjectRoot(join(root, "a/b"))).toBe(join(root, "a"));
    expect(await findProjectRoot(tmpdir())).toBe(tmpdir());
  });
});
