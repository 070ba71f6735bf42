import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { callsWithCopies, keptProject } from "./kept.js";
import { describeTree } from "./trees.js";

const notes = {
  "notes/a.md": "a",
  "notes/b.md": { text: "b", mode: 0o640, seconds: 1000 },
  "notes/link": { target: "a.md" },
  "notes/deep/c.md": "c",
  "notes/empty": { folder: true, mode: 0o750, seconds: 2000 },
} as const;

const copyOf = (directory: string, call: string): string => {
  const folder = join(directory, ".skillc/backups/calls", call);
  const name = fs.readdirSync(folder).find((each) => /^[0-9a-f]{64}$/.test(each)) ?? "";
  return join(folder, name);
};

describe("restoreBackup", () => {
  test("brings back files, links and folders, and removes new ones", async () => {
    const { at, change, restore } = keptProject(notes);
    const before = describeTree(at("notes"));
    const wayBack = await change("one", ["notes"], () => {
      fs.writeFileSync(at("notes/a.md"), "changed");
      fs.chmodSync(at("notes/b.md"), 0o600);
      fs.rmSync(at("notes/deep"), { recursive: true });
      fs.rmdirSync(at("notes/empty"));
      fs.mkdirSync(at("notes/new/inner"), { recursive: true });
      fs.writeFileSync(at("notes/new/inner/d.md"), "d");
      fs.rmSync(at("notes/link"));
      fs.symlinkSync("b.md", at("notes/link"));
    });
    expect(wayBack).toMatchObject({ strategy: "backup", paths: 7, bytes: 3 });
    const outcome = await restore({ call: "one", by: "two", sha256: sha256In(wayBack) });
    expect(outcome).toMatchObject({
      status: "restored",
      wayBack: { strategy: "backup" },
    });
    expect(outcome.status === "restored" && [...outcome.changes].toSorted(byPath)).toEqual([
      { path: "notes/a.md", change: "restored" },
      { path: "notes/b.md", change: "restored" },
      { path: "notes/deep", change: "created" },
      { path: "notes/deep/c.md", change: "created" },
      { path: "notes/empty", change: "created" },
      { path: "notes/link", change: "restored" },
      { path: "notes/new", change: "removed" },
      { path: "notes/new/inner", change: "removed" },
      { path: "notes/new/inner/d.md", change: "removed" },
    ]);
    expect(describeTree(at("notes"))).toEqual(before);
  });

  test("restores a restore, and refuses to restore a call twice", async () => {
    const { at, change, restore } = keptProject(notes);
    await change("one", ["notes"], () => fs.rmSync(at("notes/deep"), { recursive: true }));
    const changed = describeTree(at("notes"));
    await expect(restore({ call: "one", by: "two" })).resolves.toMatchObject({
      status: "restored",
    });
    const before = describeTree(at("notes"));
    await expect(restore({ call: "one", by: "three" })).resolves.toMatchObject({
      status: "refused",
      reason: "rolled-back",
    });
    await expect(restore({ call: "two", by: "four" })).resolves.toMatchObject({
      status: "restored",
    });
    expect(describeTree(at("notes"))).toEqual(changed);
    await expect(restore({ call: "four", by: "five" })).resolves.toMatchObject({
      status: "restored",
    });
    expect(describeTree(at("notes"))).toEqual(before);
  });

  test("stops at files that somebody has changed since, unless it is forced", async () => {
    const { at, change, restore } = keptProject(notes);
    const before = describeTree(at("notes"));
    await change("one", ["notes"], () => {
      fs.writeFileSync(at("notes/a.md"), "changed");
      fs.mkdirSync(at("notes/new"));
    });
    fs.writeFileSync(at("notes/a.md"), "somebody's work");
    fs.writeFileSync(at("notes/new/mine.md"), "mine");
    const changed = describeTree(at("notes"));
    await expect(restore({ call: "one", by: "two" })).resolves.toEqual({
      status: "conflict",
      differences: [
        { path: "notes/a.md", what: "its content differs" },
        { path: "notes/new/mine.md", what: "it was created" },
      ],
    });
    expect(describeTree(at("notes"))).toEqual(changed);
    expect(callsWithCopies(at("."))).toEqual(["one"]);
    await expect(restore({ call: "one", by: "two", force: true })).resolves.toMatchObject({
      status: "restored",
    });
    expect(describeTree(at("notes"))).toEqual(before);
  });

  test("restores one file of several, and the rest later", async () => {
    const { at, change, restore } = keptProject(notes);
    const before = describeTree(at("notes"));
    await change("one", ["notes"], () => {
      fs.writeFileSync(at("notes/a.md"), "changed");
      fs.writeFileSync(at("notes/deep/c.md"), "changed");
    });
    const part = { call: "one", paths: ["notes/deep/c.md"] };
    await expect(restore({ ...part, by: "two" })).resolves.toMatchObject({
      changes: [{ path: "notes/deep/c.md", change: "restored" }],
    });
    expect(fs.readFileSync(at("notes/a.md"), "utf8")).toBe("changed");
    await expect(restore({ ...part, by: "three" })).resolves.toMatchObject({
      status: "refused",
      reason: "unknown-path",
    });
    await expect(
      restore({ call: "one", by: "three", paths: ["../elsewhere"] }),
    ).resolves.toMatchObject({ reason: "unknown-path" });
    await expect(restore({ call: "one", by: "three" })).resolves.toMatchObject({
      changes: [{ path: "notes/a.md", change: "restored" }],
    });
    expect(describeTree(at("notes"))).toEqual(before);
  });

  test("changes nothing in a dry run", async () => {
    const { at, change, restore } = keptProject(notes);
    await change("one", ["notes/a.md"], () => fs.rmSync(at("notes/a.md")));
    const left = describeTree(at("notes"));
    await expect(restore({ call: "one", by: "two", dryRun: true })).resolves.toEqual({
      status: "restored",
      changes: [{ path: "notes/a.md", change: "created" }],
    });
    expect(describeTree(at("notes"))).toEqual(left);
    expect(callsWithCopies(at("."))).toEqual(["one"]);
  });

  test("refuses an interrupted call, unless it is forced", async () => {
    const { at, change, restore } = keptProject(notes);
    await change("one", ["notes/a.md"], () => fs.writeFileSync(at("notes/a.md"), "changed"));
    fs.rmSync(at(".skillc/backups/calls/one/left.json"));
    await expect(restore({ call: "one", by: "two" })).resolves.toMatchObject({
      status: "conflict",
      differences: [{ path: "notes/a.md" }],
    });
    await restore({ call: "one", by: "two", force: true });
    expect(fs.readFileSync(at("notes/a.md"), "utf8")).toBe("a");
  });
});

describe("copies", () => {
  test("only their owner may read them", async () => {
    const { at, change } = keptProject(notes);
    await change("one", ["notes"], () => {});
    for (const line of describeTree(at(".skillc/backups")))
      expect(line).toMatch(/ 700 \d+ \S+ folder$| 600 /);
  });

  test("equal contents of several calls are shared", async () => {
    const { at, change, directory } = keptProject({ "a.md": "same", "b.md": "same" });
    await change("one", ["a.md", "b.md"], () => {});
    await change("two", ["b.md"], () => {});
    expect(fs.statSync(copyOf(directory, "one")).ino).toBe(
      fs.statSync(copyOf(directory, "two")).ino,
    );
    const [origin = ""] = fs.readdirSync(at(".skillc/backups/objects"));
    expect(fs.readdirSync(at(`.skillc/backups/objects/${origin}`))).toHaveLength(1);
  });

  test.each<[string, (copy: string) => void]>([
    ["edited", (copy) => fs.writeFileSync(copy, "evil")],
    ["removed", (copy) => fs.rmSync(copy)],
  ])("a copy that was %s is not restored", async (_, damage) => {
    const { at, change, directory, restore } = keptProject({ "a.md": "good", "b.md": "b" });
    await change("one", ["a.md"], () => fs.writeFileSync(at("a.md"), "left"));
    damage(copyOf(directory, "one"));
    await expect(restore({ call: "one", by: "two" })).resolves.toMatchObject({
      status: "refused",
      reason: "changed-copies",
    });
    expect(fs.readFileSync(at("a.md"), "utf8")).toBe("left");
    expect(callsWithCopies(directory)).toEqual(["one"]);
  });

  test("an edited copy is not shared with the next call", async () => {
    const { at, change, directory, restore } = keptProject({ "a.md": "good" });
    await change("one", ["a.md"], () => {});
    fs.writeFileSync(copyOf(directory, "one"), "evil");
    await change("two", ["a.md"], () => fs.rmSync(at("a.md")));
    await expect(restore({ call: "two", by: "three" })).resolves.toMatchObject({
      status: "restored",
    });
    expect(fs.readFileSync(at("a.md"), "utf8")).toBe("good");
  });

  test("a content that came with somebody's repository is not shared", async () => {
    const { at, change, restore } = keptProject({ "a.md": "good" });
    const sha256 = createHash("sha256").update("good").digest("hex");
    for (const folder of [".skillc/backups/objects", ".skillc/backups/objects/1-1"]) {
      fs.mkdirSync(at(folder), { recursive: true });
      fs.writeFileSync(at(`${folder}/${sha256}`), "evil");
      fs.utimesSync(at(`${folder}/${sha256}`), 0, 0);
    }
    await change("one", ["a.md"], () => fs.rmSync(at("a.md")));
    await restore({ call: "one", by: "two" });
    expect(fs.readFileSync(at("a.md"), "utf8")).toBe("good");
  });

  test.each<[string, (folder: string) => void]>([
    ["a file with another name", (folder) => fs.writeFileSync(join(folder, "a b.json"), "{}")],
    ["a folder", (folder) => fs.mkdirSync(join(folder, "one.json"))],
    ["a link", (folder) => fs.symlinkSync("/etc/hostname", join(folder, "one.json"))],
    ["text that is no JSON", (folder) => fs.writeFileSync(join(folder, "one.json"), "[[")],
  ])("%s among the journals stops no call", async (_, put) => {
    const { at, change } = keptProject({ "a.md": "good" });
    fs.mkdirSync(at(".skillc/backups/journals"), { recursive: true });
    put(at(".skillc/backups/journals"));
    await expect(change("two", ["a.md"], () => {})).resolves.toMatchObject({ paths: 1 });
  });

  test("a list of copies that was edited is not used", async () => {
    const { at, change, restore } = keptProject({ "a.md": "good" });
    const wayBack = await change("one", ["a.md"], () => fs.rmSync(at("a.md")));
    const path = at(".skillc/backups/calls/one/listing.json");
    fs.writeFileSync(path, fs.readFileSync(path, "utf8").replaceAll("a.md", "b.md"));
    await expect(
      restore({ call: "one", by: "two", sha256: sha256In(wayBack) }),
    ).resolves.toMatchObject({ status: "refused", reason: "changed-copies" });
    for (const text of ["", "{}", "[]", "null", '{"format":1,"roots":["/etc"]}']) {
      fs.writeFileSync(path, text);
      await expect(restore({ call: "one", by: "two" })).resolves.toMatchObject({
        status: "refused",
      });
    }
  });

  test("copies that came with a copy of their folder are not used", async () => {
    const { at, change, directory } = keptProject({ "a.md": "good" });
    await change("one", ["a.md"], () => fs.rmSync(at("a.md")));
    const other = keptProject({});
    fs.cpSync(at(".skillc"), other.at(".skillc"), { recursive: true, preserveTimestamps: true });
    await expect(other.restore({ call: "one", by: "two" })).resolves.toMatchObject({
      status: "refused",
      reason: "changed-copies",
    });
    expect(fs.existsSync(join(directory, "a.md"))).toBe(false);
    // The paths of the copies are those of the other project.
    const forced = await other.restore({ call: "one", by: "two", force: true });
    expect(forced).toMatchObject({ status: "refused", reason: "changed-copies" });
    expect(fs.existsSync(join(directory, "a.md"))).toBe(false);
  });

  test("copies that came back to their folder with another file system are used by force", async () => {
    const { at, change, restore } = keptProject({ "a.md": "good" });
    await change("one", ["a.md"], () => fs.rmSync(at("a.md")));
    fs.cpSync(at(".skillc"), at("copy"), { recursive: true, preserveTimestamps: true });
    fs.rmSync(at(".skillc"), { recursive: true });
    fs.renameSync(at("copy"), at(".skillc"));
    const request = { call: "one", by: "two" };
    await expect(restore(request)).resolves.toMatchObject({ reason: "changed-copies" });
    await expect(restore({ ...request, force: true })).resolves.toMatchObject({
      status: "restored",
    });
    expect(fs.readFileSync(at("a.md"), "utf8")).toBe("good");
  });

  test("credentials and skillc's own folder are never copied", async () => {
    const entries = { ".env": "SECRET=1", ".skillc/ledger/x": "record", "a.md": "a" };
    const { at, change, directory, restore } = keptProject(entries);
    for (const path of [".env", ".skillc/ledger", ".skillc"])
      await expect(change("one", [path], () => {})).rejects.toMatchObject({ problem: "own" });
    await change("one", ["."], () => {
      fs.writeFileSync(at("a.md"), "changed");
      fs.writeFileSync(at(".env"), "SECRET=2");
    });
    const texts = fs.readFileSync(at(".skillc/backups/calls/one/listing.json"), "utf8");
    expect(texts).not.toMatch(/\.env|ledger/);
    await restore({ call: "one", by: "two" });
    expect(fs.readFileSync(at("a.md"), "utf8")).toBe("a");
    expect(fs.readFileSync(join(directory, ".env"), "utf8")).toBe("SECRET=2");
  });

  test("a file of credentials that is not there yet is not kept", async () => {
    const { change } = keptProject({ "a.md": "a" });
    await expect(change("one", [".env"], () => {})).rejects.toMatchObject({ problem: "own" });
  });

  test("a pipe is refused before the call, and removed if the call created it", async () => {
    const { at, change, directory, restore } = keptProject({ "notes/a.md": "a" });
    const before = describeTree(at("notes"));
    await change("one", ["notes"], () => execFileSync("mkfifo", [at("notes/pipe")]));
    await expect(change("two", ["notes"], () => {})).rejects.toMatchObject({
      problem: "special",
      paths: [at("notes/pipe")],
    });
    expect(callsWithCopies(directory)).toEqual(["one"]);
    await expect(restore({ call: "one", by: "three" })).resolves.toMatchObject({
      changes: [{ path: "notes/pipe", change: "removed" }],
    });
    expect(describeTree(at("notes"))).toEqual(before);
    await expect(restore({ call: "three", by: "four" })).resolves.toMatchObject({
      status: "refused",
      reason: "not-possible",
    });
  });

  test("a call that would exceed their limit is not made", async () => {
    const { change, directory } = keptProject({ "a.md": "x".repeat(600), "b.md": "y".repeat(600) });
    await expect(change("one", ["a.md", "b.md"], () => {}, 1000)).rejects.toMatchObject({
      problem: "too-large",
      message: expect.stringContaining("more than 1000 bytes"),
    });
    expect(callsWithCopies(directory)).toEqual([]);
  });

  test("holes of sparse files stay, and files with several names are separated", async () => {
    const { at, change, directory, restore } = keptProject({ "notes/a.md": "a" });
    fs.truncateSync(at("notes/a.md"), 64 * 1024 * 1024);
    fs.linkSync(at("notes/a.md"), at("notes/b.md"));
    await change("one", ["notes"], () => fs.rmSync(at("notes"), { recursive: true }));
    expect(fs.statSync(copyOf(directory, "one")).blocks).toBeLessThan(2048);
    await expect(restore({ call: "one", by: "two" })).resolves.toMatchObject({ separated: 2 });
    const restored = fs.statSync(at("notes/a.md"));
    expect(restored).toMatchObject({ size: 64 * 1024 * 1024, nlink: 1 });
    expect(restored.blocks).toBeLessThan(2048);
  });
});

test("nothing is restored through a folder that became a link", async () => {
  const { at, change, restore } = keptProject({ "notes/deep/a.md": "a", "other/a.md": "other" });
  await change("one", ["notes/deep/a.md"], () => fs.writeFileSync(at("notes/deep/a.md"), "b"));
  fs.rmSync(at("notes/deep"), { recursive: true });
  fs.symlinkSync(at("other"), at("notes/deep"));
  for (const force of [false, true])
    await expect(restore({ call: "one", by: "two", force })).resolves.toMatchObject({
      status: "refused",
      reason: "not-possible",
    });
  expect(fs.readFileSync(at("other/a.md"), "utf8")).toBe("other");
});

test("a folder that the call created is removed with it", async () => {
  const { at, change, restore } = keptProject({ "a.md": "a" });
  await change("one", ["new/deep/b.md"], () => {
    fs.mkdirSync(at("new/deep"), { recursive: true });
    fs.writeFileSync(at("new/deep/b.md"), "b");
  });
  await restore({ call: "one", by: "two" });
  expect(fs.existsSync(at("new"))).toBe(false);
});

function sha256In(wayBack: object | undefined): string {
  return String(wayBack !== undefined && "sha256" in wayBack && wayBack.sha256);
}

function byPath(one: { readonly path: string }, other: { readonly path: string }): number {
  return one.path < other.path ? -1 : 1;
}
