import { execFileSync } from "node:child_process";
import { chmodSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { absenceOf, describeUnless } from "../../../../support/service.js";
import { loaderArgs } from "../../../../support/node-loader.js";
import { overlays, treeOf } from "./support.js";

const asUser = new URL("as-user.ts", import.meta.url).pathname;

/** Waits for the test. */
const untilGo = 'until [ -e "$SIGNALS/go" ]; do sleep 0.01; done';

describeUnless(await absenceOf(overlays), "effects of a process over a layer", () => {
  test("lists created, changed and deleted files, and changes nothing itself", async () => {
    const { root, run } = treeOf({ a: "1", b: "1", "d/c": "1", "d/e": "1" });
    const { effects } = await run(
      "echo 22 > a; rm b d/c; mkdir new; echo n > new/f; ln -s a l; chmod 600 d/e",
    );
    expect(effects).toEqual([
      "~ a 644 1 > 644 3",
      "- b 644 1 > none",
      "- d/c 644 1 > none",
      "~ d/e 644 1 > 600 1",
      "+ l none > -> a",
      "+ new none > 755/",
      "+ new/f none > 644 2",
    ]);
    expect(readdirSync(root)).toEqual(["a", "b", "d"]);
    expect(readdirSync(join(root, "d"))).toEqual(["c", "e"]);
  });

  test("lists what a new folder of the same name hides", async () => {
    const { run } = treeOf({ "d/a": "1", "d/deep/b": "1", "d/kept": "1" });
    const { effects } = await run("rm -r d; mkdir d; echo -n 1 > d/kept; touch d/x");
    expect(effects).toEqual([
      "- d/a 644 1 > none",
      "- d/deep 755/ > none",
      "- d/deep/b 644 1 > none",
      "+ d/x none > 644 0",
    ]);
  });

  test("an entry that ends as it began is no effect", async () => {
    const { run } = treeOf({ a: "1", "d/b": "1" });
    const { effects } = await run(
      "chmod 600 a; chmod 644 a; touch d/b; mv d/b d/c; mv d/c d/b; rm a; echo -n 1 > a; mkdir x; rmdir x",
    );
    expect(effects).toEqual([]);
  });

  test.each([
    [
      "a file becomes a folder",
      "rm a; mkdir a; touch a/b",
      ["~ a 644 1 > 755/", "+ a/b none > 644 0"],
    ],
    [
      "a folder becomes a link",
      "rm -r d; ln -s /etc d",
      ["~ d 755/ > -> /etc", "- d/b 644 1 > none"],
    ],
    ["a file becomes a link to a folder", "rm a; ln -s d a", ["~ a 644 1 > -> d"]],
    ["a link gets another target", "ln -sfn d l", ["~ l -> a > -> d"]],
    ["the allowed folder gets another mode", "chmod 700 .", ["~ . 755/ > 700/"]],
    ["a folder gets another mode", "chmod 700 d", ["~ d 755/ > 700/"]],
    ["two names of one file", "ln a h", ["+ h none > 644 1"]],
  ])("lists the effects if %s", async (_name, script, expected) => {
    const { root, run } = treeOf({ a: "1", "d/b": "1" });
    execFileSync("ln", ["-s", "a", join(root, "l")]);
    expect((await run(script)).effects).toEqual(expected);
  });

  test("a program moves a folder although the system can't rename it", async () => {
    const { run } = treeOf({ "d/a": "1", "d/e/b": "1" });
    const { effects, output } = await run(
      `perl -e 'rename("d", "x") or print "refused: $!"'; mv d moved`,
    );
    expect(output).toContain("refused: Invalid cross-device link");
    expect(effects.map((each) => each.slice(0, 11))).toEqual([
      "- d 755/ > ",
      "- d/a 644 1",
      "- d/e 755/ ",
      "- d/e/b 644",
      "+ moved non",
      "+ moved/a n",
      "+ moved/e n",
      "+ moved/e/b",
    ]);
  });

  test("reads names with any characters, and links that lead outside", async () => {
    const { run } = treeOf();
    const { effects } = await run(
      `ln -s /etc/passwd 'a b:c,d'; touch "$(printf 'new\\nline\\033[1m')" '\\' -- -x`,
    );
    expect(effects).toEqual([
      "+ -x none > 644 0",
      "+ \\ none > 644 0",
      "+ a b:c,d none > -> /etc/passwd",
      "+ new\nline\u001b[1m none > 644 0",
    ]);
  });

  test("works in a folder whose name has the separators of mounts", async () => {
    const { root, run } = treeOf({ "a:b,c=d \\x/f": "1" });
    const { effects } = await run("echo > g", { folder: join(root, "a:b,c=d \\x") });
    expect(effects).toEqual(["+ g none > 644 1"]);
  });

  test.each([
    ["a pipe", "mkfifo d/f", "d/f` is a pipe, a socket or a device"],
    [
      "a socket",
      `perl -MIO::Socket -e 'IO::Socket::UNIX->new(Local => "s", Listen => 1)'`,
      "s` is a pipe, a socket or a device",
    ],
    [
      "a program that runs as its owner",
      "cp /bin/true t; chmod u+s t",
      "t` would run with the rights",
    ],
    ["a name that is not UTF-8", `touch "$(printf 'a\\377')"`, "is not UTF-8"],
    ["a link that is not UTF-8", `ln -s "$(printf 'a\\377')" l`, "l` is not UTF-8"],
    ["folders without end", "for i in $(seq 200); do mkdir d; cd d; done", "nests deeper than 128"],
  ])("rejects %s", async (_name, script, message) => {
    const { root, run } = treeOf({ "d/b": "1" });
    await expect(run(script)).rejects.toThrow(message);
    expect(readdirSync(root)).toEqual(["d"]);
  });

  test("no process makes an entry that would hide a file without being listed", async () => {
    const { run } = treeOf({ a: "1", "d/b": "1" });
    const { effects, output } = await run(
      `mknod a2 c 0 0; rm a; mknod a c 0 0; for n in opaque whiteout; do python3 -c "import os; os.setxattr('d', 'user.overlay.$n', b'y')"; done`,
    );
    expect(output.match(/Operation not permitted/g)).toHaveLength(2);
    expect(effects).toEqual(["- a 644 1 > none"]);
  });

  test("a file that somebody changes while the process runs is a conflict", async () => {
    const { root, run } = treeOf({ a: "1", b: "1" });
    const changing = run(`echo x >> a; echo ready; ${untilGo}`, {
      meanwhile: () => writeFileSync(join(root, "a"), "somebody"),
    });
    await expect(changing).rejects.toThrow("somebody else changed");
  });

  test("an equal change that somebody makes while the process runs is a conflict", async () => {
    const { root, run } = treeOf({ a: "1" });
    const changing = run(`echo x >> a; echo ready; ${untilGo}`, {
      meanwhile: () => writeFileSync(join(root, "a"), "1x\n"),
    });
    await expect(changing).rejects.toThrow("somebody else changed");
  });

  test("a file that somebody creates where the process found none is a conflict", async () => {
    const { root, run } = treeOf({ a: "1" });
    const changing = run(`test -e new || echo x > new; echo ready; ${untilGo}`, {
      meanwhile: () => writeFileSync(join(root, "new"), "somebody"),
    });
    await expect(changing).rejects.toThrow("somebody else changed");
  });

  test("a file in a folder that the process removed, created meanwhile, is a conflict", async () => {
    const { root, run } = treeOf({ "d/a": "1" });
    const changing = run(`rm -r d; echo ready; ${untilGo}`, {
      meanwhile: () => writeFileSync(join(root, "d/new"), "somebody"),
    });
    await expect(changing).rejects.toThrow("somebody else changed");
  });

  test("a file that only other processes change is no effect", async () => {
    const { root, run } = treeOf({ a: "1", b: "1" });
    const { effects } = await run(`cat b; echo x >> a; echo ready; ${untilGo}`, {
      meanwhile: () => writeFileSync(join(root, "b"), "2"),
    });
    expect(effects).toEqual(["~ a 644 1 > 644 3"]);
  });

  test.each([
    "mkdir -p x/y; touch x/y/z; chmod 000 x/y x",
    `python3 -c "import os
for i in range(3000): os.mkdir('d'); os.chdir('d')"`,
  ])("removes the layer of a process that made a trap: %s", async (script) => {
    // The helper of these tests looks for the layer.
    const { root, run } = treeOf({ a: "1" });
    await run(script).catch(() => undefined);
    expect(readdirSync(root)).toEqual(["a"]);
  });

  test.skipIf(process.getuid?.() !== 0)("lists the effects of an ordinary user's process", () => {
    const { root } = treeOf({ a: "1", "d/b": "1", "d/c": "1" });
    chmodSync(root, 0o777);
    execFileSync("chown", ["-R", "65534:65534", root]);
    writeFileSync(join(root, "of-root"), "1");
    chmodSync(join(root, "of-root"), 0o666);
    const script = "id -u; echo x > a; rm -r d; mkdir d; touch d/c; echo x >> of-root; rm of-root";
    const printed = execFileSync(process.execPath, [...loaderArgs, asUser, root, script, "65534"], {
      env: { ...process.env, TMPDIR: "/tmp", HOME: "/nonexistent" },
      encoding: "utf8",
    });
    expect(JSON.parse(printed)).toEqual({
      code: 0,
      output: expect.stringMatching(/^65534\n.*Value too large/),
      effects: [
        "~ a 644 1 > 644 2",
        "- d/b 644 1 > none",
        "~ d/c 644 1 > 644 0",
        "- of-root 666 1 > none",
      ],
    });
  });
});
