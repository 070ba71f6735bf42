/** A cloned project may bring links: no command and no store follows one to write or to remove. */
import { execFileSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createFileLedger } from "../../../src/runtime/ledger/files/file-store.js";
import { PlaceTaken } from "../../../src/runtime/files/own-place.js";
import { entryOf } from "../../../src/runtime/ledger/store.js";
import { appendWrite, beginRecord } from "../../runtime/ledger/fixtures.js";
import { makeProject, put, skillc } from "../support/command-line.js";

const afterAll = "2100-01-01";

/** Every command that writes or removes, and those that read the same places. */
const commands = [
  ["generate"],
  ["generate", "--check"],
  ["check"],
  ["lock"],
  ["catalog"],
  ["compare", "HEAD"],
  ["call", "desk/get-file"],
  ["db", "types"],
  ["db", "pull"],
  ["import", "openapi", "api.json"],
  ["import", "openapi", "--check"],
  ["tools", "list"],
  ["tools", "pause", "desk/get-file"],
  ["policy", "test"],
  ["ledger", "list"],
  ["ledger", "show", "kept"],
  ["ledger", "settle", "unknown", "--as", "done", "--because", "it is there"],
  ["ledger", "verify"],
  ["ledger", "report", "--html", "report.html"],
  ["ledger", "prune", "--before", afterAll, "--dry-run"],
  ["ledger", "prune", "--before", afterAll],
  ["ledger", "prune", "--before", afterAll, "--include-unknown"],
  ["init", "."],
  ["init", "--schemas"],
] as const;

const api = (path: string) =>
  JSON.stringify({
    openapi: "3.1.0",
    info: { title: "Shop", version: "1" },
    servers: [{ url: "https://shop.example" }],
    paths: {
      [path]: { get: { operationId: "list", responses: { 200: { description: "All." } } } },
    },
  });

const skillFiles = {
  "package.json": "{}",
  ".gitignore": ".skillc/\n",
  "skills/desk/SKILL.md": "---\nname: desk\ndescription: Fetches files.\n---\nFetch one.\n",
  "skills/desk/metadata.yaml":
    "tools_schema:\n  get-file:\n    description: Fetch the file.\n    binding:\n      { type: http, method: GET, url: '${FILES_URL}/file', response: { as: bytes, save: true } }\n",
  "api.json": api("/pets"),
};

/** Every operation of a ledger in files that writes or removes. */
async function useLedger(project: string, directory?: string): Promise<void> {
  const attachments = { results: { keepDays: 1 } };
  const options = { maxFileBytes: 600, attachments };
  const ledger = createFileLedger({ ...options, ...(directory && { directory }) }, project);
  const attempts = [
    () => ledger.attachments?.keep('{"id":"o-1"}'),
    () => appendWrite(ledger, { id: "kept" }),
    () => ledger.append(entryOf(beginRecord({ id: "unknown" }))),
    () => ledger.flush(),
    () => ledger.read()[Symbol.asyncIterator]().next(),
    () => ledger.verify(),
    () => ledger.prune?.({ before: afterAll }),
    () => ledger.prune?.({ before: afterAll, includeUnknown: true }),
    () => ledger.close(),
  ];
  for (const attempt of attempts) await refusedOrDone(attempt);
}

/** A ledger refuses to write through a link by an error that names the link. */
async function refusedOrDone(work: () => unknown): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const cause = error.cause ?? error;
    if (!(cause instanceof PlaceTaken)) throw error;
  }
}

/** Paths of everything below a folder, outer before inner, with the contents of files. */
function everythingIn(folder: string): Readonly<Record<string, string>> {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true }).map((each) => {
    const path = join(each.parentPath, each.name);
    return [
      path.slice(folder.length + 1),
      each.isFile() ? readFileSync(path, "utf8") : "",
    ] as const;
  });
  return Object.fromEntries(found.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

async function filesServer(): Promise<string> {
  const server = createServer((_, response) =>
    response.writeHead(200, { "content-type": "application/pdf" }).end("%PDF"),
  );
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  // A server that listens on TCP has an address with a port.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A project in which every place that skillc writes to is taken by what it wrote. */
async function usedProject(root: string, env: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(skillFiles)) put(root, path, text);
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...args], {
      cwd: root,
    });
  git("init", "--quiet");
  git("add", ".");
  git("commit", "--quiet", "-m", "skills");
  for (const argv of commands.filter((each) => each[1] !== "prune"))
    await skillc(root, argv, { env });
  for (const directory of [undefined, join(root, "named")]) {
    const options = { attachments: { results: {} }, ...(directory && { directory }) };
    const ledger = createFileLedger(options, root);
    ledger.attachments?.keep('{"id":"o-1"}');
    appendWrite(ledger, { id: "kept" });
    void ledger.append(entryOf(beginRecord({ id: "unknown" })));
    await ledger.close();
    for (const day of ["2025-01-01", "until-2025-01-01"])
      put(ledger.directory, `attachments/${day}/db.dump`, "mine");
  }
  mkdirSync(join(root, "generated/.skillc-staging"), { recursive: true });
  mkdirSync(join(root, "skills/.writing-a1b2c3"), { recursive: true });
}

/** The folder that the application names for a ledger, `named`, may be a link itself. */
const written = /^(?:\.skillc|generated|named\/|skills\/\.|skills\/pets|skillc\.lock|report\.html)/;

/** Each path that skillc writes; of cache entries, which are alike, one of each folder. */
function placesIn(root: string): readonly string[] {
  const all = Object.keys(everythingIn(root)).filter((path) => written.test(path));
  const isEntry = (path: string) => /\/cache\/(?:large\/)?[0-9a-f]{64}$/.test(path);
  const entries = new Map(all.filter(isEntry).map((path) => [dirname(path), path]));
  return all.filter((path) => !isEntry(path) || entries.get(dirname(path)) === path);
}

test("no command and no ledger operation writes or removes anything behind a link", async () => {
  const sandbox = makeProject();
  const made = join(sandbox, "made");
  const env = { FILES_URL: await filesServer(), PATH: process.env["PATH"] ?? "" };
  await usedProject(made, env);
  const places = placesIn(made);
  expect(places).toEqual(
    expect.arrayContaining([
      ".skillc/cache",
      ".skillc/downloads",
      ".skillc/ledger/attachments",
      "named/attachments",
      "generated/desk",
      "skills/pets",
      "skills/.import/shop",
    ]),
  );
  const [project, outside] = [join(sandbox, "project"), join(sandbox, "outside")];
  for (const place of places) {
    for (const each of [project, outside]) rmSync(each, { recursive: true, force: true });
    cpSync(made, project, { recursive: true });
    mkdirSync(outside);
    renameSync(join(project, place), join(outside, "theirs"));
    symlinkSync(join(outside, "theirs"), join(project, place));
    const before = everythingIn(outside);
    put(project, "api.json", api("/orders"));
    for (const argv of commands) {
      const { code, stderr } = await skillc(project, argv, { env });
      expect([0, 1, 2], `${place}: ${argv.join(" ")}: ${stderr}`).toContain(code);
      expect(everythingIn(outside), `${place}: ${argv.join(" ")}`).toEqual(before);
    }
    for (const directory of [undefined, join(project, "named")]) {
      await useLedger(project, directory);
      expect(everythingIn(outside), `${place}: a ledger`).toEqual(before);
    }
  }
}, 600_000);
