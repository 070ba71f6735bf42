/**
 * The executor `sandbox`: bubblewrap. The process sees a read-only system, an empty home folder, a
 * private /tmp and /proc, and only the folders of its skill.
 */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { availableParallelism } from "node:os";
import { findProgram, packageRoots } from "../find-program.js";
import type { ProcessPlan } from "../process.js";
import { environmentOf, type PlacedCommand } from "./executor.js";

/** Parts of the system that every process may read, if they exist. */
const system = [
  "/usr",
  "/bin",
  "/sbin",
  "/lib",
  "/lib32",
  "/lib64",
  "/libx32",
  "/etc/alternatives",
  "/etc/group",
  "/etc/ld.so.cache",
  "/etc/ld.so.conf",
  "/etc/ld.so.conf.d",
  "/etc/localtime",
  "/etc/nsswitch.conf",
  "/etc/passwd",
  "/etc/timezone",
];

/** Parts of the system for a process that may use the network. */
const networkSystem = [
  "/etc/ca-certificates",
  "/etc/host.conf",
  "/etc/hosts",
  "/etc/pki",
  "/etc/resolv.conf",
  "/etc/services",
  "/etc/ssl",
];

/** Home folder in the sandbox: empty, and gone after the call. */
const home = "/tmp";

/**
 * Returns the options of bubblewrap for a command. They may contain secrets, so bubblewrap reads
 * them from a pipe, and not from its arguments, which other users can see.
 *
 * @param roots folders of the program and its interpreters
 */
export function sandboxOptions(
  command: PlacedCommand,
  roots: readonly string[],
): readonly string[] {
  const { cwd, network, read, scripts, write } = command;
  const hasNetwork = network === "host";
  const shown = [...system, ...(hasNetwork ? networkSystem : [])];
  const folders = [...roots, ...(scripts === undefined ? [] : [scripts]), ...read];
  return [
    "--unshare-all",
    ...(hasNetwork ? ["--share-net"] : []),
    "--die-with-parent",
    "--new-session",
    "--clearenv",
    ...Object.entries(environmentOf(command, home)).flatMap(([name, value]) => [
      "--setenv",
      name,
      value,
    ]),
    "--tmpfs",
    "/tmp",
    "--proc",
    "/proc",
    "--dev",
    "/dev",
    // Before the system, which may hold it.
    "--dir",
    cwd,
    ...shown.flatMap((path) => ["--ro-bind-try", path, path]),
    // An inner folder must be mounted after the one around it.
    ...mountsOf(folders, write),
    "--chdir",
    cwd,
  ];
}

function mountsOf(read: readonly string[], write: readonly string[]): readonly string[] {
  const mounts = new Map<string, "--bind" | "--ro-bind">();
  for (const path of read) mounts.set(path, "--ro-bind");
  for (const path of write) mounts.set(path, "--bind");
  const ordered = [...mounts].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return ordered.flatMap(([path, option]) => [option, path, path]);
}

/** Maximum memory of one process, in bytes. */
const maxMemory = 4 * 1024 ** 3;
/** Maximum size of one file that a process writes, in bytes. */
const maxFile = 2 * 1024 ** 3;

/** Returns the arguments of `prlimit`, up to the program that it starts. */
export function limitArguments({ timeoutMs }: Pick<PlacedCommand, "timeoutMs">): readonly string[] {
  // Each thread has a processor of its own at most.
  const seconds = Math.ceil(timeoutMs / 1000) * availableParallelism();
  return [`--cpu=${seconds}`, `--data=${maxMemory}`, `--fsize=${maxFile}`, "--core=0", "--"];
}

/** Returns the plan of a process in bubblewrap. */
export function inSandbox(command: PlacedCommand, { bwrap, prlimit }: Sandbox): ProcessPlan {
  const { args, program, stdin } = command;
  const roots = packageRoots(program, process.env["PATH"]).filter((each) => !isSystem(each));
  const inner = ["--args", "4", "--json-status-fd", "3", "--", program, ...args];
  const [first, ...rest] =
    prlimit === undefined
      ? [bwrap, ...inner]
      : [prlimit, ...limitArguments(command), bwrap, ...inner];
  return {
    program: first ?? bwrap,
    args: rest,
    cwd: "/",
    env: {},
    stdin,
    sandboxOptions: sandboxOptions(command, roots),
  };
}

function isSystem(path: string): boolean {
  return system.some((each) => path === each || path.startsWith(`${each}/`));
}

/** Programs of a sandbox that works here. */
export interface Sandbox {
  /** Absolute path of bubblewrap. */
  readonly bwrap: string;
  /** Absolute path of `prlimit`; undefined if it is missing, and so memory is not limited. */
  readonly prlimit: string | undefined;
}

let probed: Sandbox | { readonly problem: string } | undefined;

/** Returns the sandbox, or the reason why bubblewrap doesn't work here. It asks once per process. */
export function probeSandbox(): Sandbox | { readonly problem: string } {
  probed ??= probe(process.env["PATH"]);
  return probed;
}

const probeMs = 10_000;

function probe(path: string | undefined): Sandbox | { readonly problem: string } {
  if (process.platform !== "linux") return { problem: "bubblewrap works on Linux alone" };
  const bwrap = findProgram("bwrap", path);
  if (bwrap === undefined) return { problem: "bubblewrap (`bwrap`) is not installed" };
  const program = ["/usr/bin/true", "/bin/true"].find((each) => fs.existsSync(each)) ?? "true";
  const mounts = system.flatMap((each) => ["--ro-bind-try", each, each]);
  const options = ["--unshare-all", "--die-with-parent", "--proc", "/proc", "--dev", "/dev"];
  const { error, status, stderr } = spawnSync(bwrap, [...options, ...mounts, "--", program], {
    encoding: "utf8",
    timeout: probeMs,
  });
  if (status === 0) return { bwrap, prlimit: findProgram("prlimit", path) };
  const [line = ""] = (error?.message ?? stderr).trim().split("\n");
  return { problem: `bubblewrap does not work here: ${line}` };
}
