import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import {
  exportNotes,
  makeFolder,
  packNotes,
  readArchive,
} from "../../../../generated/repo-maintenance/index.js";
import { path } from "../../../../src/bindings/command/run/arguments.js";
import type { CommandContract } from "../../../../src/bindings/command/run/contract.js";
import { type PlanStep, step } from "../../../../src/bindings/plan/run/contract.js";
import { plan } from "../../../../src/bindings/plan/run/execute.js";
import { callTool } from "../../../../src/runtime/call/call-tool.js";
import type { AnyResult } from "../../../../src/runtime/result.js";
import { defineTool } from "../../../../src/runtime/tool.js";
import { createTemporary } from "../../../../src/runtime/files/temporary-folders.js";
import { temporaryOwner } from "../../../../src/runtime/call/temporary-owner.js";
import { folderRuns } from "../../../../src/runtime/runs/index.js";
import type { Validator } from "../../../../src/runtime/validation/validation.js";
import { absenceOf, describeUnless } from "../../../support/service.js";
import { bubblewrap, type Params, projectWith } from "./support.js";

/** Folder for the temporary files of one test. */
let files = "";

beforeEach(() => {
  files = realpathSync(mkdtempSync(join(tmpdir(), "skillc-tmp-")));
  vi.stubEnv("TMPDIR", files);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(files, { recursive: true, force: true });
  });
});

const anyParams: Validator<{ readonly folder?: string }> = Object.assign(
  (value: unknown): value is { readonly folder?: string } => typeof value === "object",
  { errors: null },
);

/** Names of the temporary folders. */
function folders(): readonly string[] {
  const root = join(files, `skillc-temporary-${process.getuid?.() ?? 0}`);
  return existsSync(root) ? readdirSync(root) : [];
}

const trace = "t1";

/** A project whose command runs a program over the temporary folder of its trace. */
function setUp(contract: Partial<CommandContract<Params>>, bytes = 100_000) {
  const project = projectWith({ argv: () => ["true"], temporary: "write", ...contract });
  const owner = temporaryOwner({ id: "", toolId: "", options: { trace } }, project.directory);
  if (owner === undefined) throw new Error("a trace owns folders");
  return { ...project, folder: createTemporary(owner, bytes).path };
}

/** A command that copies a file into a folder. */
const copying: Partial<CommandContract<Params>> = {
  argv: (p) => ["cp", "input/a.txt", path("/folder", String(p["folder"]), "/b.txt")],
  read: ["./input"],
};

describeUnless(await absenceOf(bubblewrap), "temporary folders of commands", () => {
  test("a process in the sandbox writes to the folder of its trace", async () => {
    const { call, folder, put } = setUp(copying);
    put("input/a.txt", "hello");
    expect(await call({ folder }, { trace })).toMatchObject({ status: "success" });
    expect(readFileSync(join(folder, "b.txt"), "utf8")).toBe("hello");
  });

  test("a process sees no folder of another trace", async () => {
    const { call, folder } = setUp({ argv: () => ["find", files, "-mindepth", "2"] });
    expect(await call({}, { trace })).toMatchObject({ data: `${folder}\n` });
    expect(await call({}, { trace: "t2" })).toMatchObject({ data: "" });
  });

  test("a link in the place of the folder leads nowhere", async () => {
    const argv = ["find", "-L", files, "-name", "secret.txt"] as const;
    const { call, folder, put } = setUp({ argv: () => argv });
    const secret = dirname(put("secrets/secret.txt", "secret"));
    rmSync(folder, { recursive: true });
    symlinkSync(secret, folder);
    expect(await call({}, { trace })).toMatchObject({ data: "" });
  });

  test("a path in the folder of another trace is rejected", async () => {
    const { errorOf, folder, put } = setUp(copying);
    put("input/a.txt", "hello");
    for (const options of [{ trace: "t2" }, {}])
      expect(await errorOf({ folder }, options)).toMatchObject({
        failure: { code: "SCHEMA.VALIDATION_FAILED" },
      });
    expect(readdirSync(folder)).toEqual([]);
  });

  test("a process that may only read the folder can't write there", async () => {
    const { errorOf, folder, put } = setUp({ ...copying, temporary: "read" });
    put("input/a.txt", "hello");
    expect(await errorOf({ folder }, { trace })).toMatchObject({ failure: { exit: { code: 1 } } });
    expect(readdirSync(folder)).toEqual([]);
  });

  test("a process that fills the folder is ended, and its call fails", async () => {
    const write = `const fs = require("fs"); setInterval(() => fs.appendFileSync(process.argv[1], "x".repeat(5000)), 10)`;
    const { errorOf, folder } = setUp({
      argv: (p) => ["node", "-e", write, path("/folder", String(p["folder"]), "/a")],
    });
    expect(await errorOf({ folder }, { trace })).toMatchObject({
      failure: { code: "PROVIDER.UNAVAILABLE", reason: "TEMPORARY_FULL" },
      outcome: "not-done",
    });
  });

  test("a process that ends at once fails if the folder is too large then", async () => {
    const { errorOf, folder, put } = setUp(copying, 4096);
    put("input/a.txt", "x".repeat(5000));
    expect(await errorOf({ folder }, { trace })).toMatchObject({
      failure: { reason: "TEMPORARY_FULL" },
    });
  });

  test("a plan packs files, reads the archive, and leaves no folder", async () => {
    const { directory, put, runtime } = projectWith({ argv: () => ["true"] });
    put("workspace/notes/a.md", "one");
    const answer = await exportNotes({}, { runtime });
    if (answer.status !== "success") throw new Error(answer.status);
    const archive = join(directory, "notes.tar.gz");
    writeFileSync(archive, Buffer.from(answer.data, "base64"));
    const listed = execFileSync("tar", ["--list", "--file", archive], { encoding: "utf8" });
    expect(listed).toBe("notes/\nnotes/a.md\n");
    expect(folders()).toEqual([]);
  });

  test("a plan shares its folder with the plans inside it", async () => {
    const { put, runtime } = projectWith({ argv: () => ["true"] });
    put("workspace/notes/a.md", "one");
    interface Sources {
      readonly params: { readonly folder?: string };
      readonly step_folder: { readonly output: { readonly path: string } };
    }
    const planTool = (name: string, steps: readonly PlanStep<Sources>[]) =>
      defineTool<Sources["params"], Sources["params"], AnyResult>({
        skill: "desk",
        name,
        version: { skill: "s", binding: "b", manifest: "m" },
        effect: "read",
        params: anyParams,
        binding: plan<Sources["params"], Sources, unknown, AnyResult>({
          steps,
          facts: { capabilities: [], credentials: [] } as never,
          output: (from) => from.step_folder?.output.path,
        }),
      });
    const named = { manifest: "m", effect: "read", after: [], needs: [], reads: [] } as const;
    const inner = planTool("inner", [
      step(packNotes, {
        ...named,
        id: "pack",
        toolId: "repo-maintenance/pack-notes",
        params: ({ params: { folder = "" } }: Sources) => ({ folder }),
      }),
    ]);
    const outer = planTool("outer", [
      step(makeFolder, {
        ...named,
        id: "folder",
        toolId: "repo-maintenance/make-folder",
        params: () => ({}),
      }),
      step((params: Sources["params"], options) => callTool(inner, params, options), {
        ...named,
        id: "inner",
        toolId: "desk/inner",
        after: ["folder"],
        params: (from: Sources) => ({ folder: from.step_folder.output.path }),
      }),
    ]);
    expect(await callTool(outer, {}, { runtime })).toMatchObject({ status: "success" });
    expect(folders()).toEqual([]);
  });

  test("a plan that fails leaves no folder", async () => {
    const { put, runtime } = projectWith({ argv: () => ["true"] });
    put("workspace/other.md", "one");
    await expect(exportNotes({}, { runtime })).rejects.toMatchObject({
      failure: { code: "PROVIDER.UNAVAILABLE" },
    });
    expect(folders()).toEqual([]);
  });

  test("a kept run keeps its folder until it ends", async () => {
    const { directory, put, runtime: plain } = projectWith({ argv: () => ["true"] });
    const runs = folderRuns({ directory: join(directory, "runs"), key: Buffer.alloc(32) });
    const { runtime } = projectWith({ argv: () => ["true"] }, { directory, runs } as never);
    await plain.close();
    put("workspace/other.md", "one");
    await expect(exportNotes({}, { runtime, run: "r1" })).rejects.toMatchObject({
      failure: { code: "PROVIDER.UNAVAILABLE" },
    });
    expect(folders()).toHaveLength(1);
    put("workspace/notes/a.md", "one");
    expect(await exportNotes({}, { runtime, run: "r1" })).toMatchObject({ status: "success" });
    expect(folders()).toEqual([]);
  });

  test("a handler's calls share a folder, which its end removes", async () => {
    const { put, runtime } = projectWith(
      { argv: () => ["true"] },
      {
        handlers: {
          "repo-maintenance/export-notes": async (
            _: unknown,
            { callId: parent }: { readonly callId: string },
          ) => {
            const options = { parent, runtime };
            const made = await makeFolder({}, options);
            if (made.status !== "success") throw new Error(made.status);
            const { path: folder } = made.data;
            await packNotes({ folder }, options);
            const read = await readArchive({ folder }, options);
            return "data" in read ? read.data.base64 : "";
          },
        } as never,
      },
    );
    put("workspace/notes/a.md", "one");
    expect(await exportNotes({}, { runtime })).toMatchObject({
      status: "success",
      data: expect.stringMatching(/^H4sI/),
    });
    expect(folders()).toEqual([]);
  });
});
