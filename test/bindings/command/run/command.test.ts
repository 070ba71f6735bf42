import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import fc from "fast-check";
import {
  joined,
  path,
  paths,
  value,
  values,
} from "../../../../src/bindings/command/run/arguments.js";
import type { ExecutorName } from "../../../../src/bindings/command/run/contract.js";
import { credential } from "../../../../src/runtime/values/text.js";
import { createFileLedger } from "../../../../src/runtime/ledger/files/file-store.js";
import { queryStore } from "../../../../src/runtime/ledger/query.js";
import { runs } from "../../../support/runs.js";
import { unicodeText } from "../../../support/unicode-text.js";
import { absenceOf, describeUnless } from "../../../support/service.js";
import { bubblewrap, type Params, projectWith, showProgram } from "./support.js";

const [flag, source] = showProgram;
const texts = (list: unknown) => values("/words", list as readonly string[]);

const absence = await absenceOf(bubblewrap);

for (const executor of ["host", "sandbox"] satisfies ExecutorName[])
  describeUnless(executor === "sandbox" ? absence : undefined, `the executor ${executor}`, () => {
    const show = (more: Partial<Parameters<typeof projectWith>[0]> = {}) =>
      projectWith({
        executor,
        argv: (p: Params) => ["node", flag, source, "--", ...texts(p["words"])],
        output: "json",
        ...more,
      });

    test("passes each text as one argument, whatever it holds", async () => {
      const { call } = show();
      const words = ["a b", "$(id)", "`id`", ";rm -rf /", "--x", "-", "", "é😀\n", "'\"\\"];
      expect(await call({ words })).toMatchObject({ data: { argv: words } });
    });

    test("gives the process only PATH, HOME, LANG, TZ and its own variables", async () => {
      process.env["SKILLC_TEST_SECRET"] = "no";
      const { call } = show({ env: { TOKEN: "t" } });
      const { data } = (await call({})) as unknown as { data: { env: Record<string, string> } };
      delete process.env["SKILLC_TEST_SECRET"];
      // Bubblewrap sets PWD, as shells do.
      const names = Object.keys(data.env).filter((each) => each !== "PWD");
      expect(names).toEqual(expect.arrayContaining(["PATH", "HOME", "TOKEN"]));
      const others = names.filter(
        (each) => !["LANG", "TZ", "PATH", "HOME", "TOKEN"].includes(each),
      );
      expect(others).toEqual([]);
    });

    test("runs in the working folder, and sends standard input", async () => {
      const { call, directory, put } = show({
        cwd: "inner",
        read: ["inner"],
        stdin: (p: Params) => String(p["text"]),
      });
      put("inner/x", "");
      const text = "é".repeat(300_000);
      expect(await call({ text })).toMatchObject({
        data: { cwd: join(directory, "inner"), stdin: text },
      });
    });

    test("hands over a path as the absolute real one, and rejects one outside the folders", async () => {
      const { call, directory, errorOf, put } = projectWith({
        executor,
        argv: (p: Params) => ["cat", "--", ...paths("/files", p["files"] as string[])],
        cwd: "in",
        read: ["in"],
      });
      put("in/a.txt", "A");
      put("out/b.txt", "B");
      symlinkSync("a.txt", join(directory, "in/link"));
      symlinkSync("../out/b.txt", join(directory, "in/leads-out"));
      expect(await call({ files: ["a.txt", "link", "../in/a.txt"] })).toMatchObject({
        data: "AAA",
      });
      for (const file of ["../out/b.txt", "leads-out", "/etc/passwd", "/proc/self/root/etc/passwd"])
        expect(await errorOf({ files: ["a.txt", file] })).toMatchObject({
          outcome: "not-done",
          failure: { problems: [{ pointer: "/files/1", keyword: "path" }] },
        });
      expect(await errorOf({ files: ["a\0b"] })).toMatchObject({
        code: "SCHEMA.VALIDATION_FAILED",
      });
    });

    test("maps exit codes to statuses, and throws for the others without a retry", async () => {
      const { call, errorOf } = projectWith({
        executor,
        argv: (p: Params) => [
          "node",
          "-e",
          "console.log('out'); console.error('why'); process.exit(Number(process.argv[1]))",
          value("/code", Number(p["code"])),
        ],
        exitCodes: { "1": "not_found", "3": "success" },
      });
      expect(await call({ code: 0 })).toEqual({ status: "success", data: "out\n" });
      expect(await call({ code: 3 })).toEqual({ status: "success", data: "out\n" });
      expect(await call({ code: 1 })).toEqual({
        status: "not_found",
        error: { exit_code: 1, stderr: "why\n" },
      });
      expect(await errorOf({ code: 2 })).toMatchObject({
        code: "PROVIDER.UNAVAILABLE",
        attempts: 1,
        failure: { exit: { code: 2, signal: null, stderr: "why\n" } },
      });
    });

    test("removes a printed credential from output, error and ledger", async () => {
      const given = { TOKEN: "a-secret-token-4711" };
      const argv = (p: Params) =>
        [
          "node",
          "-e",
          "console.log(process.env.T); console.error(process.env.T); process.exit(Number(process.argv[1]))",
          value("/code", Number(p["code"])),
        ] as const;
      const { call, directory, errorOf, runtime } = projectWith(
        { executor, argv, env: { T: credential("TOKEN") } },
        { credentials: given, ledger: createFileLedger({}, ".") },
      );
      expect(await call({ code: 0 })).toEqual({ status: "success", data: "${TOKEN}\n" });
      const error = await errorOf({ code: 1 });
      expect(error.message).toContain("${TOKEN}");
      expect(JSON.stringify(error.failure)).not.toContain(given.TOKEN);
      for await (const call of queryStore(runtime.ledger))
        expect(JSON.stringify(call)).not.toContain(given.TOKEN);
      await runtime.close();
      expect(directory).not.toBe("");
    });

    test("ends a process that ignores SIGTERM at the time limit, with its children", async () => {
      const { directory, errorOf, put } = projectWith(
        {
          executor,
          argv: () => [
            "node",
            "-e",
            `const { spawn } = require("node:child_process");
             spawn(process.execPath, ["-e", "setInterval(() => require('node:fs').appendFileSync('alive', '.'), 20)"], { stdio: "inherit" });
             process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)`,
          ],
          effect: "write",
          write: ["."],
        },
        { timeoutMs: 1500 },
      );
      put(".env", "");
      expect(await errorOf()).toMatchObject({ code: "PROVIDER.TIMEOUT", outcome: "unknown" });
      const alive = () => readFileSync(join(directory, "alive"), "utf8").length;
      const before = alive();
      expect(before).toBeGreaterThan(0);
      await new Promise((resolve) => setTimeout(resolve, 200));
      expect(alive()).toBe(before);
    });

    test("ends a process when its caller aborts", async () => {
      const { errorOf } = projectWith({ executor, argv: () => ["sleep", "600"] });
      const aborting = new AbortController();
      const ended = errorOf({}, { signal: aborting.signal });
      setTimeout(() => aborting.abort(), 300);
      expect(await ended).toMatchObject({ failure: { reason: "aborted" } });
    });

    test("stops reading output at its limit", async () => {
      const { errorOf } = projectWith({
        executor,
        argv: () => ["head", "-c", "50000000", "/dev/zero"],
        maxOutputBytes: 1000,
      });
      expect(await errorOf()).toMatchObject({ code: "PROVIDER.PROTOCOL" });
    });

    test("reads JSON and lines, and rejects what it can't read", async () => {
      const print = (text: string, output: "json" | "lines") =>
        projectWith({ executor, argv: () => ["printf", "%s", joined("", text)], output });
      expect(await print("a\nb\n", "lines").call()).toMatchObject({ data: ["a", "b"] });
      expect(await print("", "lines").call()).toMatchObject({ data: [] });
      expect(await print('{"a":1}', "json").call()).toMatchObject({ data: { a: 1 } });
      expect(await print("{", "json").errorOf()).toMatchObject({ code: "PROVIDER.PROTOCOL" });
      expect(await print("9007199254740993", "json").errorOf()).toMatchObject({
        code: "PROVIDER.PROTOCOL",
        failure: { reason: expect.stringContaining("can't represent exactly") },
      });
    });

    test("rejects output that is not UTF-8, and JSON that nests too deep", async () => {
      const notText = projectWith({ executor, argv: () => ["printf", "\\377a"] });
      expect(await notText.errorOf()).toMatchObject({
        failure: { code: "PROVIDER.PROTOCOL", reason: "it is not UTF-8" },
      });
      const program = "console.log('['.repeat(2000) + ']'.repeat(2000))";
      const deep = projectWith({ executor, argv: () => ["node", "-e", program], output: "json" });
      expect(await deep.errorOf()).toMatchObject({
        failure: { code: "PROVIDER.PROTOCOL", reason: expect.stringContaining("nests deeper") },
      });
    });

    test("says that a program, a working folder or an allowed folder is missing", async () => {
      const missing = { code: "PROVIDER.UNAVAILABLE", outcome: "not-done", attempts: 1 };
      const argv = () => ["true"] as const;
      const program = projectWith({ executor, argv: () => ["no-such-program"] });
      expect(await program.errorOf()).toMatchObject({
        ...missing,
        message: expect.stringContaining("there is no program `no-such-program`"),
      });
      expect(await projectWith({ executor, argv, cwd: "no" }).errorOf()).toMatchObject(missing);
      expect(await projectWith({ executor, argv, read: ["no"] }).errorOf()).toMatchObject(missing);
    });

    test("rejects arguments that the system does not take", async () => {
      const { errorOf } = show();
      const tooLong = "x".repeat(200_000);
      for (const word of ["a\0b", "\ud800", tooLong])
        expect(await errorOf({ words: [word] })).toMatchObject({
          code: "SCHEMA.VALIDATION_FAILED",
        });
      const many = Array.from({ length: 100 }, () => "x".repeat(100_000));
      expect(await errorOf({ words: many })).toMatchObject({
        code: "PROVIDER.UNAVAILABLE",
        outcome: "not-done",
      });
    });

    test("rejects a value that would pass for an option", async () => {
      const { call, errorOf } = projectWith({
        executor,
        argv: (p: Params) => ["printf", "%s", value("/word", String(p["word"]))],
      });
      expect(await errorOf({ word: "--version" })).toMatchObject({
        failure: { problems: [{ pointer: "/word", keyword: "option" }] },
      });
      expect(await call({ word: "a-b" })).toMatchObject({ data: "a-b" });
    });

    test("reports a write with an unnamed code as unknown, and a read as not done", async () => {
      const argv = () => ["false"] as const;
      const write = projectWith({ executor, argv, effect: "write", write: ["."] });
      write.put(".env", "");
      expect(await write.errorOf()).toMatchObject({ outcome: "unknown" });
      expect(await projectWith({ executor, argv }).errorOf()).toMatchObject({
        outcome: "not-done",
      });
    });
  });

describeUnless(absence, "the sandbox", () => {
  const sh = (script: string, more: Partial<Parameters<typeof projectWith>[0]> = {}) =>
    // A fixed script of this test, whose folders and network the sandbox confines.
    projectWith({ argv: () => ["sh", "-c", script], effect: "write", ...more });

  test("lets a process write its own folders alone", async () => {
    const { call, directory, put } = sh(
      'for each in inside outside /usr/x /etc/x "$HOME/x"; do echo x 2>/dev/null > $each/../probe; done; echo x > write/a; (echo x > read/a) 2>/dev/null || echo denied',
      { write: ["write"], read: ["read"] },
    );
    put("write/keep", "");
    put("read/keep", "");
    expect(await call()).toMatchObject({ data: "denied\n" });
    expect(readFileSync(join(directory, "write/a"), "utf8")).toBe("x\n");
  });

  test("mounts the folders of a read read-only", async () => {
    const { call, put } = sh("(echo x > folder/a) 2>/dev/null && echo wrote; cat folder/keep", {
      effect: "read",
      read: ["folder"],
    });
    put("folder/keep", "kept");
    expect(await call()).toMatchObject({ data: "kept" });
  });

  test("shows a process nothing of homes, other projects and other processes", async () => {
    const { call, put } = sh(
      'ls /root /home 2>/dev/null; cat secret.txt 2>/dev/null; ls /proc | grep -c "^[0-9]"; cat /etc/shadow 2>/dev/null; true',
    );
    put("secret.txt", "secret");
    const { data } = (await call()) as unknown as { data: string };
    expect(data).not.toContain("secret");
    // bubblewrap, the shell, ls and grep
    expect(Number(data.trim())).toBeLessThan(10);
  });

  test("gives a process no network unless the skill asks for it", async () => {
    const program = [
      "node",
      "-e",
      "const s = require('node:net').connect(Number(process.argv[1]), '127.0.0.1'); s.on('connect', () => { console.log('connected'); s.end(); }); s.on('error', (e) => console.log(e.code))",
    ] as const;
    const argv = (p: Params) => [...program, value("/port", Number(p["port"]))] as const;
    const { createServer } = await import("node:net");
    const server = createServer((socket) => socket.end());
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" ? address?.port : 0;
    expect(await projectWith({ argv }).call({ port })).toMatchObject({ data: "ECONNREFUSED\n" });
    expect(await projectWith({ argv, network: "host" }).call({ port })).toMatchObject({
      data: "connected\n",
    });
    server.close();
  });

  test("leaves no process behind that makes a session of its own", async () => {
    const { call, directory, put } = sh(
      "setsid sh -c 'while true; do echo . >> alive; sleep 0.02; done' >/dev/null 2>&1 & sleep 0.3; echo done",
      { write: ["."] },
    );
    put(".env", "");
    expect(await call()).toMatchObject({ data: "done\n" });
    const size = () => readFileSync(join(directory, "alive"), "utf8").length;
    const before = size();
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(size()).toBe(before);
  });
});

test("the ledger records that a process ran without the sandbox that its tool wants", async () => {
  const { call, directory } = projectWith(
    { argv: () => ["true"], sandbox: "external" },
    { ledger: {} },
  );
  await call();
  const calls = [];
  for await (const each of queryStore(createFileLedger({}, directory))) calls.push(each);
  expect(calls).toMatchObject([{ containment: "external" }]);
});

describe("any text in a parameter", () => {
  for (const executor of ["host", "sandbox"] satisfies ExecutorName[])
    test.skipIf(executor === "sandbox" && absence !== undefined)(
      `the executor ${executor} hands it over unchanged, or the call is rejected`,
      async () => {
        const { call } = projectWith({
          executor,
          argv: (p: Params) => ["node", flag, source, "--", ...texts(p["words"])],
          output: "json",
        });
        const word = fc.oneof(
          { weight: 4, arbitrary: unicodeText({ maxLength: 40 }) },
          fc.constantFrom("--", "-x", "\0", "\ud800", "a\udc00b", "$(id)", "\r\n", ""),
        );
        await fc.assert(
          fc.asyncProperty(fc.array(word, { maxLength: 30 }), async (words) => {
            const ended = await call({ words }).catch((error: unknown) => error);
            const isPassable = words.every((each) => !each.includes("\0") && each.isWellFormed());
            expect(ended).toMatchObject(
              isPassable
                ? { status: "success", data: { argv: words } }
                : { code: "SCHEMA.VALIDATION_FAILED" },
            );
          }),
          { numRuns: runs(300) },
        );
      },
    );
});

test("a path argument never begins with a hyphen", async () => {
  const { call, directory, put } = projectWith({
    executor: "host",
    argv: (p: Params) => ["printf", "%s", path("/file", String(p["file"]))],
    read: ["."],
  });
  put("-rf", "");
  writeFileSync(join(directory, "x"), "");
  expect(await call({ file: "-rf" })).toMatchObject({ data: join(directory, "-rf") });
});
