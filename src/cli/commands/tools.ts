import { userInfo } from "node:os";
import type { StateChange, ToolState, ToolStateChange } from "@skillc/runtime/governance";
import type { CommandContext } from "../command-context.js";
import { withCodeSpans } from "../console/palette.js";
import { printJson } from "../console/print-json.js";
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
import { allTools, findTool } from "./generated-tools.js";

export type ToolsPart = "list" | "pause" | "enable" | "deprecate" | "migrate";

/** The flags of `skillc tools …`: absent when not given. */
export interface ToolsFlags {
  readonly tenant?: string;
  readonly by?: string;
  readonly because?: string;
  readonly json?: true;
}

const states: { readonly [Part in Exclude<ToolsPart, "list" | "migrate">]: ToolState } = {
  pause: "paused",
  enable: "enabled",
  deprecate: "deprecated",
};

/**
 * Shows which state each tool has, or sets one, in the store that the project's processes share: each
 * of them sees it within a second.
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
  const id = tool === undefined ? undefined : findTool(root, settings.out, tool).id;
  const store = await openProjectStore(choice);
  if (store === undefined) throw noStore();
  return withStore(store, async (opened) => {
    if (part === "list" || id === undefined) {
      const ids = allTools(root, settings.out).map((each) => each.id);
      list(context, ids, await opened.states(), flags);
      return exitCode.fine;
    }
    const change = { ...stateChange(flags), tool: id, state: states[part] };
    await opened.setState(change);
    if (flags.json === true) printJson(context.io.stdout, change);
    else tellChange(context, change);
    return exitCode.fine;
  });
}

function noStore(): CommandFailure {
  return CommandFailure.input(
    "skillc.yaml names no `store:`, and states of tools are kept where the processes of an application share them",
    "write `store: ${GOVERNANCE_URL}`, the setting with the URL of the Redis or PostgreSQL that the application's `governance` has",
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
    ? `nothing to do: the store's tables are of version ${after}`
    : `migrated the store's tables from version ${before} to ${after}`;
}

/** Who changes a state is the one who is logged in, when nobody says otherwise. */
function stateChange({ because, by, tenant }: ToolsFlags): StateChange {
  return {
    by: by ?? userInfo().username,
    ...(tenant !== undefined && { tenant }),
    ...(because !== undefined && { because }),
  };
}

function tellChange(
  { io, out }: CommandContext,
  { state, tenant, tool }: Omit<ToolStateChange, "at">,
): void {
  const whose = tenant === undefined ? "every tenant" : `the tenant \`${printable(tenant, 80)}\``;
  io.stdout.write(`${withCodeSpans(`\`${tool}\` is ${state} for ${whose}`, out)}\n`);
}

/** One line of the list. */
interface ListedTool {
  readonly tool: string;
  readonly state: ToolState;
  /** Absent: for every tenant that has no state of its own. */
  readonly tenant?: string;
  readonly by?: string;
  readonly because?: string;
  readonly at?: string;
}

function list(
  { io }: CommandContext,
  ids: readonly string[],
  changes: readonly ToolStateChange[],
  { json, tenant }: ToolsFlags,
): void {
  const listed = ids.flatMap((id) => statesOf(id, changes, tenant));
  if (json === true) return printJson(io.stdout, { tools: listed });
  const colors = colorsOf({ color: wantsColour(io.stdout, io.env), width: widthOf(io.stdout) });
  const heads = ["tool", "state", "tenant", "since", "by", "because"];
  const rows = listed.map(({ at = "", because = "", by = "", state, tenant: whose = "", tool }) =>
    [tool, state, whose, at, by, because].map((each) => printable(each, 80)),
  );
  const columns = heads.map((head) => ({ head }));
  io.stdout.write(`${renderTable(columns, rows, colors)}\n`);
}

/** Of one tenant the state that counts for it; else that of all, and each tenant's own. */
function statesOf(
  tool: string,
  changes: readonly ToolStateChange[],
  tenant: string | undefined,
): readonly ListedTool[] {
  const own = changes.filter((each) => each.tool === tool);
  const ofAll = own.find((each) => each.tenant === undefined);
  const general: ListedTool = ofAll === undefined ? { tool, state: "enabled" } : shown(ofAll);
  const ofTenants = own.filter((each) => each.tenant !== undefined);
  if (tenant === undefined) return [general, ...ofTenants.map(shown)];
  const found = ofTenants.find((each) => each.tenant === tenant);
  return [found === undefined ? general : shown(found)];
}

function shown({ at, ...change }: ToolStateChange): ListedTool {
  return { ...change, at: new Date(at).toISOString() };
}
