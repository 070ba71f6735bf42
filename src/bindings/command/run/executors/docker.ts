/** The executor `docker`: one container for each process, without network and privileges. */
import type { ProcessPlan } from "../process.js";
import { spawn } from "node:child_process";
import { coveredPlaces, pinnedFolders, type PlacedCommand } from "./executor.js";

/** Folder of the skill's scripts in the container. */
export const scriptsInContainer = "/skill";

/**
 * Returns the arguments of `docker` that run a command in a new container. Values of environment
 * variables are not among them: Docker takes them from its own environment.
 */
export function dockerArguments(
  command: PlacedCommand,
  image: string,
  user: string,
): readonly string[] {
  const { args, callId, cwd, env, network, program, read, scripts, stdin, temporary, write } =
    command;
  const mount = (path: string, target: string, access: "ro" | "rw"): readonly string[] => [
    "--mount",
    `type=bind,"source=${csv(path)}","target=${csv(target)}"${access === "ro" ? ",readonly" : ""}`,
  ];
  return [
    "run",
    "--rm",
    "--init",
    "--name",
    containerName(callId),
    "--network",
    network,
    "--read-only",
    "--tmpfs",
    "/tmp",
    "--cap-drop",
    "ALL",
    "--security-opt",
    "no-new-privileges",
    "--user",
    user,
    "--workdir",
    cwd,
    ...(stdin === undefined ? [] : ["--interactive"]),
    ...Object.keys(env).flatMap((name) => ["--env", name]),
    ...read.flatMap((path) => mount(path, path, "ro")),
    ...write.flatMap((path) => mount(path, path, "rw")),
    ...pinnedFolders(command, read).flatMap((path) => mount(path, path, "rw")),
    ...temporary.places.flatMap(({ path }) =>
      mount(path, path, temporary.access === "read" ? "ro" : "rw"),
    ),
    ...coveredPlaces(command).flatMap(({ isFolder, path }) =>
      isFolder ? ["--mount", `type=tmpfs,"target=${csv(path)}"`] : mount("/dev/null", path, "ro"),
    ),
    ...(scripts === undefined ? [] : mount(scripts, scriptsInContainer, "ro")),
    image,
    program,
    ...args,
  ];
}

/** Returns the plan of a process in a container. */
export function inContainer(command: PlacedCommand, docker: string, image: string): ProcessPlan {
  const user = `${process.getuid?.() ?? 0}:${process.getgid?.() ?? 0}`;
  return {
    program: docker,
    args: dockerArguments(command, image, user),
    cwd: "/",
    env: { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "/", ...command.env },
    stdin: command.stdin,
    kill: () => {
      const stop = spawn(docker, ["kill", containerName(command.callId)], { stdio: "ignore" });
      stop.on("error", () => undefined);
    },
  };
}

/** Programs behind which an engine has answered. */
const answering = new Set<string>();

/**
 * Returns whether an engine of containers answers. Without it, `docker run` ends with a code that a
 * command in a container can have too. Once an engine has answered, it is not asked again.
 */
export async function answersAsEngine(docker: string): Promise<boolean> {
  if (answering.has(docker)) return true;
  const isThere = await new Promise<boolean>((resolve) => {
    const asking = spawn(docker, ["version"], { stdio: "ignore", timeout: engineMs });
    asking.on("error", () => resolve(false));
    asking.on("exit", (code) => resolve(code === 0));
  });
  if (isThere) answering.add(docker);
  return isThere;
}

/** Time in which an engine answers, in milliseconds. */
const engineMs = 10_000;

function containerName(callId: string): string {
  return `skillc-${callId}`;
}

/** Doubles quotes, as CSV wants in a quoted field. */
function csv(path: string): string {
  return path.replaceAll('"', '""');
}
