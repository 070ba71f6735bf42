/** The governance store in a folder: what files, file systems and other processes add. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
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
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { fileName, fileText } from "../../../src/runtime/governance/store/folder/approval-files.js";
import {
  createFolderStore,
  openFolderStore,
} from "../../../src/runtime/governance/store/folder/folder-store.js";
import { loaderArgs } from "../../support/node-loader.js";
import { temporaryDirectory } from "../ledger/fixtures.js";
import { folderRequest } from "./folder-request.js";
import { approvalOf } from "./request-promises.js";

const minute = 60_000;

/** Makes a store in a new folder, whose clock the test moves. */
function place() {
  const directory = join(temporaryDirectory(), "approvals");
  const clock = { ms: 1_700_000_000_000 };
  const now = () => clock.ms;
  const open = () => createFolderStore({ directory, now, monotonic: now });
  const pathOf = (kind: "request" | "approval", id: string) => join(directory, fileName(kind, id));
  return { directory, clock, open, pathOf, store: open() };
}

const request = folderRequest("r");
const approval = approvalOf(request, "a");

function silenceWarnings() {
  const warned = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
  onTestFinished(() => warned.mockRestore());
  return warned;
}

describe("files of a folder store", () => {
  test("only their owner may read the files of requests and approvals", async () => {
    const { directory, pathOf, store } = place();
    await store.saveRequest(request);
    await store.saveApproval(approval);
    const paths = [directory, pathOf("request", "r"), pathOf("approval", "a")];
    const modes = paths.map((path) => (statSync(path).mode & 0o777).toString(8));
    expect(modes).toEqual(["700", "600", "600"]);
    expect(readdirSync(directory)).toHaveLength(2);
  });

  test("reading and deciding what is not there makes no folder", async () => {
    const { directory, store } = place();
    expect(await store.readRequest("r")).toBeUndefined();
    expect(await store.readApproval("a")).toBeUndefined();
    expect(await store.requests({})).toEqual([]);
    expect(await store.denyRequest("r", { by: "joan" })).toBe("none");
    expect(await store.useApproval("a", "c")).toBe("none");
    await store.returnApproval("a", "c");
    expect(existsSync(directory)).toBe(false);
  });

  test("a store without a directory keeps its files below the project's folder", async () => {
    const project = temporaryDirectory();
    await openFolderStore(project).saveRequest(request);
    expect(existsSync(join(project, ".skillc/approvals", fileName("request", "r")))).toBe(true);
  });

  test("names of ids that are no text of their own lead to no other file", async () => {
    const { directory, store } = place();
    for (const id of ["../../x", "\0", "\ud800", "\ud801", ""]) {
      await store.saveRequest(folderRequest(id));
      expect(await store.readRequest(id)).toMatchObject({ id });
    }
    expect(readdirSync(directory)).toHaveLength(5);
  });

  test("keeps approvals over a restart, but no budgets", async () => {
    const { open, store } = place();
    await store.saveRequest(request);
    await store.saveApproval(approval);
    const use = { key: "b", name: "b", limit: 1, amount: 1, needs: 0, isCount: true };
    const uses = [{ ...use, windowMs: minute }];
    await store.take(uses, { callId: "c", ttlMs: 1000 });
    const next = open();
    expect({ kind: next.kind, durable: next.durable }).toEqual({ kind: "folder", durable: false });
    expect(await next.useApproval("a", "c")).toBe("used");
    expect(await next.peek(uses)).toMatchObject({ taken: true });
  });

  test("expired files are removed with later requests, a minute or a day after their end", async () => {
    const { clock, directory, pathOf, store } = place();
    await store.saveRequest(folderRequest("old", 1000));
    await store.saveApproval({ ...approval, ttlMs: 1000 });
    const temporary = `${pathOf("request", "crashed")}.tmp`;
    writeFileSync(temporary, "{");
    clock.ms += 1000 + minute;
    await store.saveRequest(folderRequest("first"));
    expect(existsSync(pathOf("request", "old"))).toBe(true);
    expect(existsSync(temporary)).toBe(false);
    clock.ms += minute;
    await store.saveRequest(folderRequest("second"));
    expect(existsSync(pathOf("request", "old"))).toBe(false);
    expect(await store.readApproval("a")).toMatchObject({ isExpired: true });
    clock.ms += 24 * 60 * minute;
    await store.saveRequest(folderRequest("third"));
    expect(readdirSync(directory)).toEqual([fileName("request", "third")]);
  });

  test("a folder with 10,000 requests takes no more until some expire", async () => {
    const { clock, directory, open, pathOf, store } = place();
    await store.saveRequest(request);
    const { ttlMs, ...facts } = folderRequest("");
    for (let at = 1; at < 10_000; at += 1) {
      const times = { at: clock.ms, expiresAt: clock.ms + ttlMs };
      const stored = { ...facts, ...times, id: `${at}`, state: "pending" as const };
      writeFileSync(pathOf("request", `${at}`), fileText("request", stored));
    }
    const full = /holds 10000 requests for approval.*delete files/;
    await expect(store.saveRequest(folderRequest("more"))).rejects.toThrow(full);
    await expect(store.saveApproval(approvalOf(folderRequest("x"), "y"))).rejects.toThrow(full);
    expect(await store.saveRequest(request)).toMatchObject({ isNew: false });
    expect(await store.requests({ limit: 3 })).toHaveLength(3);
    clock.ms += ttlMs + 2 * minute;
    expect(await open().saveRequest(folderRequest("more"))).toMatchObject({ isNew: true });
    expect(readdirSync(directory)).toHaveLength(1);
  });
});

describe("damaged files of a folder store", () => {
  const whole = fileText("request", {
    ...folderRequest("other"),
    state: "pending",
    at: 1,
    expiresAt: 2,
  });
  const changed = (more: object) => {
    const { ttlMs, ...facts } = request;
    const stored = { ...facts, state: "pending", at: 1, expiresAt: 1 + ttlMs, ...more };
    return JSON.stringify({ version: 1, request: stored });
  };

  test.each([
    ["an empty file", ""],
    ["a torn file", whole.slice(0, 100)],
    ["a file of zeros", "\0".repeat(100)],
    ["null", "null"],
    ["a list", "[]"],
    ["a file without a request", '{"version":1}'],
    ["a request with another id", whole],
    ["a state that does not exist", changed({ state: "maybe" })],
    [
      "an approved request without an approval",
      changed({ state: "approved", decision: { by: "x", at: 1 } }),
    ],
    ["a denied request without a decision", changed({ state: "denied" })],
    ["a time that is a text", changed({ expiresAt: "tomorrow" })],
    ["a tenant that is a number", changed({ tenant: 1 })],
    ["details that are a text", changed({ details: "trust me" })],
  ])("%s is reported with its path, and a list leaves it out with a warning", async (_, text) => {
    const warned = silenceWarnings();
    const { pathOf, store } = place();
    await store.saveRequest(folderRequest("good"));
    const path = pathOf("request", "r");
    writeFileSync(path, text);
    const fault = {
      name: "StoreUnavailable",
      message: expect.stringContaining(`\`${path}\` is damaged`),
    };
    await expect(store.readRequest("r")).rejects.toMatchObject(fault);
    await expect(store.saveRequest(request)).rejects.toMatchObject(fault);
    await expect(store.saveApproval(approval)).rejects.toMatchObject(fault);
    await expect(store.denyRequest("r", { by: "joan" })).rejects.toMatchObject(fault);
    for (let times = 0; times < 2; times += 1)
      expect(await store.requests({})).toMatchObject([{ id: "good" }]);
    expect(warned.mock.calls).toEqual([
      [expect.stringContaining(path), { type: "SkillcGovernanceWarning" }],
    ]);
    expect(readFileSync(path, "utf8")).toBe(text);
  });

  test("a damaged approval is reported, and permits nothing", async () => {
    const { pathOf, store } = place();
    await store.saveRequest(request);
    await store.saveApproval(approval);
    writeFileSync(pathOf("approval", "a"), '{"version":1,"approval":{}}');
    await expect(store.readApproval("a")).rejects.toThrow("is damaged");
    await expect(store.useApproval("a", "c")).rejects.toThrow("is damaged");
  });

  test("a file of a later version is reported as such", async () => {
    const { pathOf, store } = place();
    await store.saveRequest(folderRequest("good"));
    writeFileSync(pathOf("request", "r"), '{"version":2,"request":{}}');
    await expect(store.readRequest("r")).rejects.toThrow("later version of skillc");
  });

  test("other files in the folder are left alone", async () => {
    const warned = silenceWarnings();
    const { directory, store } = place();
    await store.saveRequest(request);
    writeFileSync(join(directory, "README"), "mine");
    mkdirSync(join(directory, "folder.request.json"));
    expect(await store.requests({})).toHaveLength(1);
    expect(warned).not.toHaveBeenCalled();
    expect(readdirSync(directory)).toHaveLength(3);
  });
});

describe("obstacles in a folder store", () => {
  test("a link in place of a file is not followed", async () => {
    const warned = silenceWarnings();
    const { pathOf, store } = place();
    const { open: elsewhere, pathOf: pathElsewhere, store: other } = place();
    await other.saveRequest(request);
    await store.saveRequest(folderRequest("good"));
    symlinkSync(pathElsewhere("request", "r"), pathOf("request", "r"));
    await expect(store.readRequest("r")).rejects.toThrow("is a link");
    await expect(store.saveApproval(approval)).rejects.toThrow("is a link");
    expect(await store.requests({})).toMatchObject([{ id: "good" }]);
    expect(warned).toHaveBeenCalledOnce();
    expect(await elsewhere().readRequest("r")).toMatchObject({ state: "pending" });
  });

  test("a link in place of a temporary file or of the lock leads no write elsewhere", async () => {
    const { directory, pathOf, store } = place();
    await store.saveRequest(folderRequest("good"));
    const target = join(temporaryDirectory(), "target");
    writeFileSync(target, "mine");
    const temporary = `${pathOf("request", "r")}.tmp`;
    symlinkSync(target, temporary);
    await expect(store.saveRequest(request)).rejects.toThrow("a link is in its place");
    rmSync(temporary);
    symlinkSync(target, join(directory, "lock"));
    await expect(store.saveRequest(request)).rejects.toThrow("`lock` is a link");
    expect(readFileSync(target, "utf8")).toBe("mine");
  });

  test("the default folder must not be a link", async () => {
    const [project, elsewhere] = [temporaryDirectory(), temporaryDirectory()];
    symlinkSync(elsewhere, join(project, ".skillc"));
    const store = openFolderStore(project);
    await expect(store.saveRequest(request)).rejects.toThrow("`.skillc` is a link");
    await expect(store.requests({})).rejects.toThrow("`.skillc` is a link");
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  test("a file in place of the folder is reported", async () => {
    const { directory, store } = place();
    writeFileSync(directory, "");
    await expect(store.saveRequest(request)).rejects.toMatchObject({ name: "StoreUnavailable" });
    await expect(store.requests({})).rejects.toMatchObject({ name: "StoreUnavailable" });
  });

  test("a folder that nobody may write is reported", async () => {
    // Root ignores the modes of folders, and no one makes folders there.
    const directory = process.getuid?.() === 0 ? "/proc/sys/skillc" : readOnlyFolder();
    const store = createFolderStore({ directory });
    await expect(store.saveRequest(request)).rejects.toMatchObject({
      name: "StoreUnavailable",
      message: expect.stringContaining(`\`${directory}\` can't be written`),
    });
    expect(await store.requests({})).toEqual([]);
  });
});

function readOnlyFolder(): string {
  const directory = temporaryDirectory();
  chmodSync(directory, 0o500);
  onTestFinished(() => chmodSync(directory, 0o700));
  return directory;
}

describe("processes of a folder store", () => {
  const script = fileURLToPath(new URL("./decide-process.ts", import.meta.url));

  /** Starts a process that decides, and waits until it is ready. */
  async function start(directory: string, action: string, count: number) {
    const args = [...loaderArgs, script, directory, action, `${count}`];
    const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
    let told = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (told += text));
    await once(child.stdout, "data");
    return {
      begin: () => child.stdin.end(),
      outcomes: once(child, "close").then(() => told.trimEnd().split("\n").slice(1)),
    };
  }

  test("exactly one of two processes wins that approve and deny a request at once", async () => {
    const directory = join(temporaryDirectory(), "approvals");
    const store = createFolderStore({ directory });
    const count = 40;
    const ids = Array.from({ length: count }, (_, at) => `r${at}`);
    for (const id of ids) await store.saveRequest(folderRequest(id));
    const children = await Promise.all(
      ["approve", "deny"].map((action) => start(directory, action, count)),
    );
    for (const child of children) child.begin();
    const [approved = [], denied = []] = await Promise.all(children.map((each) => each.outcomes));
    const states = await Promise.all(ids.map(async (id) => (await store.readRequest(id))?.state));
    expect(states).toHaveLength(count);
    expect(approved).toEqual(states.map((state) => (state === "approved" ? "saved" : "denied")));
    expect(denied).toEqual(states);
    const usable = await Promise.all(ids.map((_, at) => store.readApproval(`a${at}`)));
    expect(usable.map((each) => each !== undefined)).toEqual(
      states.map((state) => state === "approved"),
    );
  });

  test("another process decides a request that this one has stored", async () => {
    const directory = join(temporaryDirectory(), "approvals");
    const store = createFolderStore({ directory });
    await store.saveRequest(folderRequest("r0"));
    const child = await start(directory, "approve", 1);
    child.begin();
    expect(await child.outcomes).toEqual(["saved"]);
    expect(await store.readRequest("r0")).toMatchObject({ state: "approved", approval: "a0" });
    expect(await store.useApproval("a0", "c")).toBe("used");
  });

  test("the lock of a process that was killed is taken over", async () => {
    const { directory, store } = place();
    await store.saveRequest(folderRequest("first"));
    const { pid } = spawnSync(process.execPath, ["-e", ""]);
    const lock = { pid, host: hostname(), thread: 0, id: "x" };
    writeFileSync(join(directory, "lock"), JSON.stringify(lock));
    expect(await store.saveRequest(request)).toMatchObject({ isNew: true });
    expect(existsSync(join(directory, "lock"))).toBe(false);
  });

  test("a lock that names no process is reported, and reading needs no lock", async () => {
    const { directory, store } = place();
    await store.saveRequest(request);
    writeFileSync(join(directory, "lock"), "mine");
    await expect(store.saveRequest(folderRequest("next"))).rejects.toThrow(
      "names no process that holds it: delete it",
    );
    expect(await store.readRequest("r")).toMatchObject({ state: "pending" });
    expect(readFileSync(join(directory, "lock"), "utf8")).toBe("mine");
  });
});
