import type { KindRegistry } from "../../bindings/registry.js";
import type { SkillPlan } from "../../core/emit-plan.js";
import { compareText } from "../../core/report.js";
import { createCredentials, unmetPrerequisites, Secret } from "@skillc/runtime/internal";
import { nearestName } from "../../schema/suggestion.js";
import { envFileNames } from "../project/env-file.js";

/** Something outside skillc that tools need. */
export interface Need {
  readonly kind: "credential" | "env" | "bins" | "config" | "os";
  readonly name: string;
  /**
   * `unknown` for the application's own configuration, which only the application has. `unusable` for a setting that requests are sent to
   * and whose value is no address: it has no `scheme://`.
   */
  readonly state: "here" | "missing" | "unusable" | "unknown";
  /** A name that is set here, that no tool needs, and that is nearly the one that is missing. */
  readonly near?: string;
  /** `skill/tool`, sorted. */
  readonly tools: readonly string[];
}

interface Place {
  /** Folder of `.env` and skillc.yaml. */
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Those of `secrets:` in skillc.yaml. */
  readonly secretNames: readonly string[];
  /** Undefined where they could not be read. */
  readonly kinds: KindRegistry | undefined;
}

/** What the tools need of the place they run in, and what of it is here, looked up as the runtime does. What is missing comes first. */
export async function needsOf(
  plans: readonly SkillPlan[],
  { root, env, secretNames, kinds }: Place,
): Promise<readonly Need[]> {
  const credentials = createCredentials({ given: {}, env, directory: root });
  const surroundings = {
    credentials,
    config: {},
    path: env["PATH"] ?? "",
    platform: process.platform,
  };
  const addresses = addressesIn(plans, kinds);
  const needs: Need[] = [];
  for (const { kind, name, wanted, tools } of wantedBy(plans)) {
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

/** The settings that requests are sent to. */
function addressesIn(
  plans: readonly SkillPlan[],
  kinds: KindRegistry | undefined,
): ReadonlySet<string> {
  const bindings = plans.flatMap(({ tools }) => tools.map(({ tool }) => tool.binding));
  const uses = bindings.flatMap(({ config, type }) => kinds?.find(type)?.addresses?.(config) ?? []);
  return new Set(uses.map(({ name }) => name));
}

/** Names alone: what they are set to is nobody's business here. */
function namesSetIn(env: Place["env"]): readonly string[] {
  return Object.keys(env).filter((name) => env[name]);
}

/** A machine has many settings of its own: two characters are all that a slip may change. */
function withNear(need: Need, spare: readonly string[]): Need {
  if (need.state !== "missing" || (need.kind !== "credential" && need.kind !== "env")) return need;
  const near = nearestName(need.name, spare, () => 2);
  return near === undefined ? need : { ...need, near };
}

/** Which schemes are right is the binding kind's to say; that an address has one holds for all. */
function stateOf(secret: Secret | undefined, isAddress: boolean): Need["state"] {
  if (secret === undefined) return "missing";
  return isAddress && !/^[a-z][a-z\d+.-]*:\/\//i.test(Secret.reveal(secret)) ? "unusable" : "here";
}

interface Wanted {
  readonly kind: Need["kind"];
  readonly name: string;
  /** The entries that must be met together: any one of several systems counts as one. */
  readonly wanted: readonly string[];
  readonly tools: readonly string[];
}

function wantedBy(plans: readonly SkillPlan[]): readonly Wanted[] {
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
  for (const { skill, tools } of plans) {
    const ids = tools.map((tool) => tool.id);
    for (const { id, tool } of tools) {
      for (const { name } of tool.binding.credentials) want("credential", [name], [id]);
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
