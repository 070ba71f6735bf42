/** Opens the runs of a project: in its folder, or where skillc.yaml says. */
import { isAbsolute, join } from "node:path";
import { refuseObstacle } from "@skillc/runtime/internal";
import { folderRuns, type RunStore } from "@skillc/runtime/runs";
import type { RunSettings } from "../../core/project.js";
import { CommandFailure, orSayWhatIsInTheWay } from "../exit.js";
import type { Io } from "../io.js";
import {
  findProjectKey,
  type FindSetting,
  settingFinder,
  settingName,
} from "../project/project-key.js";
import { readSettings } from "../project/read-settings.js";

/** Options of all commands about runs. */
export interface RunsPlaceFlags {
  /** Schema of the tables in PostgreSQL. */
  readonly schema?: string;
}

export interface OpenRuns {
  readonly store: RunStore;
  /** Name in messages; never the URL, which may contain a password. */
  readonly where: string;
}

/** Runs in PostgreSQL that skillc.yaml names. */
export interface DatabaseRuns {
  /** `${RUNS}`. */
  readonly name: string;
  readonly url: string;
  readonly schema?: string;
}

/** Where the runs are. */
type RunsPlace =
  | { readonly kind: "default" }
  /** `path` is absolute. */
  | { readonly kind: "folder"; readonly path: string; readonly where: string }
  | { readonly kind: "database"; readonly database: DatabaseRuns };

/**
 * Opens the runs of a project.
 *
 * @param root the project's folder
 * @throws CommandFailure if a named setting has no value, or a wrong one
 */
export async function openRuns(
  root: string,
  flags: RunsPlaceFlags,
  env: Io["env"],
): Promise<OpenRuns> {
  const { runs = {} } = await readSettings(root);
  const find = settingFinder(root, env);
  const place = await placeOf(root, runs, flags, find);
  const key = await keyOf(runs, find);
  return orWrongOption(async () => {
    if (place.kind === "default") {
      const below = folderRuns({ key });
      return {
        store: below.inDirectory?.(root) ?? below,
        where: join(root, ".skillc", "runs"),
      };
    }
    if (place.kind === "folder")
      return { store: folderRuns({ directory: place.path, key }), where: place.where };
    const { postgresRuns } = await import("@skillc/runtime/runs/postgres");
    const { name, ...database } = place.database;
    return { store: postgresRuns({ ...database, key }), where: `the database of \`${name}\`` };
  });
}

/**
 * Returns the runs in PostgreSQL that skillc.yaml names; undefined if the runs are in a folder.
 *
 * @throws CommandFailure as `openRuns` does
 */
export async function databaseOfRuns(
  root: string,
  flags: RunsPlaceFlags,
  env: Io["env"],
): Promise<DatabaseRuns | undefined> {
  const { runs = {} } = await readSettings(root);
  const place = await placeOf(root, runs, flags, settingFinder(root, env));
  return place.kind === "database" ? place.database : undefined;
}

async function placeOf(
  root: string,
  { place }: RunSettings,
  { schema }: RunsPlaceFlags,
  find: FindSetting,
): Promise<RunsPlace> {
  const found = await namedPlace(root, place, find);
  if (found.kind === "database")
    return schema === undefined
      ? found
      : { kind: "database", database: { ...found.database, schema } };
  if (schema === undefined) return found;
  throw CommandFailure.usage(
    "`--schema` is for runs in PostgreSQL, and this project keeps its runs in a folder",
    "name the database: `runs: ${RUNS_URL}` in skillc.yaml",
  );
}

async function namedPlace(
  root: string,
  written: string | undefined,
  find: FindSetting,
): Promise<RunsPlace> {
  if (written === undefined) return { kind: "default" };
  const name = settingName(written);
  if (name === undefined) {
    orSayWhatIsInTheWay(() => refuseObstacle(root, written, "folder"));
    return { kind: "folder", path: join(root, written), where: `\`${written}\`` };
  }
  const value = await find(name);
  if (value === undefined)
    throw CommandFailure.input(
      `\`runs\` of skillc.yaml is \`${written}\`, which is not set here`,
      `set it in the environment, or in .env: ${name}=postgres://user:password@host:5432/database`,
    );
  if (/^\s*postgres(?:ql)?:\/\//i.test(value))
    return { kind: "database", database: { name: written, url: value.trim() } };
  if (value.trim() === "" || value.includes("://"))
    throw CommandFailure.input(
      `\`${written}\` is neither a folder nor a URL of PostgreSQL`,
      `write ${name}=postgres://user:password@host:5432/database, or the path of a folder`,
    );
  const path = isAbsolute(value) ? value : join(root, value);
  return { kind: "folder", path, where: `the folder of \`${written}\`` };
}

async function keyOf(settings: RunSettings, find: FindSetting): Promise<string> {
  const { key } = settings;
  if (key === undefined)
    throw CommandFailure.input(
      "skillc.yaml names no `key:`, and runs are stored encrypted",
      "write `key: ${RUNS_KEY}`, the setting with the key that the application's store of runs has",
    );
  const found = await findProjectKey(settings, find);
  if (found !== undefined) return found;
  throw CommandFailure.input(
    `\`key\` of skillc.yaml is \`${key}\`, which is not set here`,
    `set it in the environment, or in .env: ${settingName(key) ?? key}=32 bytes in base64`,
  );
}

/**
 * Runs work with options of the user.
 *
 * @throws CommandFailure if the key has another length, or PostgreSQL doesn't take the schema
 */
export async function orWrongOption<Value>(work: () => Value | Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    if (error.message.startsWith("`schema`"))
      throw CommandFailure.usage(error.message.replace("`schema`", "`--schema`"));
    if (error.message.includes("`key`"))
      throw CommandFailure.input(error.message, "write it as text in base64");
    throw error;
  }
}
