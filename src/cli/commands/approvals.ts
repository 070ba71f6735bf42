/** `skillc approvals`: lists, shows and decides requests for approval. */
import type { Approval, Governance, RequestState, StoredRequest } from "@skillc/runtime/governance";
import { allRequests, findRequest, shortIds } from "../approvals/find-request.js";
import { approvalWords, renderRequest, renderRequestList } from "../approvals/render-requests.js";
import { undecidable } from "../approvals/undecidable.js";
import { discardLayers } from "@skillc/runtime/internal/governance";
import type { CommandContext } from "../command-context.js";
import { withCodeSpans } from "../console/palette.js";
import { printJson } from "../console/print-json.js";
import { CommandFailure, type ExitCode, exitCode } from "../exit.js";
import { wantsColour, widthOf } from "../io.js";
import { type ConsoleStyle, printable } from "../ledger/console-style.js";
import { openLedger } from "../ledger/open-ledger.js";
import { loadEntryPoints } from "../project/entry-points.js";
import { type OpenStore, withStore } from "../project/governance-store.js";
import { governanceOf, type ProjectGovernance } from "../project/project-governance.js";
import { projectRoot } from "../project/project-root.js";
import { readSettings } from "../project/read-settings.js";
import { subjectOf } from "./subject-option.js";
import { descriptionOf } from "./generated-tools.js";
import { withoutSecrets } from "./without-secrets.js";

export type ApprovalsPart = "list" | "show" | "approve" | "deny" | "withdraw";

/** Options of all commands about approvals, as commander gives them. */
export interface ApprovalsFlags {
  readonly tenant?: string;
  readonly subject?: string;
  readonly tool?: string;
  readonly state?: RequestState;
  readonly limit?: number;
  readonly full?: true;
  /** Subject of the person who decides. */
  readonly as?: string;
  readonly note?: string;
  /** Digest of the effects that the approver saw, or its beginning. */
  readonly digest?: string;
  readonly json?: true;
}

/** An opened project, and the request that a command is about. */
interface Command extends ProjectGovernance {
  readonly context: CommandContext;
  /** Path of the project's folder. */
  readonly root: string;
  /** Output folder, relative to the project. */
  readonly out: string;
  readonly flags: ApprovalsFlags;
  /** Name of the project's key: `${NAME}`. */
  readonly keyName: string | undefined;
}

/** The command line shows a request to the person at the terminal. */
const channel = "terminal";

/**
 * Runs one command about the requests for approval of the project.
 *
 * @param id id of a request, or its beginning; undefined for `list`
 * @param open opens the store by its URL
 */
export async function approvals(
  context: CommandContext,
  part: ApprovalsPart,
  id: string | undefined,
  flags: ApprovalsFlags,
  open?: OpenStore,
): Promise<ExitCode> {
  const root = await projectRoot(context.directory);
  const settings = await readSettings(root);
  const shared = await loadEntryPoints("@skillc/runtime");
  const governed = await governanceOf(context, { root, settings, shared, open });
  if (governed === undefined) throw noPolicy(settings.out);
  const keyName = settings.runs?.key;
  const command = { ...governed, context, root, out: settings.out, flags, keyName };
  return withStore(governed.governance.store, async () => {
    if (part === "list") return list(command);
    const request = await findRequest(governed.governance, id ?? "");
    if (part === "show") return show(command, request);
    if (part === "approve") return approve(command, request);
    return part === "deny" ? deny(command, request) : withdraw(command, request);
  });
}

function noPolicy(out: string): CommandFailure {
  return CommandFailure.input(
    `there is no \`${out}/policy.ts\`, so no call of this project needs an approval`,
    "`skillc generate` writes it once a tool or skillc.yaml has a key of governance",
  );
}

const defaultLimit = 20;

async function list({ context, flags, governance }: Command): Promise<ExitCode> {
  const { json, limit = defaultLimit, state = "pending", subject, tenant, tool } = flags;
  const found = await governance.requests({
    state,
    // One more than shown tells whether there are more.
    limit: limit + 1,
    ...(tenant !== undefined && { tenant }),
    ...(subject !== undefined && { subject }),
    ...(tool !== undefined && { tool }),
  });
  const shown = found.slice(0, limit);
  const more = found.length > limit;
  if (json === true) printJson(context.io.stdout, { requests: shown.map(requestJson), more });
  else {
    const ids = shortIds(await allRequests(governance));
    print(context, renderRequestList(shown, ids, more, styleOf(context)));
  }
  return exitCode.fine;
}

/** Writes times as text. */
function requestJson({ at, decision, expiresAt, ...request }: StoredRequest) {
  return {
    ...request,
    at: timeText(at),
    expiresAt: timeText(expiresAt),
    ...(decision !== undefined && { decision: { ...decision, at: timeText(decision.at) } }),
  };
}

async function show(command: Command, request: StoredRequest): Promise<ExitCode> {
  const { context, flags, governance, out, root } = command;
  const approval = await approvalOf(governance, request);
  const description = descriptionOf(root, out, request.tool);
  const whole = flags.full === true ? { whole: await openWhole(command, request) } : {};
  if (flags.json === true)
    printJson(context.io.stdout, {
      ...requestJson(request),
      ...(description !== undefined && { description }),
      ...(approval !== undefined && { approvalState: approvalWords(approval) }),
      ...whole,
    });
  else
    print(context, renderRequest({ request, description, approval, ...whole }, styleOf(context)));
  return exitCode.fine;
}

async function approvalOf(
  { store }: Governance,
  { approval }: StoredRequest,
): Promise<Approval | undefined> {
  return approval === undefined ? undefined : store.readApproval(approval);
}

/**
 * Opens the whole request, which is encrypted in the ledger.
 *
 * @throws CommandFailure if it was not kept, or the key is missing or another
 */
async function openWhole(command: Command, request: StoredRequest): Promise<unknown> {
  const { context, governance, hasProjectKey, keyName, root } = command;
  const { sealed } = request.details ?? {};
  if (sealed !== undefined && "sha256" in sealed && !hasProjectKey) throw noKey(keyName);
  const ledger = await openLedger(root, {}, context.io.env);
  try {
    return await orWrongInput(() => governance.openRequest(request, ledger.store));
  } finally {
    await ledger.store.close();
  }
}

function noKey(keyName: string | undefined): CommandFailure {
  return keyName === undefined
    ? CommandFailure.input(
        "skillc.yaml names no `key:`, and the whole request is stored encrypted",
        "write `key: ${NAME}`, the setting with the `key` of the application's governance",
      )
    : CommandFailure.input(
        `\`key\` of skillc.yaml is \`${keyName}\`, which is not set here, and the whole request is stored encrypted`,
        "set it in the environment, or in .env, to the `key` of the application's governance",
      );
}

async function approve(command: Command, request: StoredRequest): Promise<ExitCode> {
  const { context, flags, governance } = command;
  const by = approverOf(flags);
  const failure = undecidable(
    { policy: governance.policy, request, approval: await approvalOf(governance, request) },
    { subject: by, channel, digest: flags.digest },
  );
  if (failure !== undefined) throw failure;
  const approval = await orWrongInput(() =>
    governance.approve(request, { subject: by, channel, claimed: true }),
  );
  const decided = await governance.store.readApproval(approval);
  if (flags.json === true)
    printJson(context.io.stdout, {
      ...identity(request),
      state: "approved",
      approval,
      by,
      channel,
      claimed: true,
      ...(decided !== undefined && { expiresAt: timeText(decided.expiresAt) }),
    });
  else {
    const until = decided === undefined ? "" : ` until ${timeText(decided.expiresAt)}`;
    print(
      context,
      `approved one call of ${callWords(request)}${until}\nthe caller repeats the call, which finds the approval \`${approval}\``,
    );
  }
  return exitCode.fine;
}

async function deny(command: Command, request: StoredRequest): Promise<ExitCode> {
  const { context, flags, governance, root } = command;
  const by = approverOf(flags);
  const failure = undecidable(
    { policy: governance.policy, request, approval: await approvalOf(governance, request) },
    undefined,
  );
  if (failure !== undefined) throw failure;
  const note =
    flags.note === undefined
      ? {}
      : { note: await withoutSecrets(flags.note, root, context.io.env) };
  await orWrongInput(() =>
    governance.deny(request.id, { subject: by, channel, claimed: true, ...note }),
  );
  await discardLayers(root, request.details?.trial);
  const { expiresAt } = request;
  if (flags.json === true)
    printJson(context.io.stdout, {
      ...identity(request),
      state: "denied",
      by,
      channel,
      claimed: true,
      ...note,
      expiresAt: timeText(expiresAt),
    });
  else print(context, `denied calls of ${callWords(request)} until ${timeText(expiresAt)}`);
  return exitCode.fine;
}

async function withdraw(command: Command, request: StoredRequest): Promise<ExitCode> {
  const { context, flags, governance } = command;
  const by = approverOf(flags);
  const approval = await approvalOf(governance, request);
  const isWithdrawn =
    approval !== undefined &&
    (await orWrongInput(() => governance.withdraw(approval.id, { subject: by })));
  if (!isWithdrawn || approval === undefined) {
    const why =
      approval === undefined
        ? `the request \`${request.id}\` has no approval`
        : `the approval of the request \`${request.id}\` can't be withdrawn: it is ${approvalWords(approval)}`;
    throw CommandFailure.input(why, `\`skillc approvals show ${request.id}\` shows its state`);
  }
  if (flags.json === true)
    printJson(context.io.stdout, {
      ...identity(request),
      state: "withdrawn",
      approval: approval.id,
      by,
    });
  else print(context, `withdrew the approval of ${callWords(request)}`);
  return exitCode.fine;
}

function identity({ id, subject, tenant, tool }: StoredRequest) {
  return { id, tool, subject, tenant };
}

function callWords({ subject = "", tenant, tool }: StoredRequest): string {
  const whose = tenant === undefined ? "" : ` (tenant \`${printable(tenant, 80)}\`)`;
  return `\`${printable(tool)}\` by \`${printable(subject, 80)}\`${whose}`;
}

/** Returns the subject of `--as`; by default the name of the logged-in user. */
function approverOf({ as }: ApprovalsFlags): string {
  const help = "write your name as the application knows it: `--as grace`";
  return subjectOf(as, { flag: "--as", help });
}

/** The runtime rejects what people may have mistyped with a TypeError. */
async function orWrongInput<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw CommandFailure.input(error.message.replace("`note`", "`--note`"));
  }
}

function timeText(ms: number): string {
  return new Date(ms).toISOString();
}

function print({ io, out }: CommandContext, text: string): void {
  io.stdout.write(`${withCodeSpans(text, out)}\n`);
}

function styleOf({ io }: CommandContext): ConsoleStyle {
  return { color: wantsColour(io.stdout, io.env), width: widthOf(io.stdout) };
}
