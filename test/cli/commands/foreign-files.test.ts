import { execFileSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { deskFiles, makeProject, put, skillc } from "../support/command-line.js";
import { runs } from "../../support/runs.js";

const entry = "0123456789abcdef".repeat(4);
const ledgerFile = "20260725T101112123Z-4242-a1b2c3d4e5f6-0001.jsonl";

/** Where skillc writes, reads or prunes, and names that are nearly those of its own files. */
const places = [
  ".skillc",
  ".skillc/notes.txt",
  ".skillc/generate.lock",
  ".skillc/cache",
  `.skillc/cache/${entry}`,
  `.skillc/cache/${entry}.17.0123456789ab.tmp`,
  ".skillc/cache/notes.tmp",
  ".skillc/cache/large",
  `.skillc/cache/large/${entry}`,
  ".skillc/ledger",
  `.skillc/ledger/${ledgerFile}`,
  "deep",
  "deep/generated",
  "deep/generated/.skillc-staging",
  "deep/generated/.skillc-staging/0",
  "deep/generated/mine.ts",
  "deep/generated/index.ts",
  "deep/generated/catalog.ts",
  "deep/generated/desk",
  "deep/generated/desk/get-order.ts",
  "deep/generated/desk/old.ts",
  "report.html",
  ".gitignore",
  ".gitattributes",
] as const;

const things = [
  "file",
  "folder",
  "pipe",
  "link to a folder outside",
  "link to a file outside",
  "link to the sources",
  "link to nowhere",
  "link to a device",
] as const;

const commands = [
  ["generate"],
  ["generate", "--check"],
  ["check"],
  ["db", "types"],
  ["call", "desk/get-order", "--args", '{"order_id":"7"}'],
  ["ledger", "list"],
  ["ledger", "verify"],
  ["ledger", "report", "--html", "report.html"],
  ["init", "."],
] as const;

/** What is outside: with names that skillc gives to files of its own. */
const outside = {
  "victim/notes.txt": "mine",
  "victim/generate.lock": "mine",
  [`victim/${entry}`]: "mine",
  [`victim/${ledgerFile}`]: "mine",
  "victim/cache/notes.txt": "mine",
  [`victim/cache/${entry}`]: "mine",
  "victim/large/notes.txt": "mine",
  "victim/ledger/notes.txt": "mine",
  "victim/desk/get-order.ts": "mine",
  "victim/index.ts": "mine",
  "victim/generated/desk/get-order.ts": "mine",
  "victim/0": "mine",
} as const;

function place(root: string, path: string, thing: (typeof things)[number]): void {
  const at = join(root, path);
  const parent = dirname(at);
  // What was put there before may have taken the place's own folder away.
  if (!isFolderOfItsOwn(parent)) return;
  rmSync(at, { recursive: true, force: true });
  const make: Record<typeof thing, () => void> = {
    file: () => writeFileSync(at, `mine at ${path}`),
    folder: () => Object.entries(outside).forEach(([name, text]) => put(at, name.slice(7), text)),
    pipe: () => execFileSync("mkfifo", [at]),
    "link to a folder outside": () => symlinkSync(join(root, "../victim"), at),
    "link to a file outside": () => symlinkSync(join(root, "../victim/notes.txt"), at),
    "link to the sources": () => symlinkSync(join(root, "skills/desk"), at),
    "link to nowhere": () => symlinkSync("nowhere", at),
    "link to a device": () => symlinkSync("/dev/zero", at),
  };
  make[thing]();
}

function isFolderOfItsOwn(path: string): boolean {
  try {
    mkdirSync(path, { recursive: true });
    return realpathSync(path) === path;
  } catch {
    return false;
  }
}

/** Everything below the folder but folders, by path: what it is and what it holds. No link is followed. */
function everythingIn(folder: string, prefix = ""): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const each of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, each.name);
    const name = `${prefix}${each.name}`;
    if (each.isDirectory()) for (const inner of everythingIn(path, `${name}/`)) found.set(...inner);
    else if (each.isSymbolicLink()) found.set(name, `link to ${readlinkSync(path)}`);
    else found.set(name, each.isFile() ? readFileSync(path, "utf8") : "special file");
  }
  return found;
}

/** What `init` adds to a file of git's that is there stands below what it has; that is all that is ever written into a file of somebody's. */
function withoutOurLines(path: string, text: string | undefined): string | undefined {
  return /^project\/\.git(?:ignore|attributes)$/.test(path)
    ? text?.replace(
        /\n?(?:node_modules\/|\.skillc\/|\.env|generated\/.* linguist-generated|\n)+$/,
        "",
      )
    : text;
}

test("no command changes or removes a file that skillc didn't write, whatever stands where it works", async () => {
  const sandbox = makeProject(outside);
  const made = join(sandbox, "made");
  for (const [path, text] of Object.entries(deskFiles)) put(made, path, text);
  put(made, "skillc.yaml", "out: deep/generated\n");
  expect((await skillc(made, ["generate"])).code).toBe(0);
  const ours = everythingIn(made);
  const env = { ORDERS_URL: "http://127.0.0.1:1", ORDERS_TOKEN: "letmein" };
  await fc.assert(
    fc.asyncProperty(
      fc.boolean(),
      fc.array(fc.tuple(fc.constantFrom(...places), fc.constantFrom(...things)), {
        minLength: 1,
        maxLength: 4,
      }),
      fc.shuffledSubarray([...commands], { minLength: 2, maxLength: 4 }),
      async (isGenerated, placed, asked) => {
        const root = join(sandbox, "project");
        rmSync(root, { recursive: true, force: true });
        cpSync(made, root, { recursive: true });
        if (!isGenerated) rmSync(join(root, "deep"), { recursive: true });
        for (const [path, thing] of placed) place(root, path, thing);
        const before = everythingIn(sandbox);
        for (const argv of asked) {
          const { code, stderr } = await skillc(root, argv, { env });
          expect([0, 1, 2], `${argv.join(" ")}: ${stderr}`).toContain(code);
        }
        const after = everythingIn(sandbox);
        const foreign = [...before].filter(
          ([path, content]) => content !== ours.get(path.replace(/^project\//, "")),
        );
        expect(foreign.map(([path]) => [path, withoutOurLines(path, after.get(path))])).toEqual(
          foreign,
        );
      },
    ),
    { numRuns: runs(30) },
  );
}, 600_000);
