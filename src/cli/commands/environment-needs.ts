import { createCredentials, Secret, unmetPrerequisites } from "@skillc/runtime/internal";
import type { KindRegistry } from "../../bindings/registry.js";
import type { LoweredSkill } from "../../core/lowered-skill.js";
import { compareText } from "../../core/report.js";
import { nearestName } from "../../schema/suggestion.js";
import type { CommandContext } from "../command-context.js";
import type { Palette } from "../console/palette.js";
import { visible } from "../console/visible.js";
import { plural } from "../diagnostics/summary.js";
import { wantsColour, widthOf } from "../io.js";
import { colorsOf, renderTable } from "../ledger/console-style.js";
import { envFileNames } from "../project/env-file.js";

/** A requirement of tools outside of skillc. */
export interface Need {
  readonly kind: "credential" | "env" | "bins" | "config" | "os";
  readonly name: string;
  /**
   * `unknown`: only the application knows its configuration. `unusable`: the value of a setting for
   * an address has no `scheme://`.
   */
  readonly state: "here" | "missing" | "unusable" | "unknown";
  /** A variable that is set, that no tool needs, and that is named almost like the missing one. */
  readonly near?: string;
  /** `skill/tool`, sorted. */
  readonly tools: readonly string[];
}

interface ProjectEnvironment {
  /** Folder of `.env` and skillc.yaml. */
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Names under `secrets:` in skillc.yaml. */
  readonly secretNames: readonly string[];
  /** Undefined if the kinds can't be loaded. */
  readonly kinds: KindRegistry | undefined;
}

/**
 * Lists what the tools need from their environment, and looks up each need on this machine, as the
 * runtime does. Missing needs come first.
 */
export async function needsOf(
  lowered: readonly LoweredSkill[],
  { root, env, secretNames, kinds }: ProjectEnvironment,
): Promise<readonly Need[]> {
  const credentials = createCredentials({ given: {}, env, directory: root });
  const surroundings = {
    credentials,
    config: {},
    path: env["PATH"] ?? "",
    platform: process.platform,
  };
  const addresses = addressesIn(lowered, kinds);
  const needs: Need[] = [];
  for (const { kind, name, wanted, tools } of wantedBy(lowered, kinds)) {
    if (kind === "config") {
      needs.push({ kind, name, state: "unknown", tools });
      continue;
    }
    if (kind === "credential") {
      const state = stateOf(await credentials.find(name), addresses.has(name));
      needs.push({ kind, name, state, tools });
      continue;
    }
    const unmet = await unmetPrerequisites({ [kind]: wanted }, surroundings);
    needs.push({ kind, name, state: unmet.length > 0 ? "missing" : "here", tools });
  }
  const set = [...namesSetIn(env), ...envFileNames(root), ...secretNames];
  const needed = new Set(needs.map(({ name }) => name));
  const spare = set.filter((name) => !needed.has(name));
  return needs.map((need) => withNear(need, spare)).toSorted(byUrgency);
}

/** Returns the settings that requests are sent to. */
function addressesIn(
  lowered: readonly LoweredSkill[],
  kinds: KindRegistry | undefined,
): ReadonlySet<string> {
  const bindings = lowered.flatMap(({ tools }) => tools.map(({ tool }) => tool.binding));
  const uses = bindings.flatMap(
    ({ config, type }) => kinds?.find(type)?.shared?.addresses?.(config) ?? [],
  );
  return new Set(uses.map(({ name }) => name));
}

/** Returns the names of set variables, without their values. */
function namesSetIn(env: ProjectEnvironment["env"]): readonly string[] {
  return Object.keys(env).filter((name) => env[name]);
}

/** Allows typos of at most two characters, because a machine has many unrelated variables. */
function withNear(need: Need, spare: readonly string[]): Need {
  if (need.state !== "missing" || (need.kind !== "credential" && need.kind !== "env")) return need;
  const near = nearestName(need.name, spare, () => 2);
  return near === undefined ? need : { ...need, near };
}

/** Checks that an address has a scheme; the binding kind checks which ones are valid. */
function stateOf(secret: Secret | undefined, isAddress: boolean): Need["state"] {
  if (secret === undefined) return "missing";
  return isAddress && !/^[a-z][a-z\d+.-]*:\/\//i.test(Secret.reveal(secret)) ? "unusable" : "here";
}

interface Wanted {
  readonly kind: Need["kind"];
  readonly name: string;
  /** Entries to meet together. Systems are one entry, because any one of them suffices. */
  readonly wanted: readonly string[];
  readonly tools: readonly string[];
}

function wantedBy(
  lowered: readonly LoweredSkill[],
  registry: KindRegistry | undefined,
): readonly Wanted[] {
  const found = new Map<string, Wanted & { readonly users: Set<string> }>();
  const want = (kind: Need["kind"], wanted: readonly string[], users: readonly string[]): void => {
    const name = wanted.join(" or ");
    const entry = found.get(`${kind} ${name}`) ?? {
      kind,
      name,
      wanted,
      tools: [],
      users: new Set(),
    };
    for (const user of users) entry.users.add(user);
    found.set(`${kind} ${name}`, entry);
  };
  for (const { skill, tools } of lowered) {
    const ids = tools.map((tool) => tool.id);
    for (const { id, tool } of tools) {
      const { config, credentials, type } = tool.binding;
      for (const { name } of credentials) want("credential", [name], [id]);
      for (const name of registry?.find(type)?.programs?.(config) ?? []) want("bins", [name], [id]);
    }
    const { env, bins, config, os } = skill.prerequisites;
    for (const name of env) want("env", [name], ids);
    for (const name of bins) want("bins", [name], ids);
    for (const name of config) want("config", [name], ids);
    if (os.length > 0) want("os", os, ids);
  }
  return [...found.values()].map(({ users, ...each }) => ({
    ...each,
    tools: [...users].toSorted(compareText),
  }));
}

const urgency = { missing: 0, unusable: 1, unknown: 2, here: 3 } as const;

function byUrgency(a: Need, b: Need): number {
  return (
    urgency[a.state] - urgency[b.state] ||
    compareText(a.kind, b.kind) ||
    compareText(a.name, b.name)
  );
}

const kinds = {
  credential: "credential",
  env: "environment variable",
  bins: "program",
  config: "application setting",
  os: "operating system",
} as const;

/** Prints a table of the tools' requirements. */
export function printNeeds({ io, out }: CommandContext, needs: readonly Need[]): void {
  if (needs.length === 0) {
    io.stdout.write(`${out.green("✓")} no tool needs anything of this environment\n`);
    return;
  }
  const states = {
    missing: out.red("✗ missing"),
    unusable: out.red("✗ not a URL"),
    unknown: out.yellow("? given by the application"),
    here: out.green("✓ here"),
  } as const;
  const width = widthOf(io.stdout);
  const rows = needs.map((need) => [
    states[need.state],
    out.bold(visible(need.name)),
    kinds[need.kind],
    out.dim(users(need.tools, Math.max(24, Math.floor(width / 3)))),
  ]);
  const colors = colorsOf({ color: wantsColour(io.stdout, io.env), width });
  const columns = [{ head: "" }, { head: "name" }, { head: "what" }, { head: "needed by" }];
  io.stdout.write(`\n${renderTable(columns, rows, colors)}\n`);
  io.stdout.write(`\n${verdictOn(needs, out).join("\n")}\n`);
}

function verdictOn(needs: readonly Need[], out: Palette): readonly string[] {
  const missing = needs.filter(({ state }) => state === "missing").length;
  const unusable = needs.filter(({ state }) => state === "unusable").map(({ name }) => name);
  const sentences = [
    ...(missing === 0
      ? []
      : [`${plural(missing, "thing")} missing here: set them in the environment or in .env`]),
    ...needs.flatMap(({ name, near }) =>
      near === undefined
        ? []
        : [`${visible(name)} is missing, but ${visible(near)} is set: did you mean that?`],
    ),
    ...unusable.map(
      (name) =>
        `the value of ${visible(name)} is not a URL: it must start with a scheme such as https://`,
    ),
  ];
  return sentences.length === 0
    ? [`${out.green("✓")} everything that skillc can check is here`]
    : sentences.map((each) => `${out.red("✗")} ${each}`);
}

/** Lists as many names as fit, at least one. */
function users(tools: readonly string[], width: number): string {
  const shown: string[] = [];
  for (const tool of tools.map(visible)) {
    if (shown.length > 0 && [...shown, tool].join(", ").length > width) break;
    shown.push(tool);
  }
  const rest = tools.length - shown.length;
  return `${shown.join(", ")}${rest === 0 ? "" : ` and ${rest} more`}`;
}
