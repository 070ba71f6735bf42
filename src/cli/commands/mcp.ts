/** `skillc mcp`: serves the project's tools and skills to clients of the Model Context Protocol. */
import type { Caller } from "@skillc/runtime";
import type { McpAuth } from "@skillc/runtime/mcp";
import type { ProjectConfig } from "../../core/project.js";
import type { CommandContext } from "../command-context.js";
import { severityColour, withCodeSpans } from "../console/palette.js";
import { visible } from "../console/visible.js";
import { CommandFailure, type ExitCode, exitCode } from "../exit.js";
import type { ConfigTarget } from "../mcp/client-config.js";
import { consoleToStderr } from "../mcp/console-to-stderr.js";
import { errorPrinter } from "../mcp/error-printer.js";
import { type HttpAddress, httpAddress } from "../mcp/http-address.js";
import { openAuth } from "../mcp/open-auth.js";
import { openModuleSources } from "../project/module-sources.js";
import { type OpenServer, openServer } from "../mcp/open-server.js";
import { printConfig } from "../mcp/print-config.js";
import { serveHttp } from "../mcp/serve-http.js";
import { serveStdio } from "../mcp/serve-stdio.js";
import type { ServedProject } from "../mcp/served-project.js";
import { settingFinder } from "../project/project-key.js";
import { keptSettings } from "../project/kept-settings.js";
import { projectRoot } from "../project/project-root.js";
import { callerOption } from "./project-call.js";
import { subjectOf } from "./subject-option.js";

/** Flags of `skillc mcp`; absent by default. */
export interface McpFlags {
  /** `[host:]port`. */
  readonly http?: string;
  readonly auth?: "none";
  /** A `Caller` as JSON. */
  readonly caller?: string;
  /** Path of a module that exports `handlers`. */
  readonly handlers?: string;
  readonly outputSchemas?: "none";
  readonly printConfig?: ConfigTarget;
}

/** Serves until the client or the system ends the command. */
export async function mcp(context: CommandContext, flags: McpFlags): Promise<ExitCode> {
  requireUse(flags);
  const root = await projectRoot(context.directory);
  const address = flags.http === undefined ? undefined : httpAddress(flags.http);
  const sources = openModuleSources(root, context.io.env);
  const settings = await keptSettings(root, sources.kept);
  const caller = callerOf(flags, settings);
  if (flags.handlers !== undefined && settings.mcp?.app !== undefined) throw hasApp();
  if (flags.printConfig !== undefined) {
    printConfig(context, root, flags.printConfig, flags);
    return exitCode.fine;
  }
  if (address?.isLocal === false && flags.auth === "none") throw needsVerifier(flags.http ?? "");
  const auth = address && (flags.auth ?? (await authOf(context, root, settings)));
  const project = { ...flags, root, settings, sources, caller, auth };
  if (address !== undefined) await serve(context, project, address);
  else {
    // Modules of the project may print as soon as they are loaded.
    const restore = consoleToStderr(context.io.stderr);
    await serve(context, project, address).finally(restore);
  }
  return exitCode.fine;
}

/** @param address undefined for standard input and output */
async function serve(
  context: CommandContext,
  project: ServedProject,
  address: HttpAddress | undefined,
): Promise<void> {
  const opened = await openServer(context, project);
  const { server } = opened;
  const what = servedText(opened, typeof project.auth === "object" ? undefined : project.caller);
  const note = (text: string) =>
    context.io.stderr.write(
      `${severityColour(context.err, "info")("note")}: ${withCodeSpans(text, context.err)}\n`,
    );
  if (opened.isStale)
    note("`mcp.json` is not of the generated tools, so clients lack facts: run `skillc generate`");
  try {
    if (address === undefined) {
      note(`serving ${what}`);
      await serveStdio(context.io, server);
    } else {
      await serveHttp(context.io, server, address, (url) => note(`serving at ${url}: ${what}`));
    }
  } finally {
    await opened.close();
  }
}

/** @throws CommandFailure if a flag would have no effect */
function requireUse({ auth, http, printConfig: target }: McpFlags): void {
  if (target !== undefined && http !== undefined)
    throw CommandFailure.usage(
      "`--print-config` prints how a client starts `skillc mcp`, which is without `--http`",
      "leave out `--http`; a client over HTTP needs only the URL that the server prints",
    );
  if (auth !== undefined && http === undefined)
    throw CommandFailure.usage(
      "`--auth` is for `--http`: over standard input and output there is one caller",
      "leave out `--auth`, or add `--http 8080`",
    );
}

/**
 * Says what is served. The number of tools is not that of a list, because each caller sees fewer.
 *
 * @param caller undefined if each client has its own
 */
function servedText(
  { skills, tools }: Pick<OpenServer, "skills" | "tools">,
  caller: Caller | undefined,
): string {
  const whom = caller === undefined ? "callers with an access token" : nameOf(caller);
  const what = `${counted(skills, "skill")} with ${counted(tools, "tool")}, for ${whom}`;
  return `${what}; a client sees only the tools that its caller can call now`;
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

function callerOf({ caller }: McpFlags, { mcp: settings }: ProjectConfig): Caller {
  if (caller !== undefined) return callerOption(caller);
  if (settings?.caller !== undefined) return settings.caller;
  const help = `write who calls: --caller '{"subject": "ada"}'`;
  return { subject: subjectOf(undefined, { flag: "--caller", help }) };
}

function nameOf({ subject = "nobody", tenant }: Caller): string {
  return `\`${visible(subject)}\`${tenant === undefined ? "" : ` of \`${visible(tenant)}\``}`;
}

function authOf(
  context: CommandContext,
  root: string,
  { mcp: settings }: ProjectConfig,
): Promise<McpAuth> {
  if (settings?.auth === undefined) throw needsAuth();
  return openAuth(settings.auth, settingFinder(root, context.io.env), errorPrinter(context));
}

function hasApp(): CommandFailure {
  return CommandFailure.usage(
    "`--handlers` would have no effect: `mcp: { app }` of skillc.yaml has the handlers",
    "leave out `--handlers`, or add the handlers to the `runtime` of that module",
  );
}

function needsAuth(): CommandFailure {
  return CommandFailure.usage(
    "over HTTP the server must know who calls",
    "write `mcp: { auth: … }` in skillc.yaml, or serve this machine alone for one caller: `--auth none`",
  );
}

function needsVerifier(address: string): CommandFailure {
  return CommandFailure.usage(
    `\`--auth none\` can't serve \`${address}\`, which other machines reach`,
    "write `mcp: { auth: … }` in skillc.yaml, or leave out the host",
  );
}
