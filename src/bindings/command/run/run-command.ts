/** Runs the process of one call, and makes the answer of its end. */
import { isUtf8 } from "node:buffer";
import { ToolError } from "../../../runtime/errors.js";
import { deepestJson, isTooDeep, parseJson, UnheldNumber } from "../../../runtime/json/json.js";
import type { AnyResult } from "../../../runtime/result.js";
import { isLargerThan, watchSize } from "../../../runtime/files/folder-size.js";
import { makeRecords, replaceableSecret } from "../../../runtime/files/project-secrets.js";
import { systemCode } from "../../../runtime/files/system-code.js";
import type { TemporaryPlace } from "../../../runtime/files/temporary-folders.js";
import type { Attempt, AttemptOutcome } from "../../../runtime/call/attempt.js";
import { type CommandContract, usualOutputBytes } from "./contract.js";
import { answersAsEngine, inContainer } from "./executors/docker.js";
import type { PlacedCommand } from "./executors/executor.js";
import { onHost } from "./executors/host.js";
import { inSandbox, probeSandbox, type Sandbox } from "./executors/sandbox.js";
import { findProgram } from "./find-program.js";
import type { LayerView } from "./layers/view.js";
import { keptBy, OutputHead, OutputTail } from "./output.js";
import { unplaced } from "./place-command.js";
import { type ProcessEnd, type ProcessPlan, startProcess } from "./process.js";

/** The settings by which a command runs. */
export type Contract = Omit<CommandContract<never>, "argv" | "env" | "stdin">;

/**
 * Runs a command.
 *
 * @throws ToolError if it can't be started, ends with a code without a name, or prints what the
 * contract doesn't allow
 */
export async function runCommand(
  plan: ProcessPlan,
  command: Pick<PlacedCommand, "args" | "shownProgram" | "temporary">,
  { attempt, contract }: { readonly attempt: Attempt; readonly contract: Contract },
): Promise<AttemptOutcome<AnyResult>> {
  attempt.hooks.starting?.({ program: command.shownProgram, args: command.args });
  attempt.requireTurn?.();
  const scrubber = scrubberOf(attempt);
  const stdout = new OutputHead(contract.maxOutputBytes ?? usualOutputBytes);
  const stderr = new OutputTail(scrubber.longest());
  const end = await endOf(watched(plan, command.temporary), attempt, {
    stdout: keptBy(attempt, "stdout", (chunk) => stdout.take(chunk)),
    stderr: keptBy(attempt, "stderr", (chunk) => stderr.take(chunk)),
  });
  const failed = { contract, attempt, stderr: stderr.text((text) => scrubber.scrub(text)) };
  if (!end.isStarted) throw notStarted(failed);
  const full = await fullOf(command.temporary);
  if (full !== undefined) throw temporaryFull(failed, end, full);
  const { code } = end;
  const status = code === null ? undefined : statusOf(contract, code);
  if (code === null || status === undefined) throw endedBadly(failed, end);
  if (code !== 0 && status !== "success") {
    const error = { exit_code: code, stderr: failed.stderr };
    // Nobody knows what a write did before it ended like this.
    return {
      result: { status, error } as AnyResult,
      ...(isWrite(contract) && { outcome: "unknown" }),
    };
  }
  if (stdout.isCut && contract.output !== "none") throw tooMuch(failed);
  const data = dataOf(contract, stdout.bytes(), failed);
  return { result: { status, data } as AnyResult };
}

/** Returns a temporary folder that has more than it may have. */
async function fullOf({
  access,
  places,
}: PlacedCommand["temporary"]): Promise<TemporaryPlace | undefined> {
  if (access === "read") return undefined;
  for (const place of places) if (await isLargerThan([place.path], place.bytes)) return place;
  return undefined;
}

/** Adds that a process ends when it has filled a temporary folder. */
function watched(plan: ProcessPlan, temporary: PlacedCommand["temporary"]): ProcessPlan {
  if (temporary.access === "read" || temporary.places.length === 0) return plan;
  const isFull = async () => (await fullOf(temporary)) !== undefined;
  return {
    ...plan,
    watch: (stop) => {
      const unwatch = [plan.watch?.(stop), watchSize(isFull, stop)];
      return () => unwatch.forEach((each) => each?.());
    },
  };
}

/** Output that nobody can clean must not be read. */
function scrubberOf({ scrubber }: Attempt): NonNullable<Attempt["scrubber"]> {
  if (scrubber === undefined) throw new Error("a command needs the scrubber of a runtime");
  return scrubber;
}

/**
 * Returns how the process of a command starts.
 *
 * @throws ToolError if the executor of the command does not work here
 */
export async function planOf(
  command: PlacedCommand,
  contract: Contract,
  attempt: Attempt,
): Promise<ProcessPlan> {
  const { executor = "sandbox", sandbox } = contract;
  if (executor === "host") return onHost(command);
  makeRecords(command.directory, command.write);
  if (executor === "docker") {
    requireSafeProject(command, attempt);
    return containerPlan(command, contract, attempt);
  }
  if (sandbox === "external") {
    attempt.noteContainment?.("external");
    return onHost(command);
  }
  const found = probeSandbox();
  if (!("problem" in found)) {
    requireSafeProject(command, attempt);
    return sandboxPlan(command, found, attempt);
  }
  if (sandbox !== "preferred")
    throw unplaced(
      attempt,
      `${found.problem}; install it, or set \`commands: { sandbox: preferred }\` in skillc.yaml`,
    );
  attempt.noteContainment?.("none");
  return onHost(command);
}

/** A cover needs a file below it. Nothing could remove a new one without a race. */
function requireSafeProject({ directory, write }: PlacedCommand, attempt: Attempt): void {
  const name = replaceableSecret(directory, write);
  if (name === undefined) return;
  throw unplaced(
    attempt,
    `its process could put a file of its own in the place of \`${name}\` of the project, which is missing or a link: put an ordinary file there, which may be empty, or allow smaller folders`,
  );
}

/**
 * Returns how a process starts in bubblewrap.
 *
 * @param view what the process gets in place of the folders that it may change
 * @throws ToolError if its program can't be read
 */
export function sandboxPlan(
  command: PlacedCommand,
  sandbox: Sandbox,
  attempt: Attempt,
  view?: LayerView,
): ProcessPlan {
  try {
    return inSandbox(command, sandbox, view);
  } catch (cause) {
    const code = systemCode(cause);
    if (code === undefined) throw cause;
    // The program or its interpreter was there a moment ago.
    throw unplaced(attempt, `the system can't read its program or its folders (${code})`);
  }
}

async function containerPlan(
  command: PlacedCommand,
  { docker }: Contract,
  attempt: Attempt,
): Promise<ProcessPlan> {
  const program = findProgram("docker", process.env["PATH"]);
  if (program === undefined) throw unplaced(attempt, "there is no program `docker`");
  if (docker === undefined) throw unplaced(attempt, "it names no image of a container");
  if (!(await answersAsEngine(program)))
    throw unplaced(attempt, "no engine of containers answers to `docker version`");
  if (attempt.signal.aborted) throw unplaced(attempt, "its call has ended");
  return inContainer(command, program, docker.image);
}

/** Starts a process and waits for its end. If the attempt is aborted, its process ends first. */
async function endOf(
  plan: ProcessPlan,
  attempt: Attempt,
  sinks: Parameters<typeof startProcess>[1],
): Promise<ProcessEnd> {
  let unwatch: (() => void) | undefined;
  try {
    const running = startProcess(plan, sinks);
    attempt.whenAborted?.(() => running.stop());
    unwatch = plan.watch?.(() => void running.stop());
    return await running.ended;
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "unknown";
    throw unplaced(attempt, `the system refuses to start it (${code})`);
  } finally {
    unwatch?.();
  }
}

/** Returns the status of an exit code; undefined for a code without a name. */
function statusOf({ exitCodes = {} }: Contract, code: number): string | undefined {
  const named = Object.hasOwn(exitCodes, code) ? exitCodes[String(code)] : undefined;
  return named ?? (code === 0 ? "success" : undefined);
}

interface Failed {
  readonly contract: Contract;
  readonly attempt: Attempt;
  /** End of standard error, without credentials. */
  readonly stderr: string;
}

function isWrite({ effect }: Contract): boolean {
  return effect === "write";
}

function notStarted({ attempt, stderr }: Failed): ToolError {
  return unplaced(attempt, `bubblewrap ended before the program began: ${stderr.trim()}`);
}

function endedBadly(
  { attempt, contract, stderr }: Failed,
  { code, signal }: ProcessEnd,
): ToolError {
  const how = code === null ? `was ended by ${signal ?? "a signal"}` : `ended with code ${code}`;
  return new ToolError(
    attempt.tool,
    {
      code: "PROVIDER.UNAVAILABLE",
      reason: code === null ? (signal ?? "signal") : `exit code ${code}`,
      exit: { code, signal, stderr },
    },
    `the process of \`${attempt.tool}\` ${how}${stderr.trim() === "" ? "" : `: ${stderr.trim()}`}`,
    { attempts: attempt.number, outcome: isWrite(contract) ? "unknown" : "not-done" },
  );
}

function temporaryFull(
  { attempt, contract, stderr }: Failed,
  { code, signal }: ProcessEnd,
  { bytes }: TemporaryPlace,
): ToolError {
  const exit = { code, signal, stderr };
  return new ToolError(
    attempt.tool,
    { code: "PROVIDER.UNAVAILABLE", reason: "TEMPORARY_FULL", exit },
    `the process of \`${attempt.tool}\` put more than ${bytes} bytes into the temporary folder`,
    { attempts: attempt.number, outcome: isWrite(contract) ? "unknown" : "not-done" },
  );
}

function tooMuch({ attempt, contract }: Failed): ToolError {
  const { maxOutputBytes = usualOutputBytes } = contract;
  return unreadable({ attempt, contract }, `the output has more than ${maxOutputBytes} bytes`);
}

function unreadable(
  { attempt, contract }: Pick<Failed, "attempt" | "contract">,
  reason: string,
): ToolError {
  return new ToolError(
    attempt.tool,
    { code: "PROVIDER.PROTOCOL", reason },
    `the output of \`${attempt.tool}\` can't be read: ${reason}`,
    { attempts: attempt.number, outcome: isWrite(contract) ? "unknown" : "not-done" },
  );
}

/** Reads the output, without credentials. */
function dataOf({ output = "text" }: Contract, bytes: Buffer, failed: Failed): unknown {
  const scrubber = scrubberOf(failed.attempt);
  if (output === "none") return null;
  if (!isUtf8(bytes)) throw unreadable(failed, "it is not UTF-8");
  const written = bytes.toString("utf8");
  if (output === "json") return scrubber.scrubValue(jsonOf(written, failed));
  const text = scrubber.scrub(written);
  if (output === "text") return text;
  return text === "" ? [] : text.replace(/\r?\n$/, "").split(/\r?\n/);
}

function jsonOf(text: string, failed: Failed): unknown {
  if (isTooDeep(text)) throw unreadable(failed, `its JSON nests deeper than ${deepestJson} levels`);
  try {
    return parseJson(text);
  } catch (error) {
    throw unreadable(failed, error instanceof UnheldNumber ? error.message : "it is not JSON");
  }
}
