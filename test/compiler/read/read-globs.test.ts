import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readGlobs } from "../../../src/compiler/read/read-globs.js";
import { readDiagnosticEntries } from "../../../src/compiler/read/diagnostics.js";
import { createReport } from "../../../src/core/report.js";

/** A project beside a folder with something that nobody may see. */
function setUp(): string {
  const folder = mkdtempSync(join(tmpdir(), "skillc-globs-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, "project/db/real"), { recursive: true });
  writeFileSync(join(folder, "secret.sql"), "SECRET");
  writeFileSync(join(folder, "project/.env"), "SECRET");
  writeFileSync(join(folder, "project/db/real/a.sql"), "a");
  return join(folder, "project");
}

async function read(root: string, ...patterns: readonly string[]) {
  const report = createReport(readDiagnosticEntries);
  const { files, unread } = await readGlobs(root, patterns, report);
  const found = report.diagnostics();
  expect(JSON.stringify([found, [...files.values()]])).not.toContain("SECRET");
  return {
    paths: [...files.keys()],
    unread: [...unread.keys()],
    told: found.map(({ code, message }) => `${code} ${message}`),
  };
}

test.each([
  "../secret.sql",
  "../*.sql",
  "db/../../secret.sql",
  "{..,db}/*.sql",
  "/etc/*",
  "{/etc,db}/*",
  "!/etc/passwd",
])("no pattern leads out of the project: %s", async (pattern) => {
  expect(await read(setUp(), pattern)).toEqual({
    paths: [],
    unread: [pattern],
    told: [`read/not-in-project \`${pattern}\` leads out of the project`],
  });
});

test.each([String.raw`\.\./secret.sql`, String.raw`db/\.\./\.\./secret.sql`])(
  "no pattern leads out of the project by escaped dots: %s",
  async (pattern) => {
    const { paths, told } = await read(setUp(), pattern);
    expect({ paths, told: told.map((each) => each.replace(/`.*`/, "…")) }).toEqual({
      paths: [],
      told: ["read/not-in-project … leads out of the project"],
    });
  },
);

test.each([String.raw`db/\up/secret.sql`, String.raw`db/\[x\]/secret.sql`])(
  "a link that a pattern names with an escape is not followed: %s",
  async (pattern) => {
    const root = setUp();
    for (const name of ["up", "[x]"]) symlinkSync("../..", join(root, "db", name));
    const { paths, told } = await read(root, pattern);
    expect(paths).toEqual([]);
    expect(told).toEqual([expect.stringMatching(/is a link, which skillc does not follow$/)]);
  },
);

test.each(["../../secret.sql", "../.env", "real/a.sql", "nowhere.sql"])(
  "a link is not followed, wherever it leads: %s",
  async (target) => {
    const root = setUp();
    symlinkSync(target, join(root, "db/link.sql"));
    for (const pattern of ["db/link.sql", "./db/link.sql"])
      expect((await read(root, pattern)).told).toEqual([
        "read/not-in-project `db/link.sql` is a link, which skillc does not follow",
      ]);
    expect(await read(root, "db/**/*.sql")).toMatchObject({ paths: ["db/real/a.sql"], told: [] });
  },
);

test("a folder that is a link is not followed either", async () => {
  const root = setUp();
  symlinkSync("real", join(root, "db/folder"));
  symlinkSync("/", join(root, "db/root"));
  expect(await read(root, "db/**/*.sql")).toEqual({
    paths: ["db/real/a.sql"],
    unread: [],
    told: [],
  });
  for (const pattern of ["db/folder/a.sql", "db/folder/*.sql"])
    expect((await read(root, pattern)).told).toEqual([
      "read/not-in-project `db/folder` is a link, which skillc does not follow",
    ]);
});

test("a pipe is no file, and is not waited for", async () => {
  const root = setUp();
  execFileSync("mkfifo", [join(root, "db/pipe.sql")]);
  expect(await read(root, "db/*.sql")).toEqual({ paths: [], unread: [], told: [] });
});

test("a path that names no file has a file of nearly that name in its folder, if there is one", async () => {
  const root = setUp();
  writeFileSync(join(root, "db/schema.sql"), "a");
  const near = async (...paths: readonly string[]) => [
    ...(await readGlobs(root, paths, createReport(readDiagnosticEntries))).near,
  ];
  expect(await near("db/shema.sql", "./db/Schema.sql", "db/schema.sql", "db/other.txt")).toEqual([
    ["db/shema.sql", "db/schema.sql"],
    ["./db/Schema.sql", "db/schema.sql"],
  ]);
  expect(await near("db/*.sq", "database/schema.sql", "../secrt.sql")).toEqual([]);
});
