import { execFileSync, spawn } from "node:child_process";
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import {
  isRefusedPath,
  type JudgedPath,
  judgePath,
} from "../../../src/runtime/files/judged-path.js";
import { openJudged, openParent, PathChanged } from "../../../src/runtime/files/open-judged.js";
import { NotAFile } from "../../../src/runtime/files/regular-file.js";

/** A folder with `notes/in/a.txt`, which may be read, and `secret/a.txt`, which may not. */
function project(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "skillc-open-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  for (const name of ["notes/in", "secret"]) mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, "notes/in/a.txt"), "public");
  writeFileSync(join(folder, "secret/a.txt"), "secret");
  return folder;
}

function judge(directory: string, written: string): JudgedPath {
  const judged = judgeOrRefuse(directory, written);
  if (judged === undefined) throw new Error(`${written} is not allowed`);
  return judged;
}

function judgeOrRefuse(directory: string, written: string): JudgedPath | undefined {
  const rules = { directory, read: [], write: ["notes"] };
  const judged = judgePath(written, { base: directory, access: "write", rules });
  return isRefusedPath(judged) ? undefined : judged;
}

async function contentOf(judged: JudgedPath): Promise<string> {
  const handle = await openJudged(judged);
  try {
    return await handle.readFile("utf8");
  } finally {
    await handle.close();
  }
}

test("opens a judged file, and reports a missing one", async () => {
  const directory = project();
  expect(await contentOf(judge(directory, "notes/in/a.txt"))).toBe("public");
  await expect(contentOf(judge(directory, "notes/in/b.txt"))).rejects.toThrow("ENOENT");
  await expect(contentOf(judge(directory, "notes/gone/b.txt"))).rejects.toThrow("ENOENT");
});

test("rejects a link that took the place of a judged folder or file", async () => {
  const directory = project();
  const at = (path: string) => join(directory, path);
  const judged = judge(directory, "notes/in/a.txt");
  renameSync(at("notes/in"), at("notes/was"));
  symlinkSync(at("secret"), at("notes/in"));
  await expect(openJudged(judged)).rejects.toThrow(PathChanged);
  rmSync(at("notes"), { recursive: true });
  mkdirSync(at("secret/in"));
  writeFileSync(at("secret/in/a.txt"), "secret");
  symlinkSync("secret", at("notes"));
  await expect(openJudged(judged)).rejects.toThrow(PathChanged);
  rmSync(at("notes"));
  mkdirSync(at("notes/in"), { recursive: true });
  symlinkSync(at("secret/a.txt"), at("notes/in/a.txt"));
  await expect(openJudged(judged)).rejects.toThrow(PathChanged);
});

test("goes through the open folder after somebody moves it", async () => {
  if (process.platform !== "linux") return;
  const directory = project();
  const at = (path: string) => join(directory, path);
  const parent = await openParent(judge(directory, "notes/in/new.txt"));
  onTestFinished(() => parent.close());
  renameSync(at("notes/in"), at("notes/was"));
  symlinkSync(at("secret"), at("notes/in"));
  writeFileSync(parent.at(parent.name), "written");
  expect(existsSync(at("secret/new.txt"))).toBe(false);
  expect(readFileSync(at("notes/was/new.txt"), "utf8")).toBe("written");
});

test("creates missing folders only inside the allowed folder, and through no link", async () => {
  const directory = project();
  const at = (path: string) => join(directory, path);
  const judged = judge(directory, "notes/x/y/z.txt");
  await expect(openParent(judged)).rejects.toThrow("ENOENT");
  const parent = await openParent(judged, { create: true });
  expect(parent.path).toBe(at("notes/x/y"));
  await parent.close();
  expect(existsSync(at("notes/x/y"))).toBe(true);
  const late = judge(directory, "notes/l/y/z.txt");
  symlinkSync(at("secret"), at("notes/l"));
  await expect(openParent(late, { create: true })).rejects.toThrow(PathChanged);
  expect(existsSync(at("secret/y"))).toBe(false);
});

test("rejects pipes, sockets, devices and folders without waiting", async () => {
  const directory = project();
  execFileSync("mkfifo", [join(directory, "notes/pipe")]);
  const server = createServer().listen(join(directory, "notes/socket"));
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  await expect(openJudged(judge(directory, "notes/pipe"))).rejects.toThrow(NotAFile);
  await expect(openJudged(judge(directory, "notes/in"))).rejects.toThrow(NotAFile);
  await expect(openJudged(judge(directory, "notes/socket"))).rejects.toThrow("ENXIO");
  for (const path of ["/dev/zero", "/dev/tty"]) {
    const device = { path, folder: { written: "/dev", real: "/dev" }, name: path };
    await expect(openJudged(device)).rejects.toThrow(/not a regular file|ENXIO|ENOENT/);
  }
});

test("reads a hard link, because its folder holds the file as much as any other", async () => {
  const directory = project();
  linkSync(join(directory, "secret/a.txt"), join(directory, "notes/hard.txt"));
  expect(await contentOf(judge(directory, "notes/hard.txt"))).toBe("secret");
});

/** Exchanges a folder and a link, and a file and a link, until it is killed. */
const swapper = `
const fs = require("node:fs");
const [folder] = process.argv.slice(1);
const at = (path) => folder + "/" + path;
fs.symlinkSync(at("secret"), at("link"));
fs.symlinkSync(at("secret/a.txt"), at("file-link"));
const turn = (place, other, spare) => {
  fs.renameSync(at(place), at(spare));
  fs.renameSync(at(other), at(place));
  fs.renameSync(at(place), at(other));
  fs.renameSync(at(spare), at(place));
};
process.stdout.write("ready");
for (;;) {
  turn("notes/in", "link", "spare");
  turn("notes/in/a.txt", "file-link", "spare-file");
}
`;

test("reads and writes nothing outside while another process exchanges links", async () => {
  const directory = project();
  const child = spawn(process.execPath, ["-e", swapper, directory], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise((resolve) => child.once("close", resolve));
  await new Promise((resolve) => child.stdout.once("data", resolve));
  const counts = { read: 0, refused: 0 };
  try {
    for (let round = 0; round < 1500; round += 1) {
      const judged = judgeOrRefuse(directory, "notes/in/a.txt");
      try {
        if (judged === undefined) throw new PathChanged();
        expect(await contentOf(judged)).toBe("public");
        counts.read += 1;
        const fresh = judgeOrRefuse(directory, `notes/in/new-${round}`);
        if (fresh === undefined) throw new PathChanged();
        const parent = await openParent(fresh);
        try {
          writeFileSync(parent.at(parent.name), "written", { flag: "wx" });
        } finally {
          await parent.close();
        }
      } catch (error) {
        const isExpected =
          error instanceof PathChanged ||
          /ENOENT|ENOTDIR/.test(error instanceof Error ? error.message : "");
        if (!isExpected) throw error;
        counts.refused += 1;
      }
    }
  } finally {
    child.kill("SIGKILL");
    await ended;
  }
  expect(execFileSync("ls", [join(directory, "secret")], { encoding: "utf8" })).toBe("a.txt\n");
  expect(readFileSync(join(directory, "secret/a.txt"), "utf8")).toBe("secret");
  expect(counts.read).toBeGreaterThan(0);
});
