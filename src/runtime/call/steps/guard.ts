import { type AddressClass, classOf } from "../../governance/addresses.js";
import { covers, withValues } from "../../governance/capabilities.js";
import { governedTool, type Governor, refused } from "../../governance/governor.js";
import { processReach, type Reach } from "../../reach.js";
import type { CallHooks, Connecting } from "../attempt.js";
import { ToolError, type ToolFailure, withOutcome } from "../../errors.js";
import type { Call, Step } from "../call.js";
import { placesOf, withoutPath } from "../places.js";
import { Secret } from "../../credentials/secret.js";
import { sendsNothing } from "./shadow.js";

/**
 * Checks that the manifest and the deployment allow the call's targets: before each attempt, at
 * each redirect, and before each process. Before each HTTP connection it also checks the address.
 */
export function guard(governor: Governor): Step {
  const rules = addressRules(governor.policy.capabilities ?? []);
  const byTool = new Map<string, readonly Allowed[]>();
  const allowedOf = (call: Call): readonly Allowed[] => {
    let allowed = byTool.get(call.toolId);
    if (allowed === undefined) byTool.set(call.toolId, (allowed = allowedBy(governor, call)));
    return allowed;
  };
  return (call) => {
    const allowed = allowedOf(call);
    const places = call.prepared?.reach() ?? [];
    let opener: (name: string) => string = () => {
      throw new Error("the runtime sends nothing before it opens credentials");
    };
    const hooks: CallHooks = {
      sending(reach, open) {
        opener = open;
        reach.forEach((each, at) => {
          requireCovered(call, allowed, { reach: each, named: places[at], at }, open);
        });
      },
      redirecting: (reach) => requireCovered(call, allowed, { reach }, opener),
      starting: ({ program }) =>
        requireCovered(call, allowed, { reach: processReach(program) }, opener),
      connecting: isSetting(places) ? rules.ofSettings : rules.ofLiterals,
      failing: (error) =>
        error instanceof RefusedAddress ? blockedAddress(call, error.kind) : error,
    };
    call.hooks = hooks;
    if (sendsNothing(call)) requireNamesCovered(call, allowed, places);
    return undefined;
  };
}

interface Allowed {
  readonly by: "manifest" | "deployment";
  readonly capabilities: readonly string[];
}

function allowedBy(governor: Governor, call: Call): readonly Allowed[] {
  const { capabilities } = governedTool(governor, call);
  const deployment = governor.policy.capabilities;
  return [
    // The application's handler may replace a binding. Its targets are at most declared, and can't
    // be checked.
    { by: "manifest", capabilities: [...capabilities, `handler:call ${call.toolId}`] },
    ...(deployment === undefined ? [] : [{ by: "deployment", capabilities: deployment } as const]),
  ];
}

/** A target to check. */
interface Destination {
  readonly reach: Reach;
  /**
   * The same target with names of settings, and its index in the call's targets; absent for a
   * redirect.
   */
  readonly named?: Reach | undefined;
  readonly at?: number;
}

/** Checks one target. It compares by the names of settings, and by their values. */
function requireCovered(
  call: Call,
  allowed: readonly Allowed[],
  { at: place, named, reach }: Destination,
  open: (name: string) => string,
): void {
  const tryOpen = (name: string): string | undefined => {
    try {
      return open(name);
    } catch {
      // The setting belongs to another tool.
      return undefined;
    }
  };
  reach.capabilities.forEach((wanted, at) => {
    const wantedByName = named?.capabilities[at];
    for (const { by, capabilities } of allowed) {
      const isCovered = capabilities.some((each) => {
        if (wantedByName !== undefined && covers(each, wantedByName)) return true;
        const opened = withValues(each, tryOpen);
        return opened !== undefined && covers(opened, wanted);
      });
      if (isCovered) continue;
      // A redirect's target may contain a value of the call's arguments.
      const named = place === undefined ? undefined : placesOf(call)[place]?.[at];
      throw blocked(call, named ?? withoutPath(withoutSecrets(call, wanted)), by);
    }
  });
}

/** Checks a call that is not sent, as far as possible without the values of its settings. */
function requireNamesCovered(
  call: Call,
  allowed: readonly Allowed[],
  places: readonly Reach[],
): void {
  for (const [place, { capabilities: wanted }] of places.entries())
    for (const [at, each] of wanted.entries())
      for (const { by, capabilities } of allowed)
        if (!capabilities.some((one) => mayCover(call, one, each)))
          throw blocked(call, placesOf(call)[place]?.[at] ?? withoutPath(each), by);
}

/**
 * Returns whether a capability may cover a target. When a call is sent, only the values of its own
 * settings are known.
 */
function mayCover({ prepared, secrets }: Call, allowed: string, wanted: string): boolean {
  if (covers(allowed, wanted)) return true;
  const open = (name: string): string | undefined => {
    const secret = secrets.get(name);
    return secret && Secret.reveal(secret);
  };
  const opened = withValues(allowed, open);
  const reached = withValues(wanted, open);
  if (opened !== undefined && reached !== undefined) return covers(opened, reached);
  const own = prepared?.credentials ?? [];
  return isDefinite(allowed, own) && isDefinite(wanted, own);
}

/** Returns whether a capability uses only these settings. */
function isDefinite(capability: string, settings: readonly string[]): boolean {
  return withValues(capability, (name) => (settings.includes(name) ? "" : undefined)) !== undefined;
}

/** Removes credentials, because the value of a setting may contain a password. */
function withoutSecrets(call: Call, capability: string): string {
  return call.runtime.credentials.scrubber.scrub(capability);
}

/** @param capability without values of arguments */
function blocked(call: Call, capability: string, by: Allowed["by"]): ToolError {
  return refusedBefore(
    call,
    { code: "SANDBOX.CAPABILITY_BLOCKED", capability, by },
    `\`${call.toolId}\` must not reach \`${capability}\`: its ${by === "manifest" ? "manifest" : "deployment"} does not allow it`,
    `capabilities of the ${by}`,
  );
}

function blockedAddress(call: Call, kind: RefusedKind): ToolError {
  return refusedBefore(
    call,
    { code: "SANDBOX.CAPABILITY_BLOCKED", capability: `address ${kind}`, by: "address" },
    `\`${call.toolId}\` must not reach this address: ${refusedAddresses[kind]}`,
    "address",
  );
}

/** Makes the error of a denied attempt, of which nothing was sent. */
function refusedBefore(
  call: Call,
  failure: ToolFailure,
  message: string,
  decidedBy: string,
): ToolError {
  return withOutcome(refused(call, failure, message, [decidedBy]), "not-done");
}

/**
 * Returns whether the origin comes from a setting: the operator of the application chose it, not
 * the author of a skill.
 */
function isSetting(reach: readonly Reach[]): boolean {
  return reach.every(({ capabilities }) =>
    capabilities.every((each) => !each.startsWith("net.http:") || / \$\{/.test(each)),
  );
}

type Rule = (peer: Connecting) => void;

type RefusedKind = Exclude<AddressClass, "public">;

const refusedAddresses: { readonly [kind in RefusedKind]: string } = {
  private: "the host resolves to a private address",
  local: "the host resolves to a link-local address, or to an address of a metadata service",
};

/**
 * Thrown to all calls that wait for the connection. `failing` turns it into each call's own error.
 */
class RefusedAddress extends ToolError {
  readonly kind: RefusedKind;

  constructor(kind: RefusedKind) {
    const capability = `address ${kind}`;
    super(
      "",
      { code: "SANDBOX.CAPABILITY_BLOCKED", capability, by: "address" },
      refusedAddresses[kind],
      {
        outcome: "not-done",
      },
    );
    this.kind = kind;
  }
}

/**
 * Makes the two rules for addresses. There are only two functions, because calls with the same rule
 * share connections.
 */
function addressRules(deployment: readonly string[]): {
  readonly ofSettings: Rule;
  readonly ofLiterals: Rule;
} {
  const listed = new Set(deployment.flatMap((each) => hostOf(each) ?? []));
  const rule =
    (mayBePrivate: boolean): Rule =>
    ({ address, host }) => {
      const kind = classOf(address);
      if (kind === "public") return;
      const isListed = listed.has(bare(host));
      if (kind === "private" && (mayBePrivate || isListed)) return;
      // The deployment must list the address itself, not a name that resolves to it.
      if (kind === "local" && listed.has(bare(address))) return;
      throw new RefusedAddress(kind);
    };
  return { ofSettings: rule(true), ofLiterals: rule(false) };
}

/**
 * Returns the host of a capability such as `net.http:get http://10.0.0.7:8080/metrics`, if it
 * contains no setting.
 */
function hostOf(capability: string): string | undefined {
  const url = /^net\.http:\S+ (\S+)/.exec(capability)?.[1];
  return url !== undefined && URL.canParse(url) ? bare(new URL(url).hostname) : undefined;
}

function bare(host: string): string {
  return host.replace(/^\[|\]$/g, "").toLowerCase();
}
