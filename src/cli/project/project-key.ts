import { createCredentials, Secret } from "@skillc/runtime/internal";
import type { RunSettings } from "../../core/project.js";
import type { Io } from "../io.js";

/** Finds the value of a setting; undefined if it has none here. */
export type FindSetting = (name: string) => Promise<string | undefined>;

/** Returns a function that finds settings where the application does: environment, .env, secrets. */
export function settingFinder(root: string, env: Io["env"]): FindSetting {
  const credentials = createCredentials({ given: {}, env, directory: root });
  return async (name) => {
    const found = await credentials.find(name);
    return found === undefined ? undefined : Secret.reveal(found);
  };
}

/** Returns `NAME` of `${NAME}`; undefined for another text. */
export function settingName(written: string): string | undefined {
  return /^\$\{(\w+)\}$/.exec(written)?.[1];
}

/** Returns the project's key: the value of `key:` of skillc.yaml. Undefined if it has none here. */
export async function findProjectKey(
  { key }: RunSettings,
  find: FindSetting,
): Promise<string | undefined> {
  return key === undefined ? undefined : find(settingName(key) ?? key);
}
