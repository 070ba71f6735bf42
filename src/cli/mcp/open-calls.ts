import type { ToolMap } from "@skillc/runtime";
import { allTools } from "../commands/generated-tools.js";
import {
  loadHandlers,
  loadTool,
  type OpenRuntime,
  openRuntime,
  type SharedModules,
  warnOfEnvFile,
} from "../commands/project-call.js";
import type { CommandContext } from "../command-context.js";
import { openDatabaseLedger } from "../ledger/open-ledger.js";
import { loadEntryPoints } from "../project/entry-points.js";
import { governanceOf, isGoverned, tellNoStore } from "../project/project-governance.js";
import { openApp } from "./open-app.js";
import type { ServedProject } from "./served-project.js";

/** Everything with which a server makes calls. */
export interface OpenCalls extends OpenRuntime {
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
  const { root, settings } = project;
  const shared = sharedModules();
  const tools = Object.fromEntries(
    allTools(root, settings.out).map((tool) => [
      // Models know a tool by its skill and its name.
      tool.id.replace("/", "__"),
      async () => loadTool(root, tool, await shared()),
    ]),
  );
  const app = settings.mcp?.app;
  const opened =
    app === undefined
      ? await openOwnRuntime(context, project, shared)
      : await openApp(root, app, shared);
  return { ...opened, tools };
}

/** Loads the modules that the project's code shares with this process, when they are needed. */
function sharedModules(): () => Promise<SharedModules> {
  let loading: Promise<SharedModules> | undefined;
  return () => (loading ??= loadEntryPoints("@skillc/runtime"));
}

async function openOwnRuntime(
  context: CommandContext,
  { handlers: file, root, settings }: ServedProject,
  shared: () => Promise<SharedModules>,
): Promise<OpenRuntime> {
  warnOfEnvFile(context, root);
  const handlers = file === undefined ? {} : (await loadHandlers(context, root, file)).handlers;
  const governed = isGoverned(root, settings.out)
    ? await governanceOf(context, { root, settings, shared: await shared() })
    : undefined;
  if (governed?.isShared === false) tellNoStore(context);
  const ledger = (await openDatabaseLedger(root, {}, context.io.env))?.store;
  return openRuntime(context, { root, handlers, governed, ...(ledger && { ledger }) });
}
