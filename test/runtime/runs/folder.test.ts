/** Runs in a folder: the promises of every store, and what files and file systems add. */
import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { folderRuns } from "../../../src/runtime/runs/index.js";
import { createRuntime } from "../../../src/runtime/runtime.js";
import { digestOfRun } from "../../../src/runtime/runs/sealed-run.js";
import { temporaryDirectory } from "../ledger/fixtures.js";
import { folderPlace, testKey } from "./places.js";
import { settlePromises } from "./settle-promises.js";
import {
  beginning,
  events,
  held,
  holdPromises,
  keep,
  listed,
  withoutTimes,
} from "./store-promises.js";

describe("runs in a folder", () => {
  holdPromises(folderPlace);
});

describe("settling steps of runs in a folder", () => {
  settlePromises(folderPlace);
});

const run = { id: "one" };

describe("files of runs", () => {
  test("only their owner may read the files of runs", async () => {
    const place = folderPlace();
    await keep(place.open(), run);
    const modes = [
      "",
      digestOfRun(run),
      `${digestOfRun(run)}/beginning`,
      `${digestOfRun(run)}/events`,
    ].map((name) => (statSync(join(place.directory, name)).mode & 0o777).toString(8));
    expect(modes).toEqual(["700", "700", "600", "600"]);
    expect(readdirSync(place.directory)).toEqual([digestOfRun(run)]);
  });

  test("runs are kept below the runtime's folder, unless the application names another one", async () => {
    const [project, named] = [temporaryDirectory(), temporaryDirectory()];
    const store = folderRuns({ key: testKey.toString("base64") });
    const below = store.inDirectory?.(project);
    if (below === undefined) throw new Error("not below a folder");
    await keep(below, run);
    expect(existsSync(join(project, ".skillc/runs", digestOfRun(run), "events"))).toBe(true);
    const runtime = createRuntime({ runs: store, directory: project, ledger: false });
    expect(await runtime.runs?.read(run)).toMatchObject({ run });
    const own = folderRuns({ directory: named, key: testKey });
    expect(own.inDirectory).toBeUndefined();
    await keep(own, run);
    expect(readdirSync(named)).toEqual([digestOfRun(run)]);
  });

  test("reading a store that does not exist makes no folder", async () => {
    const place = folderPlace();
    const store = place.open();
    expect(await store.read(run)).toBeUndefined();
    expect(await store.hold(run)).toBeUndefined();
    expect(await listed(store.list())).toEqual([]);
    expect(await store.prune(new Date(0))).toBe(0);
    expect(existsSync(place.directory)).toBe(false);
  });

  test("a missing key is refused by its name", () => {
    expect(() => folderRuns({ key: process.env["SKILLC_NO_SUCH_KEY"] })).toThrow(
      "`key` of `folderRuns` is missing",
    );
  });
});

describe("a crash", () => {
  test.each(["x", "AAAA\t{", `${"A".repeat(100_000)}`, "\0\0\0\n", "AA\0\0A\n"])(
    "a torn last line is cut off after a crash (%j)",
    async (rest) => {
      const place = folderPlace();
      const store = place.open();
      await keep(store, run);
      const whole = readFileSync(place.eventsOf(run));
      appendFileSync(place.eventsOf(run), rest);
      expect(withoutTimes((await store.read(run))?.events)).toEqual(withoutTimes(events));
      expect(await listed(store.list())).toMatchObject([{ run }]);
      const one = await held(store, run);
      expect(one.events).toHaveLength(4);
      expect(readFileSync(place.eventsOf(run))).toEqual(whole);
      await one.append({ type: "ended", status: "success" });
      expect((await store.read(run))?.events).toHaveLength(5);
    },
  );

  test.each(["", "x"])("a torn line before the last one is an error (%j)", async (rest) => {
    const place = folderPlace();
    const store = place.open();
    await keep(store, run);
    const lines = readFileSync(place.eventsOf(run), "utf8").split("\n");
    writeFileSync(
      place.eventsOf(run),
      [lines[0], lines[1]?.slice(0, 20), ...lines.slice(2)].join("\n") + rest,
    );
    await expect(store.hold(run)).rejects.toMatchObject({ problem: "changed" });
    await expect(store.read(run)).rejects.toThrow("line 2 of");
  });

  test("a run that was not created completely does not exist, and its files are removed", async () => {
    const place = folderPlace();
    const store = place.open();
    await keep(store, { id: "other" });
    const folder = dirname(place.eventsOf(run));
    mkdirSync(folder);
    writeFileSync(join(folder, "events"), readFileSync(place.eventsOf({ id: "other" })));
    writeFileSync(join(folder, "beginning.tmp"), "half");
    expect(await store.read(run)).toBeUndefined();
    expect(await store.hold(run)).toBeUndefined();
    expect(await listed(store.list())).toHaveLength(1);
    expect(await held(store, run, beginning)).toMatchObject({ isNew: true, events: [] });
    await store.close();
    const next = place.open();
    rmSync(join(folder, "beginning"));
    expect(await next.prune(new Date(0))).toBe(0);
    expect(existsSync(folder)).toBe(false);
  });

  test("a lock that names no process of this machine is left alone, and the error says what to do", async () => {
    const place = folderPlace();
    await keep(place.open(), run);
    const lock = `${dirname(place.eventsOf(run))}.lock`;
    writeFileSync(lock, "somebody else's");
    await expect(place.open().hold(run)).rejects.toMatchObject({
      name: "RunHeld",
      message: expect.stringContaining("names no process"),
      help: `remove \`${lock}\` if no process uses the run`,
    });
    writeFileSync(lock, JSON.stringify({ pid: 1, host: "far", thread: 0, id: "x" }));
    await expect(place.open().hold(run)).rejects.toMatchObject({
      message: 'the run "one" is held by the process 1 on "far"',
      help: `wait until it ends; if that machine or process is gone, remove \`${lock}\``,
    });
    expect(await place.open().prune(new Date(Date.UTC(9999, 0)))).toBe(0);
  });

  test.each(["", "x\n", "AAAA"])("a damaged beginning is no missing run (%j)", async (text) => {
    const place = folderPlace();
    const store = place.open();
    await keep(store, run, [{ type: "ended", status: "success" }]);
    writeFileSync(join(dirname(place.eventsOf(run)), "beginning"), text);
    const refusal = { problem: "changed" };
    await expect(store.hold(run, beginning)).rejects.toMatchObject(refusal);
    await expect(store.read(run)).rejects.toMatchObject(refusal);
    await expect(listed(store.list())).rejects.toMatchObject(refusal);
    expect(await store.prune(new Date(Date.UTC(9999, 0)))).toBe(0);
    expect(existsSync(place.eventsOf(run))).toBe(true);
  });

  test("a run whose file of events is missing is refused", async () => {
    const place = folderPlace();
    await keep(place.open(), run);
    rmSync(place.eventsOf(run));
    await expect(place.open().read(run)).rejects.toMatchObject({ problem: "changed" });
    await expect(place.open().hold(run)).rejects.toMatchObject({ problem: "changed" });
  });
});

describe("a place that can't be used", () => {
  const refusal = (problem: string) => ({
    name: "RunStoreError",
    problem,
    help: expect.any(String),
  });

  test("a file in place of the folder is reported", async () => {
    const directory = join(temporaryDirectory(), "file");
    writeFileSync(directory, "");
    const store = folderRuns({ directory, key: testKey });
    await expect(store.hold(run, beginning)).rejects.toMatchObject(refusal("not-a-folder"));
    await expect(listed(store.list())).rejects.toMatchObject(refusal("not-a-folder"));
    const below = folderRuns({ directory: join(directory, "below"), key: testKey });
    await expect(below.hold(run, beginning)).rejects.toMatchObject(refusal("not-a-folder"));
  });

  test.each([
    [".skillc", "link"],
    [".skillc/runs", "link"],
  ])("a link at %s of the default folder is not followed", async (path, problem) => {
    const [project, elsewhere] = [temporaryDirectory(), temporaryDirectory()];
    mkdirSync(join(project, dirname(path)), { recursive: true });
    symlinkSync(elsewhere, join(project, path));
    const store = folderRuns({ key: testKey }).inDirectory?.(project);
    if (store === undefined) throw new Error("not below a folder");
    await expect(store.hold(run, beginning)).rejects.toMatchObject(refusal(problem));
    await expect(listed(store.list())).rejects.toMatchObject(refusal(problem));
    await expect(store.prune(new Date(0))).rejects.toMatchObject(refusal(problem));
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  test.each(["", "/beginning", "/events", ".lock"])(
    "a link in place of DIGEST%s is not followed",
    async (name) => {
      const place = folderPlace();
      await keep(place.open(), run);
      const path = join(place.directory, `${digestOfRun(run)}${name}`);
      const elsewhere = temporaryDirectory();
      writeFileSync(join(elsewhere, "file"), "");
      rmSync(path, { recursive: true, force: true });
      symlinkSync(name === "" ? elsewhere : join(elsewhere, "file"), path);
      await expect(place.open().hold(run, beginning)).rejects.toMatchObject(refusal("link"));
      expect(readdirSync(elsewhere)).toEqual(["file"]);
      expect(readFileSync(join(elsewhere, "file"), "utf8")).toBe("");
    },
  );

  test.each(["beginning", "events"])(
    "a folder or a pipe in place of %s is reported",
    async (name) => {
      const place = folderPlace();
      await keep(place.open(), run);
      const path = join(dirname(place.eventsOf(run)), name);
      rmSync(path);
      mkdirSync(path);
      await expect(place.open().hold(run)).rejects.toMatchObject(refusal("not-a-file"));
      rmSync(path, { recursive: true });
      expect(spawnSync("mkfifo", [path]).status).toBe(0);
      await expect(place.open().hold(run)).rejects.toMatchObject(refusal("not-a-file"));
      await expect(place.open().read(run)).rejects.toMatchObject(refusal("not-a-file"));
    },
  );

  test("a folder that nobody may write is reported", async () => {
    // Root ignores the modes of folders, and no one makes folders there.
    const directory = process.getuid?.() === 0 ? "/proc/sys/skillc" : readOnlyFolder();
    const store = folderRuns({ directory, key: testKey });
    await expect(store.hold(run, beginning)).rejects.toMatchObject({ name: "RunStoreError" });
  });
});

function readOnlyFolder(): string {
  const directory = mkdtempSync(join(tmpdir(), "skillc-runs-"));
  chmodSync(directory, 0o500);
  onTestFinished(() => {
    chmodSync(directory, 0o700);
    rmSync(directory, { recursive: true });
  });
  return directory;
}
