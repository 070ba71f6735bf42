/**
 * The executor `sandbox`: bubblewrap. The process sees a read-only system, an empty home folder, a
 * private /tmp and /proc, and only the folders of its skill.
 */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { availableParallelism } from "node:os";
import { findProgram, packageRoots } from "../find-program.js";
import type { ProcessPlan } from "../process.js";
import { isIn } from "../../../../runtime/files/project-secrets.js";
import { maxLayerBytes } from "../layers/place.js";
import type { LayerView } from "../layers/view.js";
import { coveredPlaces, environmentOf, pinnedFolders, type PlacedCommand } from "./executor.js";

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

/** Size of each folder in memory to which a process may write, in bytes. */
const memoryFolderBytes = 256 * 1024 ** 2;

/**
 * Options that need bubblewrap 0.8: no new user namespace, in which a process would get privileges
 * again, and limits for folders in memory.
 */
const modern = {
  namespaces: ["--unshare-user", "--disable-userns"],
  size: ["--size", String(memoryFolderBytes)],
} as const;

/**
 * Returns the options of bubblewrap for a command. They may contain secrets, so bubblewrap reads
 * them from a pipe, and not from its arguments, which other users can see.
 *
 * @param roots folders of the program and its interpreters
 * @param isModern true if bubblewrap has the options of version 0.8
 * @param view what the process gets in place of the folders that it may change
 */
export function sandboxOptions(
  command: PlacedCommand,
  roots: readonly string[],
  isModern: boolean,
  view?: LayerView,
): readonly string[] {
  const { cwd, network } = command;
  const hasNetwork = network === "host";
  const shown = [...system, ...(hasNetwork ? networkSystem : [])];
  const size = isModern ? modern.size : [];
  return [
    "--unshare-all",
    ...(hasNetwork ? ["--share-net"] : []),
    ...confinement(isModern),
    ...(view?.hasOwnUsers === true ? ownUser() : []),
    "--die-with-parent",
    "--new-session",
    "--clearenv",
    ...Object.entries(environmentOf(command, home)).flatMap(([name, value]) => [
      "--setenv",
      name,
      value,
    ]),
    ...size,
    "--tmpfs",
    "/tmp",
    "--proc",
    "/proc",
    "--dev",
    "/dev",
    ...size,
    "--tmpfs",
    "/dev/shm",
    // Before the system, which may hold it.
    "--dir",
    cwd,
    ...shown.flatMap((path) => ["--ro-bind-try", path, path]),
    ...mountsOf(command, roots, view),
    // The folders around the mounts are in memory, without a limit.
    "--remount-ro",
    "/dev",
    "--remount-ro",
    "/",
    "--chdir",
    cwd,
  ];
}

/**
 * Takes all privileges. A process of root would keep them, and could mount a read-only folder
 * again, writable.
 */
function confinement(isModern: boolean): readonly string[] {
  return [...(isModern ? modern.namespaces : []), "--cap-drop", "ALL"];
}

/** In a namespace with users of its own this process is root, and its process would be too. */
function ownUser(): readonly string[] {
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  return ["--unshare-user", "--uid", String(uid), "--gid", String(gid)];
}

function mountsOf(
  command: PlacedCommand,
  roots: readonly string[],
  view: LayerView | undefined,
): readonly string[] {
  const { read, scripts, temporary, write } = command;
  const mounts = new Map<string, readonly string[]>();
  const readOnly = [...roots, ...(scripts === undefined ? [] : [scripts]), ...read];
  for (const path of readOnly) mounts.set(path, ["--ro-bind", path, path]);
  for (const path of write) mounts.set(path, ["--bind", view?.mergedOf(path) ?? path, path]);
  // A layer renames no folder that was there before.
  if (view === undefined)
    for (const path of pinnedFolders(command, readOnly)) mounts.set(path, ["--bind", path, path]);
  for (const { path } of temporary.places)
    mounts.set(path, [temporary.access === "read" ? "--ro-bind" : "--bind", path, path]);
  for (const { isFolder, path } of coveredPlaces(command))
    if (!mounts.has(path))
      mounts.set(
        path,
        isFolder ? ["--tmpfs", path, "--remount-ro", path] : ["--ro-bind-data", "5", path],
      );
  // An inner folder must be mounted after the one around it.
  return [...mounts].toSorted(([a], [b]) => (a < b ? -1 : 1)).flatMap(([, options]) => options);
}

/** Maximum memory of one process, in bytes. */
const maxMemory = 4 * 1024 ** 3;
/** Maximum size of one file that a process writes, in bytes. */
const maxFile = 2 * 1024 ** 3;

/** Maximum number of processes and threads in one sandbox. The system sets no limit for root. */
const maxProcesses = 512;

/**
 * Returns the arguments of `prlimit`, up to the program that it starts.
 *
 * @param fileBytes maximum size of one file that the process writes, in bytes
 */
export function limitArguments(
  { timeoutMs }: Pick<PlacedCommand, "timeoutMs">,
  fileBytes = maxFile,
): readonly string[] {
  // Each thread has a processor of its own at most.
  const seconds = Math.ceil(timeoutMs / 1000) * availableParallelism();
  return [`--cpu=${seconds}`, `--data=${maxMemory}`, `--fsize=${fileBytes}`, "--core=0", "--"];
}

/**
 * Returns the plan of a process in bubblewrap.
 *
 * @param view what the process gets in place of the folders that it may change
 */
export function inSandbox(
  command: PlacedCommand,
  { bwrap, isModern, prlimit }: Sandbox,
  view?: LayerView,
): ProcessPlan {
  const { args, directory, program, stdin, temporary, write } = command;
  const { HOME: home, PATH: path } = process.env;
  const roots = packageRoots(program, { directory, home, path }).filter((each) => !isSystem(each));
  // Inside, so that the system counts only the processes of this sandbox.
  const limited =
    prlimit === undefined || process.getuid?.() === 0
      ? [program]
      : [prlimit, `--nproc=${maxProcesses}`, "--", program];
  const temporaryBytes =
    temporary.access === "read" ? [] : temporary.places.map(({ bytes }) => bytes);
  // The folders in memory have this limit too.
  const isSmall = view !== undefined || (write.length === 0 && temporaryBytes.length > 0);
  const fileBytes = isSmall ? Math.max(maxLayerBytes, ...temporaryBytes) : maxFile;
  const inner = ["--args", "4", "--json-status-fd", "3", "--", ...limited, ...args];
  const [first, ...rest] = [
    ...(view?.enter ?? []),
    ...(prlimit === undefined ? [] : [prlimit, ...limitArguments(command, fileBytes)]),
    bwrap,
    ...inner,
  ];
  return {
    program: first ?? bwrap,
    args: rest,
    cwd: "/",
    env: {},
    stdin,
    sandboxOptions: sandboxOptions(command, roots, isModern, view),
  };
}

function isSystem(path: string): boolean {
  return system.some((each) => isIn(each, path));
}

/** Programs of a sandbox that works here. */
export interface Sandbox {
  /** Absolute path of bubblewrap. */
  readonly bwrap: string;
  /** True if bubblewrap has the options of version 0.8. */
  readonly isModern: boolean;
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
  const prlimit = findProgram("prlimit", path);
  if (problemWith(bwrap, true) === undefined) return { bwrap, isModern: true, prlimit };
  const problem = problemWith(bwrap, false);
  return problem === undefined
    ? { bwrap, isModern: false, prlimit }
    : { problem: `bubblewrap does not work here: ${problem}` };
}

/** Starts a program in bubblewrap; returns the reason why that fails. */
function problemWith(bwrap: string, isModern: boolean): string | undefined {
  const program = ["/usr/bin/true", "/bin/true"].find((each) => fs.existsSync(each)) ?? "true";
  const options = [
    "--unshare-all",
    ...confinement(isModern),
    "--die-with-parent",
    ...(isModern ? modern.size : []),
    "--tmpfs",
    "/tmp",
    "--proc",
    "/proc",
    "--dev",
    "/dev",
    ...system.flatMap((each) => ["--ro-bind-try", each, each]),
  ];
  const { error, status, stderr } = spawnSync(bwrap, [...options, "--", program], {
    encoding: "utf8",
    timeout: probeMs,
  });
  if (status === 0) return undefined;
  const [line = ""] = (error?.message ?? stderr).trim().split("\n");
  return line;
}
