/** `skillc mcp`: serves the project's tools and skills to clients of the Model Context Protocol. */
import type { Caller } from "@skillc/runtime";
import type { McpAuth } from "@skillc/runtime/mcp";
import type { ProjectConfig } from "../../core/project.js";
import type { CommandContext } from "../command-context.js";
import { severityColour, withCodeSpans } from "../console/palette.js";
import { visible } from "../console/visible.js";
import { CommandFailure, type ExitCode, exitCode } from "../exit.js";
import { clientConfig, type ConfigTarget } from "../mcp/client-config.js";
import { errorPrinter } from "../mcp/error-printer.js";
import { httpAddress } from "../mcp/http-address.js";
import { openAuth } from "../mcp/open-auth.js";
import { openServer } from "../mcp/open-server.js";
import { serveHttp } from "../mcp/serve-http.js";
import { serveStdio } from "../mcp/serve-stdio.js";
import { settingFinder } from "../project/project-key.js";
import { projectRoot } from "../project/project-root.js";
import { readSettings } from "../project/read-settings.js";
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
  const root = await projectRoot(context.directory);
  if (flags.printConfig !== undefined) return printConfig(context, root, flags.printConfig);
  const address = flags.http === undefined ? undefined : httpAddress(flags.http);
  const settings = await readSettings(root);
  const caller = callerOf(flags, settings);
  if (address?.isLocal === false && flags.auth === "none") throw needsVerifier(flags.http ?? "");
  const auth = address && (flags.auth ?? (await authOf(context, root, settings)));
  const opened = await openServer(context, { ...flags, root, settings, caller, auth });
  const { server, skills, tools } = opened;
  const whom = typeof auth === "object" ? "callers with an access token" : nameOf(caller);
  const what = `${tools} tools of ${skills} skills, for ${whom}`;
  const note = (text: string) =>
    context.io.stderr.write(
      `${severityColour(context.err, "info")("note")}: ${withCodeSpans(text, context.err)}\n`,
    );
  try {
    if (address === undefined) {
      note(`serving ${what}`);
      await serveStdio(context.io, server);
    } else {
      await serveHttp(context.io, server, address, (url) => note(`serving ${what}, at ${url}`));
    }
  } finally {
    await opened.close();
  }
  return exitCode.fine;
}

function printConfig({ io, err }: CommandContext, root: string, target: ConfigTarget): ExitCode {
  const { place, text } = clientConfig(target, {
    name: "skillc",
    command: "npx",
    args: ["skillc", "mcp", "--cwd", root],
  });
  io.stderr.write(`${withCodeSpans(`for ${place}:`, err)}\n`);
  io.stdout.write(text);
  return exitCode.fine;
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
