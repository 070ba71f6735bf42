import { allTools } from "../commands/generated-tools.js";
import {
  loadHandlers,
  loadTool,
  type OpenRuntime,
  openRuntime,
  warnOfEnvFile,
} from "../commands/project-call.js";
import type { CommandContext } from "../command-context.js";
import type { LedgerStore, ToolMap } from "@skillc/runtime";
import { isGoverned } from "../project/is-governed.js";
import type { GovernedProject, ProjectGovernance } from "../project/project-governance.js";
import type { ModuleSources } from "../project/module-sources.js";
import { type OpenApp, openApp } from "./open-app.js";
import type { ServedProject } from "./served-project.js";

/** Everything with which a server makes calls. */
export interface OpenCalls extends OpenApp {
  /** Tools by their names for models, each loaded at its first call. */
  readonly tools: ToolMap;
}

/**
 * Opens the runtime of the project's application, or one as `skillc call` has it.
 *
 * @throws CommandFailure if a module can't be loaded, or a store can't be opened
 */
export async function openCalls(
  context: CommandContext,
  project: ServedProject,
): Promise<OpenCalls> {
  const { root, settings, sources } = project;
  const tools = Object.fromEntries(
    allTools(root, settings.out).map((tool) => [
      // Models know a tool by its skill and its name.
      tool.id.replace("/", "__"),
      async () => loadTool(root, tool, await sources.shared(), sources.kept),
    ]),
  );
  const app = settings.mcp?.app;
  const opened: OpenApp =
    app === undefined
      ? await openOwnRuntime(context, project, sources)
      : await openApp(root, app, sources);
  return { ...opened, tools };
}

async function openOwnRuntime(
  context: CommandContext,
  { handlers: file, root, settings }: ServedProject,
  { kept, shared }: ModuleSources,
): Promise<OpenRuntime> {
  warnOfEnvFile(context, root);
  const handlers = file === undefined ? {} : (await loadHandlers(context, root, file)).handlers;
  const governed = isGoverned(root, settings.out)
    ? await openGovernance(context, { root, settings, kept, shared: await shared() })
    : undefined;
  const ledger = settings.governance?.ledger && (await openLedgerOf(context, root));
  return openRuntime(context, { root, handlers, governed, ...(ledger && { ledger }) });
}

/** Loaded only here, because most servers need no policies. */
async function openGovernance(
  context: CommandContext,
  project: GovernedProject,
): Promise<ProjectGovernance | undefined> {
  const { governanceOf, tellNoStore } = await import("../project/project-governance.js");
  const governed = await governanceOf(context, project);
  if (governed?.isShared === false) tellNoStore(context);
  return governed;
}

/** Loaded only here, because it reads skillc.yaml again. */
async function openLedgerOf(
  { io }: CommandContext,
  root: string,
): Promise<LedgerStore | undefined> {
  const { openDatabaseLedger } = await import("../ledger/open-ledger.js");
  return (await openDatabaseLedger(root, {}, io.env))?.store;
}
