import { execFileSync } from "node:child_process";
import { createServer } from "node:net";
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { path, value, values } from "../../../../src/bindings/command/run/arguments.js";
import type {
  CommandContract,
  ExecutorName,
} from "../../../../src/bindings/command/run/contract.js";
import { credential } from "../../../../src/runtime/values/text.js";
import { absenceOf, describeUnless } from "../../../support/service.js";
import { bubblewrap, type Params, projectWith } from "./support.js";

const absence = await absenceOf(bubblewrap);
const modules = fileURLToPath(new URL("../../../../node_modules", import.meta.url));

for (const executor of ["host", "sandbox"] satisfies ExecutorName[])
  describeUnless(executor === "sandbox" ? absence : undefined, `bad input on ${executor}`, () => {
    const node = (source: string, more: Partial<CommandContract<Params>> = {}, options = {}) =>
      projectWith(
        {
          executor,
          argv: (p: Params) => ["node", "-e", source, "--", ...values("/words", p["words"] as [])],
          ...more,
        },
        options,
      );

    test("a child that keeps the output open does not hold up its call", async () => {
      const { call } = node(
        `const { spawn } = require("node:child_process");
         spawn("sleep", ["3"], { stdio: "inherit", detached: true }).unref();
         console.log("done");`,
      );
      expect(await call()).toMatchObject({ data: "done\n" });
    });

    test("a child that prints without end after its parent does not hold up its call", async () => {
      const { call } = node(
        `const { spawn } = require("node:child_process");
         spawn("yes", { stdio: "inherit" }).unref();
         setTimeout(() => process.exit(0), 200);`,
        { output: "none" },
      );
      expect(await call()).toEqual({ status: "success", data: null });
    });

    test("an endless output ends at the time limit, and the ledger keeps little of it", async () => {
      const { directory, errorOf, runtime } = projectWith(
        { executor, argv: () => ["yes"], output: "none" },
        { timeoutMs: 2000, ledger: {} },
      );
      expect(await errorOf()).toMatchObject({ code: "PROVIDER.TIMEOUT" });
      await runtime.close();
      const kept = readdirSync(directory, { recursive: true, withFileTypes: true })
        .filter((each) => each.isFile())
        .map((each) => statSync(join(each.parentPath, each.name)).size);
      expect(kept.length).toBeGreaterThan(0);
      expect(kept.reduce((sum, each) => sum + each, 0)).toBeLessThan(2 * 1024 ** 2);
    });

    test("a process that reads none of a large input gets no more of it", async () => {
      const { call } = node("console.log('done')", { stdin: () => "x".repeat(20_000_000) });
      expect(await call()).toMatchObject({ data: "done\n" });
    });

    test("a process may close its output early, and its exit code counts", async () => {
      const { call } = node(
        "require('node:fs').closeSync(1); setTimeout(() => process.exit(3), 300)",
        { exitCodes: { "3": "closed" } },
      );
      expect(await call()).toMatchObject({ status: "closed" });
    });

    test("a process that a signal ends throws, and names the signal or its code", async () => {
      const { errorOf } = node("process.kill(process.pid, 'SIGKILL')");
      expect(await errorOf()).toMatchObject({
        code: "PROVIDER.UNAVAILABLE",
        // Bubblewrap reports a signal as a code, as shells do.
        failure: { exit: executor === "host" ? { signal: "SIGKILL" } : { code: 137 } },
      });
    });

    test("a process goes on if the folder in which it works is removed", async () => {
      const { call, put } = projectWith({
        executor,
        argv: () => [
          "node",
          "-e",
          "process.chdir('a'); require('node:fs').rmSync('../a', { recursive: true }); console.log('done')",
        ],
        cwd: "w",
        effect: "write",
        write: ["w"],
      });
      put("w/a/b", "");
      expect(await call()).toMatchObject({ data: "done\n" });
    });

    test("a program that vanishes or has no interpreter is reported", async () => {
      const { directory, put } = projectWith({ argv: () => ["true"] });
      const program = put("tools/run", "#!/no/such/interpreter\n", 0o755);
      const { errorOf } = projectWith(
        { executor, argv: () => [program], effect: "write", write: ["tools"] },
        { directory },
      );
      expect(await errorOf()).toMatchObject({ code: "PROVIDER.UNAVAILABLE" });
      rmSync(program);
      expect(await errorOf()).toMatchObject({
        code: "PROVIDER.UNAVAILABLE",
        outcome: "not-done",
        message: expect.stringContaining("there is no program"),
      });
    });

    test("a token is removed from output that prints it in pieces, and from standard error", async () => {
      const token = "a-secret-token-4711-0815";
      const { call } = node(
        `const t = process.env.T; const half = t.length / 2;
         process.stdout.write(t.slice(0, half));
         setTimeout(() => { process.stdout.write(t.slice(half)); console.error(t, Buffer.from(t).toString("base64")); process.exit(2); }, 100);`,
        { env: { T: credential("T") }, exitCodes: { "2": "success" } },
        { credentials: { T: token } },
      );
      expect(await call()).toEqual({ status: "success", data: "${T}" });
    });

    test("a token is removed from the standard error of a failure, in each of its spellings", async () => {
      const token = "a-secret-token-4711-0815";
      const { call } = node(
        `const t = process.env.T; console.error("x".repeat(1990) + t, Buffer.from(t).toString("base64"), encodeURIComponent(t + "/")); process.exit(2);`,
        { env: { T: credential("T") }, exitCodes: { "2": "failed" } },
        { credentials: { T: token } },
      );
      const text = JSON.stringify(await call());
      expect(text).toContain("failed");
      expect(text).not.toContain(token);
      expect(text).not.toContain(Buffer.from(token).toString("base64").slice(0, 20));
      expect(text).not.toContain(token.slice(4));
    });

    test.each([
      "LD_PRELOAD=/x.so",
      "NODE_OPTIONS=--require=/x",
      "GIT_SSH_COMMAND=touch x",
      "PAGER=sh",
    ])("a parameter %s is a plain argument, and sets no variable", async (word) => {
      const { call } = node(
        "console.log(JSON.stringify([process.argv.slice(1), Object.keys(process.env).sort()]))",
        { output: "json" },
      );
      const { data } = (await call({ words: [word] })) as unknown as {
        data: [string[], string[]];
      };
      expect(data[0]).toEqual([word]);
      expect(data[1]).not.toContain(word.split("=")[0]);
    });
  });

/** A project with a repository in `in`, whose configuration runs a program in every way it can. */
function hostileRepository(executor: ExecutorName, ...command: readonly string[]) {
  const { directory, put } = projectWith({ argv: () => ["true"] });
  const repository = join(directory, "in/repo");
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], {
      cwd: repository,
      stdio: "ignore",
    });
  put("in/repo/a.txt", "one\n");
  git("init", "--quiet");
  git("add", ".");
  git("commit", "--quiet", "--message=first");
  put("outside/keep", "");
  const marks = [join(directory, "outside/owned"), join(repository, "owned")];
  const evil = put("in/evil.sh", `#!/bin/sh\ntouch ${marks.join(" ")}\n`, 0o755);
  const runs = ["core.fsmonitor", "core.pager", "core.editor", "diff.external", "gpg.program"];
  const filters = ["filter.f.clean", "filter.f.smudge", "filter.f.process", "diff.f.textconv"];
  for (const key of [...runs, ...filters]) git("config", key, evil);
  git("config", "core.hooksPath", join(directory, "in"));
  git("config", "safe.directory", "*");
  writeFileSync(join(repository, ".gitattributes"), "* filter=f diff=f\n");
  writeFileSync(join(repository, "a.txt"), "two\n");
  const { call } = projectWith(
    {
      executor,
      argv: (p: Params) => ["git", "-C", path("/repository", String(p["repository"])), ...command],
      read: ["in"],
      exitCodes: { "1": "failed", "128": "failed" },
    },
    { directory },
  );
  return {
    run: () => call({ repository: "in/repo" }),
    isOwned: () => marks.some((each) => existsSync(each)),
  };
}

test("the hostile repository of these tests runs its program if nothing confines git", async () => {
  const { isOwned, run } = hostileRepository("host", "status");
  await run();
  expect(isOwned()).toBe(true);
});

describeUnless(absence, "hostile content in the sandbox", () => {
  test.each([["status"], ["diff"], ["log", "--patch"], ["show"], ["ls-files", "--modified"]])(
    "git %s in a hostile repository changes nothing, inside or outside of it",
    async (...command) => {
      const { isOwned, run } = hostileRepository("sandbox", ...command);
      expect(await run()).toMatchObject({ status: expect.any(String) });
      expect(isOwned()).toBe(false);
    },
  );

  test("prettier starts, and a configuration with code reaches nothing outside of its folder", async () => {
    const { directory, put } = projectWith({ argv: () => ["true"] });
    const owned = join(directory, "owned");
    put("in/a.ts", "const a   =  1\n");
    put(
      "in/.prettierrc.cjs",
      `try { require("node:fs").writeFileSync(${JSON.stringify(owned)}, ""); } catch {}
       try { require("node:fs").writeFileSync(__dirname + "/owned", ""); } catch {}
       module.exports = { semi: false };`,
    );
    const { call } = projectWith(
      {
        argv: (p: Params) => [join(modules, ".bin/prettier"), path("/file", String(p["file"]))],
        read: ["in"],
      },
      { directory },
    );
    // The configuration ran: it turned semicolons off. That is why it must be confined.
    expect(await call({ file: "in/a.ts" })).toMatchObject({ data: "const a = 1\n" });
    expect(existsSync(owned) || existsSync(join(directory, "in/owned"))).toBe(false);
  });

  test("python, tar and find start without more folders than their own", async () => {
    const { call, put } = projectWith({
      argv: (p: Params) => [
        "python3",
        "-c",
        "import json, sys; print(json.dumps(sys.argv[1:]))",
        value("/word", String(p["word"])),
      ],
      output: "json",
    });
    put("in/x", "");
    expect(await call({ word: "a b" })).toMatchObject({ data: ["a b"] });
    for (const argv of [
      ["tar", "-c", "-f", "-", "in"],
      ["find", "in", "-name", "x"],
    ] as const) {
      const other = projectWith({ argv: () => argv, output: "text", read: ["in"] });
      other.put("in/x", "");
      expect(await other.call()).toMatchObject({ status: "success" });
    }
  });

  test.each(["127.0.0.1", "::1", "169.254.169.254", "10.0.0.1"])(
    "the address %s is out of reach without network",
    async (host) => {
      const server = createServer((socket) => socket.end());
      await new Promise<void>((resolve) => server.listen(0, () => resolve()));
      onTestFinished(() => void server.close());
      const address = server.address();
      const port = typeof address === "object" && address !== null ? address.port : 80;
      const { call } = projectWith({
        argv: (p: Params) => [
          "node",
          "-e",
          `const s = require("node:net").connect({ host: process.argv[1], port: Number(process.argv[2]), timeout: 3000 });
           s.on("connect", () => { console.log("connected"); s.destroy(); });
           s.on("error", (e) => console.log(e.code)); s.on("timeout", () => { console.log("timeout"); s.destroy(); });`,
          value("/host", String(p["host"])),
          value("/port", Number(p["port"])),
        ],
      });
      const { data } = (await call({ host, port })) as unknown as { data: string };
      expect(data).toMatch(/^(?:ECONNREFUSED|ENETUNREACH|EADDRNOTAVAIL)\n$/);
    },
  );
});
