import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { createMemoryLedger } from "../../../../../src/runtime/ledger/memory-store.js";
import { restoreBackup } from "../../../../../src/runtime/rollback/backups/restore-backup.js";
import { absenceOf, describeUnless } from "../../../../support/service.js";
import { projectWith } from "../support.js";
import { overlays } from "./support.js";

/** A tool that runs a shell script over the folder `work`. */
function toolWith(script: string, options: Parameters<typeof projectWith>[1] = {}) {
  const project = projectWith(
    {
      argv: () => ["sh", "-c", script],
      cwd: "work",
      write: ["work"],
      effect: "write",
      exitCodes: { "4": "nothing_found" },
    },
    { rollback: { strategy: "effects" }, ...options },
  );
  project.put("work/a", "1");
  project.put("work/d/b", "1");
  const read = (path: string) => readFileSync(join(project.directory, path), "utf8");
  const left = () => readdirSync(join(project.directory, ".skillc/layers"));
  return { ...project, left, read };
}

const change = "echo 2 > a; rm -r d; mkdir -p x/y; echo 3 > x/y/z";

describeUnless(await absenceOf(overlays), "calls with the strategy effects", () => {
  test("a success applies the effects", async () => {
    const { call, directory, left, read } = toolWith(`${change}; echo done`);
    expect(await call()).toEqual({ status: "success", data: "done\n" });
    expect(read("work/a") + read("work/x/y/z")).toBe("2\n3\n");
    expect(existsSync(join(directory, "work/d"))).toBe(false);
    expect(left()).toEqual([]);
  });

  test.each([
    ["an unnamed exit code", "exit 3", { code: "PROVIDER.UNAVAILABLE" }],
    ["a signal", "kill -9 $$", { code: "PROVIDER.UNAVAILABLE" }],
    ["a pipe among the effects", "mkfifo p", { message: expect.stringContaining("is a pipe") }],
    ["output that nobody can read", "printf '\\377'", { code: "PROVIDER.PROTOCOL" }],
  ])("%s applies nothing", async (_name, end, error) => {
    const { errorOf, left, read } = toolWith(`${change}; ${end}`);
    expect(await errorOf()).toMatchObject({ outcome: "not-done", ...error });
    expect(read("work/a") + read("work/d/b")).toBe("11");
    expect(left()).toEqual([]);
  });

  test("a named exit code that is no success applies nothing", async () => {
    const { call, left, read } = toolWith(`${change}; exit 4`);
    expect(await call()).toMatchObject({ status: "nothing_found" });
    expect(read("work/a") + read("work/d/b")).toBe("11");
    expect(left()).toEqual([]);
  });

  test("a time-out applies nothing", async () => {
    const { errorOf, left, read } = toolWith(`${change}; sleep 60`, { timeoutMs: 1500 });
    expect(await errorOf()).toMatchObject({ code: "PROVIDER.TIMEOUT", outcome: "not-done" });
    expect(read("work/a")).toBe("1");
    await expect.poll(left, { timeout: 20_000 }).toEqual([]);
  });

  test("a caller that aborts applies nothing", async () => {
    const { errorOf, left, put, read } = toolWith(
      `${change}; echo > ../signals/ready; until [ -e ../signals/go ]; do sleep 0.01; done`,
    );
    put("signals/here", "");
    const aborting = new AbortController();
    const failed = errorOf({}, { signal: aborting.signal });
    await expect.poll(left, { timeout: 20_000 }).toHaveLength(2);
    aborting.abort();
    expect(await failed).toMatchObject({ outcome: "not-done" });
    expect(read("work/a")).toBe("1");
    await expect.poll(left, { timeout: 20_000 }).toEqual([]);
  });

  test.each([
    ["one large file", "head -c 300000000 /dev/zero > x"],
    ["many files", "for i in 1 2 3; do head -c 100000000 /dev/zero > x$i; done; sleep 60"],
    ["a sparse file", "truncate -s 300G x"],
  ])("%s exceeds the layer, and applies nothing", async (_name, script) => {
    const { directory, errorOf, left } = toolWith(script);
    expect(await errorOf()).toMatchObject({ outcome: "not-done" });
    expect(readdirSync(join(directory, "work"))).toEqual(["a", "d"]);
    expect(left()).toEqual([]);
  });

  test("a file that the process only reads is neither copied nor touched", async () => {
    const { call, directory } = toolWith("head -c 10 large > small; wc -c < large");
    const large = join(directory, "work/large");
    writeFileSync(large, "");
    // A sparse file: a copy of it would exceed the layer.
    truncateSync(large, 1024 ** 3);
    const before = statSync(large, { bigint: true });
    expect(await call()).toMatchObject({ data: `${1024 ** 3}\n` });
    const after = statSync(large, { bigint: true });
    expect([after.ino, after.ctimeNs, after.blocks]).toEqual([
      before.ino,
      before.ctimeNs,
      before.blocks,
    ]);
  });

  test("a process that may change the project's folder changes neither its records nor .env", async () => {
    const { call, directory, errorOf, put } = projectWith(
      {
        argv: (p) => ["sh", "-c", p["create"] === true ? "echo > .env" : "echo 2 > a; ls -A"],
        write: ["."],
        effect: "write",
      },
      { rollback: { strategy: "effects" } },
    );
    put("a", "1");
    expect(await errorOf({ create: true })).toMatchObject({
      outcome: "not-done",
      message: expect.stringContaining("belongs to the project itself"),
    });
    expect(existsSync(join(directory, ".env"))).toBe(false);
    put(".env", "TOKEN=1");
    expect(await call()).toMatchObject({ data: expect.stringContaining(".env") });
    expect(readFileSync(join(directory, "a"), "utf8")).toBe("2\n");
    expect(readFileSync(join(directory, ".env"), "utf8")).toBe("TOKEN=1");
  });

  test("a process does not create a file to which the link .env leads", async () => {
    const { directory, errorOf, put } = toolWith("echo HUB=evil > own.env");
    put("work/b", "1");
    symlinkSync("work/own.env", join(directory, ".env"));
    expect((await errorOf()).message).toContain("belongs to the project itself");
    expect(existsSync(join(directory, "work/own.env"))).toBe(false);
  });

  test("allowed folders inside one another are applied together", async () => {
    const { call, directory, put } = projectWith(
      {
        argv: () => [
          "sh",
          "-c",
          "echo 2 > a; echo 2 > in/a; echo x > only/a || echo 2 > only/out/a",
        ],
        cwd: "work",
        write: ["work", "work/in", "work/only/out", "work"],
        read: ["work/only"],
        effect: "write",
      },
      { rollback: { strategy: "effects" } },
    );
    for (const each of ["work/a", "work/in/a", "work/only/a", "work/only/out/a"]) put(each, "1");
    await call();
    const read = (path: string) => readFileSync(join(directory, "work", path), "utf8");
    expect(["a", "in/a", "only/a", "only/out/a"].map(read)).toEqual(["2\n", "2\n", "1", "2\n"]);
  });

  test("equal calls at the same time each apply their own effects, or report the conflict", async () => {
    const { call, left, read } = toolWith("echo x >> a; echo ok");
    const made = await Promise.allSettled([call(), call(), call()]);
    const successes = made.filter(({ status }) => status === "fulfilled").length;
    expect(read("work/a")).toBe(`1${"x\n".repeat(successes)}`);
    expect(successes).toBeGreaterThan(0);
    expect(left()).toEqual([]);
  });

  test("the next call removes the layers of a process that was killed", async () => {
    const { call, left, put } = toolWith("true");
    const dead = randomUUID();
    put(`.skillc/layers/${dead}/0/upper/file`, "");
    const lock = { pid: 0x7fffffff, host: hostname(), thread: 0, id: "x" };
    put(`.skillc/layers/${dead}.lock`, JSON.stringify(lock));
    await call();
    expect(left()).toEqual([]);
  });

  test.each([
    ["`null` in place of a description", `${randomUUID()}/kept.json`, "null"],
    [
      "a folder in place of a lock's draft",
      `${randomUUID()}.lock.2147483647.${randomUUID()}/a`,
      "",
    ],
  ])("%s from somebody's repository stops no call", async (_, name, text) => {
    const { call, left, put } = toolWith("true");
    put(`.skillc/layers/${name}`, text);
    await call();
    expect(left()).toEqual([]);
  });

  test("copies of the folders are the way back on a machine without overlays", async () => {
    const ledger = createMemoryLedger();
    const { call, directory, read } = toolWith(change, { ledger });
    const programs = mkdtempSync(join(tmpdir(), "skillc-programs-"));
    for (const each of ["bwrap", "prlimit", "sh", "mkdir", "rm"])
      symlinkSync(execFileSync("which", [each]).toString().trim(), join(programs, each));
    vi.stubEnv("PATH", programs);
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(await call()).toMatchObject({ status: "success" });
    expect(read("work/a")).toBe("2\n");
    expect(ledger.records.at(-1)).toMatchObject({ rollback: { strategy: "backup" } });
    const id = ledger.records[0]?.id ?? "";
    const undone = await restoreBackup({ directory, call: id, by: randomUUID() });
    expect(undone.status).toBe("restored");
    expect(read("work/a") + read("work/d/b")).toBe("11");
  });
});
