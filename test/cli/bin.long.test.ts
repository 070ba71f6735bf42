import { execFile, spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { linkPackages, tsc } from "../support/tsc.js";
import { deskFiles, filesIn, makeProject, put } from "./support/command-line.js";
import { echoProject } from "./support/echo-kind.js";

const packageRoot = fileURLToPath(new URL("../../", import.meta.url));
const bin = join(packageRoot, "dist/cli/bin.js");
const run = promisify(execFile);

beforeAll(async () => {
  const compiler = join(packageRoot, "node_modules/typescript/bin/tsc");
  await run(
    process.execPath,
    [compiler, "-b", "src/tsconfig.runtime.json", "src/tsconfig.compiler.json"],
    { cwd: packageRoot },
  );
}, 120_000);

async function skillc(cwd: string, ...argv: readonly string[]) {
  try {
    const { stdout, stderr } = await run(process.execPath, [bin, ...argv], {
      cwd,
      env: { PATH: process.env["PATH"] },
    });
    return { code: 0, stdout, stderr };
  } catch (error) {
    // What `execFile` rejects with when the process exits with a code other than 0.
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, stdout, stderr };
  }
}

/** An application that reads the environment in both usual ways. */
const application = `import { configure } from "@skillc/runtime";

configure({
  credentials: { ORDERS_URL: process.env.ORDERS_URL ?? "", ORDERS_TOKEN: process.env["TOKEN"] ?? "" },
});
`;

describe("the built program", () => {
  test("exits with the documented codes", async () => {
    const root = makeProject(deskFiles);
    expect((await skillc(root, "--version")).code).toBe(0);
    expect((await skillc(root, "generate", "--check")).code).toBe(1);
    expect((await skillc(root, "generate")).code).toBe(0);
    expect((await skillc(root, "generate", "--check")).code).toBe(0);
    expect((await skillc(root, "nonsense")).code).toBe(2);
  });

  test("gives custom kinds its own copy of `skillc/binding`, even if another is installed beside them", async () => {
    const alone = makeProject(echoProject);
    expect(await skillc(alone, "generate")).toMatchObject({ code: 0, stderr: "" });
    const called = await skillc(alone, "call", "parrot/repeat", "--args", '{"word": "hello"}');
    expect(JSON.parse(called.stdout)).toMatchObject({ status: "success" });

    const beside = makeProject(echoProject);
    mkdirSync(join(beside, "node_modules/skillc"), { recursive: true });
    put(
      beside,
      "node_modules/skillc/package.json",
      '{"name":"skillc","type":"module","exports":{"./binding":"./binding.js"}}',
    );
    put(beside, "node_modules/skillc/binding.js", 'throw new Error("another copy");');
    expect(await skillc(beside, "generate")).toMatchObject({ code: 0, stderr: "" });
    expect(filesIn(beside)["generated/parrot/repeat.ts"]).toBe(
      filesIn(alone)["generated/parrot/repeat.ts"],
    );
  });

  test("type-checks the output of `init` and an application with the user's own tsc", async () => {
    for (const flags of [[], ["--http"]]) {
      const root = makeProject();
      await skillc(root, "init", ...flags);
      await skillc(root, "generate");
      put(root, "main.ts", application);
      linkPackages(root, ["@skillc/runtime", "@types/node", "undici-types"]);
      expect(await tsc(root)).toBe("");
    }
  });

  test("ends on Bun, and so do modules of HTTP tools", async () => {
    const bun = `Object.defineProperty(process, "versions", { value: { ...process.versions, bun: "1.4.5" } });`;
    const onBun = ["--import", `data:text/javascript,${encodeURIComponent(bun)}`];
    await expect(run(process.execPath, [...onBun, bin, "check"])).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining("skillc does not run on Bun"),
    });
    const load = 'import "@skillc/runtime/v1/http";';
    const args = [...onBun, "--input-type=module", "--eval", load];
    await expect(run(process.execPath, args, { cwd: packageRoot })).rejects.toMatchObject({
      stderr: expect.stringContaining("need Node.js, and this process runs on Bun"),
    });
  });

  test("neither ends early as a success nor hangs because of the user's code", async () => {
    const kind = "kinds/echo/index.ts";
    const leaving = makeProject({ ...echoProject, [kind]: "process.exit(0);" });
    const left = await skillc(leaving, "check");
    expect(left).toMatchObject({ code: 3, stdout: "" });
    expect(left.stderr).toContain("before skillc was done");
    const waiting = makeProject({ ...echoProject, [kind]: "await new Promise(() => {});" });
    expect((await skillc(waiting, "check")).code).toBe(3);

    const timer = `setInterval(() => {}, 1000);\n${echoProject[kind]}`;
    const staying = makeProject({ ...echoProject, [kind]: timer });
    expect(await skillc(staying, "check")).toMatchObject({ code: 0, stderr: "" });
  });

  test("writes all of its output to a slow reader", async () => {
    const child = spawn(process.execPath, [bin, "explain", "--json"], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let stdout = "";
    for await (const chunk of child.stdout) {
      stdout += String(chunk);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(stdout.length).toBeGreaterThan(65_536);
    expect(() => JSON.parse(stdout)).not.toThrow();
  });

  test("prints no error if the reader of its output leaves", async () => {
    const child = spawn(process.execPath, [bin, "explain", "--json"], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    child.stdout.destroy();
    let stderr = "";
    child.stderr.on("data", (chunk) => (stderr += String(chunk)));
    const code = await new Promise((resolve) => child.on("close", resolve));
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  });

  test("ends a watch on Ctrl-C at once, without output", async () => {
    const root = makeProject(deskFiles);
    const child = spawn(process.execPath, [bin, "generate", "--watch"], {
      cwd: root,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let stderr = "";
    child.stderr.on("data", (chunk) => (stderr += String(chunk)));
    child.stdout.on("data", (chunk) => {
      if (String(chunk).includes("watching")) child.kill("SIGINT");
    });
    const code = await new Promise((resolve) => child.on("close", resolve));
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  });
});
