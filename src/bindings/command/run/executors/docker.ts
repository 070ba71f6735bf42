/** The executor `docker`: one container for each process, without network and privileges. */
import type { ProcessPlan } from "../process.js";
import { spawn } from "node:child_process";
import type { PlacedCommand } from "./executor.js";

/** Folder of the skill's scripts in the container. */
export const scriptsInContainer = "/skill";

/**
 * Returns the arguments of `docker` that run a command in a new container. Values of environment
 * variables are not among them: Docker takes them from its own environment.
 */
export function dockerArguments(
  { args, callId, cwd, env, network, program, read, scripts, stdin, write }: PlacedCommand,
  image: string,
  user: string,
): readonly string[] {
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

function containerName(callId: string): string {
  return `skillc-${callId}`;
}

/** Doubles quotes, as CSV wants in a quoted field. */
function csv(path: string): string {
  return path.replaceAll('"', '""');
}
