import { type TemporaryOwner, temporaryKey } from "../files/temporary-folders.js";
import type { CallIdentity } from "./binding.js";
import { innerCallOf } from "./inner-call.js";

/**
 * Returns who shares the temporary folders of a call: the kept run, else the outermost plan, else
 * the call that makes it, else its trace. Undefined for a call that has none of these.
 *
 * @param directory the project's folder
 */
export function temporaryOwner(
  { caller, options = {} }: CallIdentity,
  directory: string,
): TemporaryOwner | undefined {
  const inner = innerCallOf(options);
  const key = (kind: "call" | "run" | "trace", id: string): string =>
    temporaryKey(directory, caller, kind, id);
  if (inner?.run !== undefined) return { key: key("run", inner.run.id) };
  const call = inner?.plan ?? options.parent;
  // Calls whose header of a trace was empty have nothing in common.
  if (call != null && call !== "") return { key: key("call", call), call };
  const trace = options.trace ?? caller?.trace;
  return trace == null || trace === "" ? undefined : { key: key("trace", trace) };
}
