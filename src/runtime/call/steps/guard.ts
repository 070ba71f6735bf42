import { type AddressClass, classOf } from "../../governance/addresses.js";
import { covers, withValues } from "../../governance/capabilities.js";
import { governedTool, type Governor, refused } from "../../governance/governor.js";
import { processReach, type Reach } from "../../reach.js";
import type { CallHooks, Connecting } from "../../tool.js";
import { ToolError, type ToolFailure, withOutcome } from "../../errors.js";
import type { Call, Step } from "../call.js";
import { placesOf, withoutPath } from "../places.js";
import { Secret } from "../../credentials/secret.js";
import { sendsNothing } from "./shadow.js";

/**
 * Looks, before each attempt and at each redirect, whether where the call goes is within the
 * capabilities of its manifest and of the deployment; before each process, whether its program is; and,
 * before each connection over HTTP, which address the name stands for.
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
      throw new Error("nothing is sent before credentials are opened");
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
    // The application's own code may take a binding's place. What it reaches is declared at most,
    // and nobody can look at what it does.
    { by: "manifest", capabilities: [...capabilities, `handler:call ${call.toolId}`] },
    ...(deployment === undefined ? [] : [{ by: "deployment", capabilities: deployment } as const]),
  ];
}

/** A place that is gone to. */
interface Destination {
  readonly reach: Reach;
  /** The same by the names of settings, and its number among the call's; none of a redirect. */
  readonly named?: Reach | undefined;
  readonly at?: number;
}

/** By name, where both name a setting, or by value. */
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
      // A setting of another tool's.
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
      // A redirect may have a value of the call's in it, too.
      const told = place === undefined ? undefined : placesOf(call)[place]?.[at];
      throw blocked(call, told ?? withoutPath(withoutSecrets(call, wanted)), by);
    }
  });
}

/**
 * The same of a call that is not sent, as far as it can be told without asking anybody for the values
 * of its settings.
 */
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

/** When it is sent, the values of its own settings are known, and of no others. */
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

/** Whether it has no setting but these. */
function isDefinite(capability: string, settings: readonly string[]): boolean {
  return withValues(capability, (name) => (settings.includes(name) ? "" : undefined)) !== undefined;
}

/** The value of a setting may hold a password. */
function withoutSecrets(call: Call, capability: string): string {
  return call.runtime.credentials.scrubber.scrub(capability);
}

/** @param capability without any value of an argument */
function blocked(call: Call, capability: string, by: Allowed["by"]): ToolError {
  return refusedBefore(
    call,
    { code: "SANDBOX.CAPABILITY_BLOCKED", capability, by },
    `\`${call.toolId}\` would go where its ${by === "manifest" ? "manifest" : "deployment"} doesn't let it: \`${capability}\``,
    `capabilities of the ${by}`,
  );
}

function blockedAddress(call: Call, kind: RefusedKind): ToolError {
  return refusedBefore(
    call,
    { code: "SANDBOX.CAPABILITY_BLOCKED", capability: `address ${kind}`, by: "address" },
    `\`${call.toolId}\` would go where it may not: ${refusedAddresses[kind]}`,
    "address",
  );
}

/** Of an attempt: nothing of it was sent. */
function refusedBefore(
  call: Call,
  failure: ToolFailure,
  message: string,
  decidedBy: string,
): ToolError {
  return withOutcome(refused(call, failure, message, [decidedBy]), "not-done");
}

/**
 * Whether the origin is a setting's: whoever runs the application chose it, and not the author of a
 * skill.
 */
function isSetting(reach: readonly Reach[]): boolean {
  return reach.every(({ capabilities }) =>
    capabilities.every((each) => !each.startsWith("net.http:") || / \$\{/.test(each)),
  );
}

type Rule = (peer: Connecting) => void;

type RefusedKind = Exclude<AddressClass, "public">;

const refusedAddresses: { readonly [kind in RefusedKind]: string } = {
  private: "the host stands for a private address, which may not be reached",
  local:
    "the host stands for a link-local address, or one of a metadata service, which may not be reached",
};

/** Thrown to all calls that wait for the connection: `failing` makes each call's own error of it. */
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

/** Two functions, whatever the call: connections are shared by those of one rule. */
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
      // Its own address has to be listed, and no name that stands for it.
      if (kind === "local" && listed.has(bare(address))) return;
      throw new RefusedAddress(kind);
    };
  return { ofSettings: rule(true), ofLiterals: rule(false) };
}

/** The host of `net.http:get http://10.0.0.7:8080/metrics`, when it is written out. */
function hostOf(capability: string): string | undefined {
  const url = /^net\.http:\S+ (\S+)/.exec(capability)?.[1];
  return url !== undefined && URL.canParse(url) ? bare(new URL(url).hostname) : undefined;
}

function bare(host: string): string {
  return host.replace(/^\[|\]$/g, "").toLowerCase();
}
