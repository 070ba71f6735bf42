/**
 * Starts Git; no other module may. A cloned repository may contain a configuration (an embedded
 * bare repository does). A configuration can name programs: a file system monitor, hooks,
 * transports. Git runs none of them here. It runs without a shell, and is searched for outside of
 * the project.
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
  /** Time limit in milliseconds; none by default. */
  readonly timeoutMs?: number;
}

export type GitAnswer =
  | { readonly kind: "done"; readonly stdout: Buffer }
  | {
      readonly kind: "failed";
      readonly reason: string;
      /** Undefined if Git did not start, or was stopped. */
      readonly exitCode: number | undefined;
    };

const safeOptions = [
  "--no-pager",
  ...[
    // Stops Git from running a program that lists changed files.
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    // Rejects folders that look like a bare repository, which a clone may contain. Since Git 2.38.
    "safe.bareRepository=explicit",
  ].flatMap((setting) => ["-c", setting]),
];

const safeEnvironment = {
  GIT_OPTIONAL_LOCKS: "0",
  // Leaves objects missing that a partial clone lacks, because fetching runs a transport. Since Git
  // 2.45.
  GIT_NO_LAZY_FETCH: "1",
  // Forbids every protocol, which has the same effect in all versions.
  GIT_ALLOW_PROTOCOL: "",
  GIT_TERMINAL_PROMPT: "0",
  // A Git hook sets these to its own repository, which may be another one.
  GIT_DIR: undefined,
  GIT_WORK_TREE: undefined,
  GIT_INDEX_FILE: undefined,
  GIT_PREFIX: undefined,
  GIT_COMMON_DIR: undefined,
  GIT_OBJECT_DIRECTORY: undefined,
  GIT_ALTERNATE_OBJECT_DIRECTORIES: undefined,
  GIT_NAMESPACE: undefined,
};

/**
 * Maximum output in bytes: more than any folder of skills needs, and less than the longest text of
 * JavaScript.
 */
const maxOutput = 400 * 1024 * 1024;

/** Runs Git without changes to the working tree, the index and the repository. */
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
    // Git may end before it has read its input. The exit code tells why.
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
