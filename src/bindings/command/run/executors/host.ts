/** The executor `host`: nothing confines the process, except that it ends with this one. */
import { findProgram } from "../find-program.js";
import type { ProcessPlan } from "../process.js";
import { environmentOf, type PlacedCommand } from "./executor.js";

/** Returns the plan of a process on this machine. */
export function onHost(command: PlacedCommand): ProcessPlan {
  const { args, cwd, program, stdin } = command;
  const env = environmentOf(command, process.env["HOME"]);
  const setpriv = process.platform === "linux" ? findProgram("setpriv", env["PATH"]) : undefined;
  // The kernel kills the process if this one dies. Its children survive.
  const prefix = setpriv === undefined ? [] : ["--pdeathsig", "KILL", "--", program];
  return { program: setpriv ?? program, args: [...prefix, ...args], cwd, env, stdin };
}
