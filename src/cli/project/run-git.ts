/**
 * The only place that starts git. A cloned repository may contain a configuration (an embedded bare
 * repository does), and configurations can name programs: a file system monitor, hooks, transports.
 * None of them is run. Git itself runs without a shell, and is searched for outside of the project.
 */
import { execFile } from "node:child_process";
import { dirname } from "node:path";
import { visible } from "../console/visible.js";

export interface GitQuestion {
  /** Absolute path of the folder to query. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly args: readonly string[];
  /** Standard input of git. */
  readonly input?: string;
  /** Git is ended after so many milliseconds; never when not given. */
  readonly timeoutMs?: number;
}

export type GitAnswer =
  | { readonly kind: "done"; readonly stdout: Buffer }
  | {
      readonly kind: "failed";
      readonly reason: string;
      /** Undefined when git did not start, or was ended. */
      readonly exitCode: number | undefined;
    };

const safeOptions = [
  "--no-pager",
  ...[
    // A program that git would ask which files have changed.
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    // Folders that look like a repository, and that a clone may have, are none. Since Git 2.38.
    "safe.bareRepository=explicit",
  ].flatMap((setting) => ["-c", setting]),
];

const safeEnvironment = {
  GIT_OPTIONAL_LOCKS: "0",
  // Objects that a partial clone lacks stay missing: to fetch them would run a transport. Since Git 2.45.
  GIT_NO_LAZY_FETCH: "1",
  // The same for every version: no protocol may be used.
  GIT_ALLOW_PROTOCOL: "",
  GIT_TERMINAL_PROMPT: "0",
  // A git hook sets these to its own repository, which may not be that of the folder.
  GIT_DIR: undefined,
  GIT_WORK_TREE: undefined,
  GIT_INDEX_FILE: undefined,
  GIT_PREFIX: undefined,
  GIT_COMMON_DIR: undefined,
  GIT_OBJECT_DIRECTORY: undefined,
  GIT_ALTERNATE_OBJECT_DIRECTORIES: undefined,
  GIT_NAMESPACE: undefined,
};

/** More than any folder of skills has, and less than a text of JavaScript can hold. */
const maxOutput = 400 * 1024 * 1024;

/** Runs git without changes to the working tree, the index and the repository. */
export function runGit({
  args,
  env,
  folder,
  input = "",
  timeoutMs,
}: GitQuestion): Promise<GitAnswer> {
  const options = {
    // Windows looks for a program in the working directory first.
    cwd: dirname(process.execPath),
    encoding: "buffer",
    env: { ...env, ...safeEnvironment },
    maxBuffer: maxOutput,
    ...(timeoutMs !== undefined && { timeout: timeoutMs }),
  } as const;
  return new Promise((resolve) => {
    const child = execFile(
      "git",
      ["-C", folder, ...safeOptions, ...args],
      options,
      (error, stdout, stderr) => {
        if (error === null) resolve({ kind: "done", stdout });
        else resolve(failureOf(error, stderr));
      },
    );
    // Git may end before it has read all; its exit code tells why.
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(input);
  });
}

function failureOf(error: Error & { readonly code?: unknown }, stderr: Buffer): GitAnswer {
  const exitCode = typeof error.code === "number" ? error.code : undefined;
  if (error.code === "ENOENT")
    return { kind: "failed", reason: "the program `git` is not installed", exitCode };
  const [line = ""] = stderr.toString("utf8").split("\n");
  const reason = line === "" ? `it ended with ${String(error.code)}` : visible(line);
  return { kind: "failed", reason, exitCode };
}
