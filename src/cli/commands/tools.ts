import { userInfo } from "node:os";
import type {
  GovernanceStore,
  StateChange,
  ToolState,
  ToolStateChange,
} from "@skillc/runtime/governance";
import { whyNoName } from "@skillc/runtime/internal";
import { countingState } from "@skillc/runtime/internal/governance";
import type { CommandContext } from "../command-context.js";
import { withCodeSpans } from "../console/palette.js";
import { printJson } from "../console/print-json.js";
import { quotedForShell } from "../console/quoted-for-shell.js";
import { CommandFailure, type ExitCode, exitCode } from "../exit.js";
import { wantsColour, widthOf } from "../io.js";
import { colorsOf, printable, renderTable } from "../ledger/console-style.js";
import {
  migrateProjectStore,
  type OpenStore,
  openProjectStore,
  type StoreChoice,
  type StoreMigration,
  withStore,
} from "../project/governance-store.js";
import { projectRoot } from "../project/project-root.js";
import { readSettings } from "../project/read-settings.js";
import { allTools, findTool, type GeneratedTool } from "./generated-tools.js";

export type ToolsPart = "list" | "pause" | "enable" | "deprecate" | "reset" | "migrate";

/** Flags of `skillc tools …`; absent by default. */
export interface ToolsFlags {
  readonly tenant?: string;
  readonly exceptTenant?: readonly string[];
  readonly by?: string;
  readonly because?: string;
  readonly json?: true;
}

const states: { readonly [Part in Exclude<ToolsPart, "list" | "reset" | "migrate">]: ToolState } = {
  pause: "paused",
  enable: "enabled",
  deprecate: "deprecated",
};

/**
 * Shows or sets the states of tools in the store that the project's processes share. Each process
 * sees a change within a second.
 *
 * @param tool `skill/tool`; undefined for `list`
 * @param open opens the store by its URL
 */
export async function tools(
  context: CommandContext,
  part: ToolsPart,
  tool: string | undefined,
  flags: ToolsFlags,
  open?: OpenStore,
): Promise<ExitCode> {
  const root = await projectRoot(context.directory);
  const settings = await readSettings(root);
  const choice = { root, env: context.io.env, settings, open };
  if (part === "migrate") return migrate(context, choice, flags);
  const found = tool === undefined ? undefined : findTool(root, settings.out, tool);
  const store = await openProjectStore(choice);
  if (store === undefined) throw noStore();
  return withStore(store, async (opened) => {
    if (part === "list" || found === undefined) {
      list(context, allTools(root, settings.out), await opened.states(), flags);
      return exitCode.fine;
    }
    if (part === "reset") return reset(context, opened, found, flags);
    const change = { ...stateChange(flags), tool: found.id, state: states[part] };
    await opened.setState(change);
    tellChange(context, change, statesOf(found, await opened.states()), flags);
    return exitCode.fine;
  });
}

function noStore(): CommandFailure {
  return CommandFailure.input(
    "skillc.yaml names no `store:`, but processes share the states of tools through a store",
    "write `store: ${GOVERNANCE_URL}`, the setting that holds the URL of the Redis or PostgreSQL that the application's `governance` uses",
  );
}

async function migrate(
  { io, out }: CommandContext,
  choice: StoreChoice,
  { json }: ToolsFlags,
): Promise<ExitCode> {
  const done = await migrateProjectStore(choice);
  if (done === undefined) throw noStore();
  const { migrated } = done;
  if (json === true) printJson(io.stdout, migrated ?? { before: 0, after: 0 });
  else io.stdout.write(`${withCodeSpans(migrationWords(migrated), out)}\n`);
  return exitCode.fine;
}

function migrationWords(migrated: StoreMigration): string {
  if (migrated === undefined) return "nothing to do: Redis has no tables";
  const { after, before } = migrated;
  return before === after
    ? `nothing to do: the store's tables have version ${after}`
    : `migrated the store's tables from version ${before} to ${after}`;
}

/**
 * The change is attributed to the logged-in user unless `--by` names somebody.
 *
 * @throws CommandFailure for a tenant name that no caller can have, because its state would have no
 * effect
 */
function stateChange({ because, by, exceptTenant, tenant }: ToolsFlags): StateChange {
  for (const each of [tenant, ...(exceptTenant ?? [])]) {
    const why = each === undefined ? undefined : whyNoName(each);
    if (why !== undefined)
      throw CommandFailure.usage(`no caller can have this tenant: the name ${why}`);
  }
  return {
    by: by ?? userInfo().username,
    ...(tenant !== undefined && { tenant }),
    ...(exceptTenant !== undefined && { exceptTenants: exceptTenant }),
    ...(because !== undefined && { because }),
  };
}

/** States of a tool: the one that its skill declares, and those that users have set. */
interface ToolStates {
  readonly declared: ToolState;
  readonly ofAll: ToolStateChange | undefined;
  readonly ofTenants: readonly TenantState[];
}

type TenantState = ToolStateChange & { readonly tenant: string };

function statesOf({ id, state }: GeneratedTool, changes: readonly ToolStateChange[]): ToolStates {
  const own = changes.filter((each) => each.tool === id);
  return {
    declared: state,
    ofAll: own.find((each) => each.tenant === undefined),
    ofTenants: own.filter((each): each is TenantState => each.tenant !== undefined),
  };
}

/** Returns the effective state for a tenant. */
function countingFor(tenant: string, { declared, ofAll, ofTenants }: ToolStates): ToolState {
  const own = ofTenants.find((each) => each.tenant === tenant);
  return countingState(tenant, ofAll, own)?.state ?? declared;
}

/** Maximum number of tenants that a message names. */
const maxNamed = 20;

function tellChange(
  { io, out }: CommandContext,
  change: Omit<ToolStateChange, "at">,
  known: ToolStates,
  { json }: ToolsFlags,
): void {
  const { state, tenant } = change;
  const tenants = known.ofTenants.map((each) => ({
    tenant: each.tenant,
    state: each.state,
    counts: countingFor(each.tenant, known),
  }));
  if (json === true)
    return printJson(
      io.stdout,
      tenant === undefined
        ? { ...change, tenants }
        : { ...change, counts: countingFor(tenant, known) },
    );
  const lines = tenant === undefined ? tenants.map(tenantLine) : overruled(change, tenant, known);
  const more = lines.length - maxNamed;
  const summary = [
    `\`${change.tool}\` is ${state} for ${whose(change)}`,
    ...lines.slice(0, maxNamed),
    ...(more > 0 ? [`${more} more tenants have a state of their own: \`skillc tools list\``] : []),
  ];
  io.stdout.write(`${withCodeSpans(summary.join("\n"), out)}\n`);
}

function whose({ exceptTenants = [], tenant }: StateChange): string {
  if (tenant !== undefined) return `the tenant ${quoted(tenant)}`;
  if (exceptTenants.length === 0) return "every tenant";
  return `every tenant but ${exceptTenants.map(quoted).join(", ")}`;
}

function quoted(tenant: string): string {
  return `\`${printable(tenant, 80)}\``;
}

interface TenantLine {
  readonly tenant: string;
  /** The tenant's own state. */
  readonly state: ToolState;
  /** The effective state. */
  readonly counts: ToolState;
}

function tenantLine({ counts, state, tenant }: TenantLine): string {
  const own = `the tenant ${quoted(tenant)} has a state of its own: ${state}`;
  return counts === state ? own : `${own}, but is ${counts} anyway`;
}

/**
 * Reports if the state of one tenant has no effect, because the tool is paused for every tenant.
 */
function overruled(
  { state, tool }: Omit<ToolStateChange, "at">,
  tenant: string,
  known: ToolStates,
): readonly string[] {
  if (countingFor(tenant, known) === state) return [];
  const excepted = [...(known.ofAll?.exceptTenants ?? []), tenant];
  const flag = `--except-tenant ${excepted.map(quotedForShell).join(" ")}`;
  return [
    `its calls are still denied: the tool is paused for every tenant; \`skillc tools pause ${tool} ${flag}\` leaves the tenant out`,
  ];
}

async function reset(
  { io, out }: CommandContext,
  store: GovernanceStore,
  found: GeneratedTool,
  { json, tenant = "" }: ToolsFlags,
): Promise<ExitCode> {
  const { id: tool } = found;
  const isReset = await store.resetState(tool, tenant);
  const known = statesOf(found, await store.states());
  if (!isReset) throw noState(tool, tenant, known);
  const counts = countingFor(tenant, known);
  if (json === true) printJson(io.stdout, { tool, tenant, counts });
  else
    io.stdout.write(
      `${withCodeSpans(`the tenant ${quoted(tenant)} no longer has a state of its own: \`${tool}\` is ${counts} for it`, out)}\n`,
    );
  return exitCode.fine;
}

function noState(tool: string, tenant: string, { ofTenants }: ToolStates): CommandFailure {
  const names = ofTenants.slice(0, maxNamed).map((each) => quoted(each.tenant));
  return CommandFailure.input(
    `the tenant ${quoted(tenant)} has no state of \`${tool}\` of its own`,
    names.length === 0
      ? "no tenant has one"
      : `${names.join(", ")} ${names.length === 1 ? "has" : "have"} one`,
  );
}

/** One line of the list. */
interface ListedTool {
  readonly tool: string;
  readonly state: ToolState;
  /** Tenant of the state. Absent for all tenants, except the excepted ones. */
  readonly tenant?: string;
  readonly exceptTenants?: readonly string[];
  readonly by?: string;
  readonly because?: string;
  readonly at?: string;
}

function list(
  { io }: CommandContext,
  tools: readonly GeneratedTool[],
  changes: readonly ToolStateChange[],
  { json, tenant }: ToolsFlags,
): void {
  const listed = tools.flatMap((each) => listedStates(each.id, statesOf(each, changes), tenant));
  if (json === true) return printJson(io.stdout, { tools: listed });
  const colors = colorsOf({ color: wantsColour(io.stdout, io.env), width: widthOf(io.stdout) });
  const heads = ["tool", "state", "tenant", "since", "by", "because"];
  const rows = listed.map((each) =>
    [each.tool, each.state, tenantCell(each), each.at, each.by, each.because].map((cell = "") =>
      printable(cell, 80),
    ),
  );
  const columns = heads.map((head) => ({ head }));
  io.stdout.write(`${renderTable(columns, rows, colors)}\n`);
}

function tenantCell({ exceptTenants = [], tenant = "" }: ListedTool): string {
  return exceptTenants.length === 0 ? tenant : `all but ${exceptTenants.join(", ")}`;
}

/**
 * Lists the effective state for one tenant. Without a tenant, lists the state for all tenants and
 * those of single tenants.
 */
function listedStates(
  tool: string,
  { declared, ofAll, ofTenants }: ToolStates,
  tenant: string | undefined,
): readonly ListedTool[] {
  const listed = (change: ToolStateChange | undefined): ListedTool =>
    change === undefined ? { tool, state: declared } : shown(change);
  if (tenant === undefined) return [ofAll, ...ofTenants].map(listed);
  const own = ofTenants.find((each) => each.tenant === tenant);
  return [listed(countingState(tenant, ofAll, own))];
}

function shown({ at, ...change }: ToolStateChange): ListedTool {
  return { ...change, at: new Date(at).toISOString() };
}
