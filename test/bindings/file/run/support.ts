import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { FileContract } from "../../../../src/bindings/file/run/contract.js";
import { file } from "../../../../src/bindings/file/run/execute.js";
import { given, path } from "../../../../src/bindings/file/run/file-path.js";
import { callTool } from "../../../../src/runtime/call/call-tool.js";
import type { CallOptions } from "../../../../src/runtime/call/call-options.js";
import { isToolError, type ToolError } from "../../../../src/runtime/errors.js";
import { createRuntime, type RuntimeOptions } from "../../../../src/runtime/runtime.js";
import type { ToolRollback } from "../../../../src/runtime/rollback/tool-rollback.js";
import type { AnyResult } from "../../../../src/runtime/result.js";
import { defineTool } from "../../../../src/runtime/tool.js";
import type { Validator } from "../../../../src/runtime/validation/validation.js";

export type Params = Readonly<Record<string, unknown>>;

const anyParams: Validator<Params> = Object.assign(
  (value: unknown): value is Params => typeof value === "object" && value !== null,
  { errors: null },
);

/** Returns the whole path that a parameter holds. */
export function pathOf(params: Params, name = "path") {
  return path(given(`/${name}`, String(params[name])));
}

/** The contracts of all operations, whose values are parameters. */
const contracts: {
  readonly [Operation in FileContract<Params>["operation"]]: FileContract<Params>;
} = {
  read: {
    operation: "read",
    allowed: ["./notes"],
    request: (p) => ({
      path: pathOf(p),
      offset: p["offset"] as number | undefined,
      length: p["length"] as number | undefined,
    }),
  },
  list: {
    operation: "list",
    allowed: ["./notes"],
    request: (p) => ({
      path: pathOf(p),
      glob: p["glob"] as string | undefined,
      maxDepth: p["depth"] as number | undefined,
      maxFiles: p["files"] as number | undefined,
    }),
  },
  stat: { operation: "stat", allowed: ["./notes"], request: (p) => ({ path: pathOf(p) }) },
  write: {
    operation: "write",
    allowed: ["./notes"],
    request: (p) => ({
      path: pathOf(p),
      content: p["text"] as string,
      overwrite: p["overwrite"] as boolean | undefined,
      createDirectories: p["create"] as boolean | undefined,
    }),
  },
  append: {
    operation: "append",
    allowed: ["./notes"],
    request: (p) => ({
      path: pathOf(p),
      content: p["text"] as string,
      createDirectories: p["create"] as boolean | undefined,
    }),
  },
  move: {
    operation: "move",
    allowed: ["./notes"],
    request: (p) => ({
      path: pathOf(p),
      to: pathOf(p, "to"),
      overwrite: p["overwrite"] as boolean | undefined,
      createDirectories: p["create"] as boolean | undefined,
    }),
  },
  delete: { operation: "delete", allowed: ["./notes"], request: (p) => ({ path: pathOf(p) }) },
  patch: {
    operation: "patch",
    allowed: ["./notes"],
    request: (p) => ({ path: pathOf(p), patch: p["patch"] as string }),
  },
  temporary: {
    operation: "temporary",
    allowed: [],
    request: (p) => ({ sizeBytes: p["size"] as number | undefined }),
  },
};

export type Operation = keyof typeof contracts;

/**
 * A project in a folder of its own, with a folder `notes` that its file tools may use.
 *
 * @param optionsOf options of the runtime, which may depend on the folder
 */
export function notesProject(
  optionsOf: RuntimeOptions | ((directory: string) => RuntimeOptions) = {},
) {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "skillc-file-")));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  mkdirSync(join(directory, "notes"));
  const options = typeof optionsOf === "function" ? optionsOf(directory) : optionsOf;
  const runtime = createRuntime({ directory, ledger: false, env: {}, inherit: false, ...options });
  const call = (
    operation: Operation,
    params: Params,
    {
      contract = {},
      rollback,
      timeoutMs,
      ...more
    }: CallOptions & {
      readonly contract?: Partial<FileContract<Params>>;
      readonly timeoutMs?: number;
      readonly rollback?: ToolRollback<Params>;
    } = {},
  ): Promise<AnyResult> => {
    const isRead = ["read", "list", "stat", "temporary"].includes(operation);
    const tool = defineTool<Params, Params, AnyResult>({
      skill: "desk",
      name: operation,
      version: { skill: "s", binding: "b", manifest: "m" },
      effect: isRead ? "read" : "write",
      maskedParams: [["text"], ["patch"]],
      ...(timeoutMs !== undefined && { timeoutMs }),
      ...(rollback !== undefined && { rollback }),
      params: anyParams,
      // The operation is that of the contract.
      binding: file<Params, AnyResult>({
        ...contracts[operation],
        ...contract,
      } as FileContract<Params>),
    });
    return callTool(tool, params, { runtime, ...more });
  };
  const errorOf = async (...args: Parameters<typeof call>): Promise<ToolError> => {
    const thrown: unknown = await call(...args).catch((error: unknown) => error);
    if (!isToolError(thrown)) throw new Error(`no ToolError, but ${JSON.stringify(thrown)}`);
    return thrown;
  };
  const put = (name: string, text: string | Uint8Array): string => {
    const place = join(directory, name);
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, text);
    return place;
  };
  const textOf = (name: string): string => readFileSync(join(directory, name), "utf8");
  const names = (folder = "notes"): readonly string[] => readdirSync(join(directory, folder));
  return { call, directory, errorOf, names, put, runtime, textOf };
}
