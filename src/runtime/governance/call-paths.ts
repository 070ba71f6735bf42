/**
 * Lets policies and approvals decide about the files and folders that a call uses, however its
 * parameters spell their paths.
 */
import { dirname, relative } from "node:path";
import type { Call } from "../call/call.js";
import { decisionSettings } from "../call/steps/credentials.js";
import { Secret } from "../credentials/secret.js";
import { holds, realFolder, withSlashes } from "../files/judged-path.js";
import { pointerOf } from "../json/pointer.js";
import type { ResolvedPaths, UsedPath } from "../call/binding.js";
import { whenKnown } from "./governor.js";

/** The paths of a call in the context of policies. */
export interface PathSets {
  /** Each path that the call uses, and all folders above it. */
  readonly paths: readonly string[];
  /** The names in `paths` that hold every path of the call. */
  readonly within: readonly string[];
}

/**
 * Follows the links in the paths of a call, before anybody decides about the call. It asks the
 * tool's own binding, also if a handler or a fake replaces it. A setting that has no value yet
 * stays a name in the path; the step `credentials` reports it later.
 */
export function locatePaths(call: Call): undefined | Promise<void> {
  const { directory } = call.runtime;
  const paths = call.tool.binding.paths?.(call.args as never, call);
  if (paths === undefined) return undefined;
  return whenKnown(decisionSettings(paths.settings, call), (settings) => {
    const open = (name: string): string => {
      const setting = settings.get(name);
      return setting === undefined ? `\${${name}}` : Secret.reveal(setting);
    };
    call.paths = paths.resolve({ directory, open });
    return undefined;
  });
}

/** Returns the arguments with the absolute path in place of each parameter that is a path. */
export function argumentsWithPaths(args: unknown, { parameters }: ResolvedPaths): unknown {
  const replaced = (value: unknown, steps: readonly (string | number)[]): unknown => {
    const path =
      typeof value === "string" ? parameters.get(pointerOf(steps.map(String))) : undefined;
    if (path !== undefined) return path;
    if (Array.isArray(value)) return value.map((each, at) => replaced(each, [...steps, at]));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, replaced(each, [...steps, name])]),
    );
  };
  return parameters.size === 0 ? args : replaced(args, []);
}

/**
 * Returns the paths for policies: absolute, and also relative to the project's folder for files in
 * there.
 *
 * @param directory the project's folder
 */
export function pathSets(used: readonly Pick<UsedPath, "path">[], directory: string): PathSets {
  const project = realFolder(directory);
  const all = used.map(({ path }) => new Set(namesOf(path.toWellFormed(), project)));
  const [first = [], ...others] = all;
  return {
    paths: [...new Set(all.flatMap((each) => [...each]))],
    within: [...first].filter((name) => others.every((each) => each.has(name))),
  };
}

function namesOf(path: string, project: string): readonly string[] {
  const names: string[] = [];
  for (let at = path; dirname(at) !== at; at = dirname(at)) {
    names.push(withSlashes(at));
    if (at !== project && holds(project, at)) names.push(withSlashes(relative(project, at)));
  }
  return names;
}
