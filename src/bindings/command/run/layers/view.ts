/**
 * The view of allowed folders with their layers above them. A process that waits holds the mounts
 * in a namespace of its own. Programs are started in this namespace. This process reads the view
 * through the root folder of the waiting process, so nothing has to be started to list effects.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { findProgram } from "../find-program.js";
import type { Layer, LayerFolder } from "./place.js";

/** A mounted view. Close it after use. */
export interface LayerView {
  /** Program and arguments that start another program in the view's namespace. */
  readonly enter: readonly [program: string, ...args: readonly string[]];
  /** True if the namespace has users of its own, in which this process is root. */
  readonly hasOwnUsers: boolean;
  /** Returns the path, in the namespace, of the view of a folder; undefined without a layer. */
  mergedOf(lower: string): string | undefined;
  /** Returns the path by which this process reaches the view of a layer. */
  pathOf(layer: Layer): string;
  /** Ends the view. It never rejects. */
  close(): Promise<void>;
}

/** Mounts the overlay of each numbered folder below `$1` by the program `$2`, and waits. */
const holdMounts = `
cd "$1" || exit 1
n=0
while [ -d "$n" ]; do
  cd "$n" || exit 1
  o=userxattr,lowerdir=lower,upperdir=upper,workdir=work
  if [ -d work/work/incompat ]; then rm -r work/work/incompat; fi
  "$2" -t overlay overlay -o volatile,$o merged 2>/dev/null || "$2" -t overlay overlay -o $o merged || exit 1
  cd ..
  n=$((n + 1))
done
echo ready
read -r _
exit 0`;

/** Programs of util-linux, and a shell. */
interface Programs {
  readonly mount: string;
  readonly nsenter: string;
  readonly sh: string;
  readonly unshare: string;
}

/**
 * Mounts the view of layers.
 *
 * @returns the reason if this machine has no overlays for this user and these folders
 */
export async function openView(
  folder: LayerFolder,
): Promise<LayerView | { readonly problem: string }> {
  const programs = findPrograms();
  if ("problem" in programs) return programs;
  // Root's own namespace shows the owners of files as they are.
  const first = process.getuid?.() === 0 ? await hold(folder, programs, false) : undefined;
  if (first !== undefined && !("problem" in first)) return first;
  return hold(folder, programs, true);
}

function findPrograms(): Programs | { readonly problem: string } {
  if (process.platform !== "linux") return { problem: "overlays exist on Linux alone" };
  const path = process.env["PATH"];
  const [mount, nsenter, sh, unshare] = ["mount", "nsenter", "sh", "unshare"].map((each) =>
    findProgram(each, path),
  );
  if (!mount || !nsenter || !sh || !unshare)
    return { problem: "`unshare`, `nsenter` and `mount` of util-linux are not installed" };
  return { mount, nsenter, sh, unshare };
}

async function hold(
  folder: LayerFolder,
  { mount, nsenter, sh, unshare }: Programs,
  hasOwnUsers: boolean,
): Promise<LayerView | { readonly problem: string }> {
  const namespaces = hasOwnUsers ? ["-Urm"] : ["-m"];
  // A group of its own: a signal of the terminal must not end the view before its call.
  const holder = spawn(
    unshare,
    [...namespaces, "--", sh, "-c", holdMounts, "sh", folder.path, mount],
    { cwd: "/", env: {}, detached: true, stdio: ["pipe", "pipe", "pipe"] },
  );
  const problem = await problemOf(holder);
  if (problem !== undefined) return { problem };
  const enter = hasOwnUsers ? ["--preserve-credentials", "-U", "-m"] : ["-m"];
  return {
    enter: [nsenter, ...enter, "-t", String(holder.pid), "--"],
    hasOwnUsers,
    mergedOf: (lower) => folder.layers.find((each) => each.lower === lower)?.merged,
    pathOf: ({ merged }) => `/proc/${holder.pid}/root${merged}`,
    close: () => endOf(holder),
  };
}

/** Waits until the mounts are there; returns the reason if they can't be made. */
function problemOf(holder: ChildProcess): Promise<string | undefined> {
  return new Promise((resolve) => {
    let complaint = "";
    holder.stdin?.on("error", () => undefined);
    holder.stdout?.once("data", () => resolve(undefined));
    holder.stderr?.on("data", (chunk: Buffer) => void (complaint += chunk.toString()));
    holder.once("error", (error) => resolve(error.message));
    holder.once("close", () => resolve(complaint.trim().split("\n")[0] ?? ""));
  });
}

/** The waiting process ends when its input does, so it also ends if this process is killed. */
function endOf(holder: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (holder.exitCode !== null || holder.signalCode !== null) resolve();
    else holder.once("close", () => resolve());
    holder.stdin?.end();
  });
}
