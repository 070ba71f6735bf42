import { execFile, fork } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { loaderArgs } from "../../../support/node-loader.js";
import { closeSql, openPglite } from "../../../../src/bindings/sql/execute.js";
import { attempt, send, type Tool } from "./support.js";

const directories: string[] = [];
function project(): string {
  const directory = mkdtempSync(join(tmpdir(), "skillc-pglite-"));
  directories.push(directory);
  return directory;
}

afterAll(() => {
  for (const directory of directories) rmSync(directory, { recursive: true });
});

const add: Tool = { text: "INSERT INTO kept VALUES (1)", effect: "write", rows: "none" };
const count: Tool = {
  text: "SELECT count(*)::int4 AS n FROM kept",
  columns: { n: "int4" },
  rows: "one",
};

afterEach(() => closeSql());

describe("folder of an embedded database that another process has used", () => {
  const program = fileURLToPath(new URL("./programs/use-folder.ts", import.meta.url));

  test("can't be opened while the other process lives, and can be opened after it has ended", async () => {
    const folder = join(project(), "db");
    const other = fork(program, [folder, "CREATE TABLE kept (n int4)", "hold"], {
      execArgv: loaderArgs,
    });
    const exited = new Promise((resolve) => other.once("exit", resolve));
    await new Promise((resolve) => other.once("message", resolve));
    const refused = { code: "PROVIDER.UNAVAILABLE", outcome: "not-done" };
    await expect(send(add, attempt(`pglite://${folder}`))).rejects.toMatchObject({
      ...refused,
      message: expect.stringContaining(
        `the folder is open in another process (${other.pid}), and only one process at a time can use it`,
      ),
    });
    await expect(openPglite(`pglite://${folder}`)).rejects.toThrow(`(${other.pid})`);
    // Nothing of it acts any more, and its lock stays.
    other.kill("SIGKILL");
    await exited;
    expect(existsSync(join(folder, "skillc.lock"))).toBe(true);
    await send(add, attempt(`pglite://${folder}`));
    expect((await send(count, attempt(`pglite://${folder}`))).result.data).toEqual({ n: 1 });
    await closeSql();
    expect(existsSync(join(folder, "skillc.lock"))).toBe(false);
  });

  // Two processes live on for some ten seconds each; one that hangs is ended by its own limit.
  test(
    "a process that closes nothing ends by itself, and leaves no lock",
    { timeout: 300_000 },
    async () => {
      const folder = join(project(), "db");
      const run = async (text: string) => {
        // Killed, and so rejected, when it seems to have no end.
        const args = [...loaderArgs, program, folder, text];
        return (await promisify(execFile)(process.execPath, args, { timeout: 90_000 })).stdout;
      };
      await (await openPglite(`pglite://${folder}`)).exec("CREATE TABLE kept (n int4)");
      await closeSql();
      expect(await run("INSERT INTO kept VALUES (1)")).toContain("success");
      expect(await run("INSERT INTO kept VALUES (2)")).toContain("success");
      expect(existsSync(join(folder, "skillc.lock"))).toBe(false);
      expect((await send(count, attempt(`pglite://${folder}`))).result.data).toEqual({ n: 2 });
    },
  );
});
