/** Decisions about requests for approval: who may decide, and what the store keeps. */
import { randomUUID } from "node:crypto";
import { ownCaller, whyNoName } from "../caller.js";
import type { ApprovalRequest } from "../errors.js";
import { approvalIdForm, dayMs, mayConfirm, usualChannels, withdrawnBy } from "./approval-rules.js";
import { envelope } from "./events.js";
import type { Approver, Denier } from "./governance.js";
import type { Governor } from "./governor.js";
import type { GovernedTool } from "./policy.js";
import type { GovernanceStore, RequestFacts, SavedApproval, StoredRequest } from "./store/store.js";
import { requestId } from "./store/stored-request.js";

type Deciding = Pick<Governor, "policy" | "store" | "tell">;

const digestForm = /^[\w-]{43}$/;
/** Maximum length of a note, in characters. */
const longestNote = 500;

/**
 * Approves one call.
 *
 * @param asked the `failure.request` of an `AUTH.APPROVAL_REQUIRED` error, that of `preflight`, a
 * stored request, or its id. If the store's request has a trial, the approver must have seen this
 * trial: `asked` or `by` names it.
 * @returns the id of the approval
 * @throws TypeError if there is no approver, the approver is the call's subject and may not confirm
 * it, the call has no subject, the request was denied, the approver saw another trial or none, or
 * the policy doesn't know the tool in this version
 */
export async function giveApproval(
  deciding: Deciding,
  asked: ApprovalRequest | StoredRequest | string,
  by: Approver,
): Promise<string> {
  const id = randomUUID();
  const saved = await saveApproval(deciding, asked, by, id);
  if (saved === "denied") throw new TypeError("the request was denied, and the denial still holds");
  return id;
}

/**
 * Approves one call that its caller has confirmed in person. If an approval with this id is known,
 * or the confirmation is not valid, nothing changes.
 *
 * @param id id of the approval, derived from the confirmation
 */
export async function confirmApproval(
  deciding: Deciding,
  asked: ApprovalRequest,
  by: Approver,
  id: string,
): Promise<void> {
  try {
    await saveApproval(deciding, asked, by, id);
  } catch (error) {
    // The call finds no approval then.
    if (!(error instanceof TypeError)) throw error;
  }
}

async function saveApproval(
  deciding: Deciding,
  asked: ApprovalRequest | StoredRequest | string,
  by: Approver,
  id: string,
): Promise<SavedApproval> {
  const { policy, store } = deciding;
  const request = typeof asked === "string" ? await pendingRequest(store, asked) : { ...asked };
  const known = governedIn(deciding, request.tool);
  if (known.manifest !== request.manifest)
    throw new TypeError(`\`${request.tool}\` has changed since its call asked for approval`);
  const facts = ownFacts(request);
  const { channel, claimed, subject } = approverOf(by);
  if (facts.subject === undefined)
    throw new TypeError(
      "a call without a `subject` can't be approved, because its approver could be its caller",
    );
  if (subject === facts.subject && !mayConfirm(policy, known, { channel }))
    throw new TypeError(whyNotOwn(policy.approvalChannels, known));
  const longestMs = known.approval?.ttlMs ?? dayMs;
  const ttlMs = "ttlMs" in request ? request.ttlMs : longestMs;
  if (!(ttlMs > 0)) throw new TypeError(unchanged);
  const trial = await seenTrial(store, facts, by.trial ?? trialOf(asked));
  const decision = { by: subject, ...present({ channel, claimed }) };
  const saved = await store.saveApproval({
    ...facts,
    ...decision,
    id,
    tenant: facts.tenant,
    subject: facts.subject,
    request: requestId(facts),
    ...present({ trial }),
    // The approver's UI may have changed the request, so limit the lifetime to the tool's rule.
    ttlMs: Math.min(ttlMs, longestMs),
  });
  if (saved === "saved")
    announce(deciding, facts, { ...decision, decision: "approved", approval: id });
  return saved;
}

/**
 * Denies a request until it expires. Equal calls are refused with the note.
 *
 * @param asked the `failure.request` of an `AUTH.APPROVAL_REQUIRED` error, or the id of a stored
 * request
 * @throws TypeError if there is no such request, it was decided before, or `by` is not valid
 */
export async function denyApproval(
  deciding: Deciding,
  asked: ApprovalRequest | string,
  by: Denier,
): Promise<void> {
  const { store } = deciding;
  const { channel, claimed, subject } = approverOf(by);
  const { note } = by;
  if (note !== undefined && (typeof note !== "string" || note.length > longestNote))
    throw new TypeError(`\`note\` must be a text of at most ${longestNote} characters`);
  const request = typeof asked === "string" ? await pendingRequest(store, asked) : { ...asked };
  const facts = ownFacts(request);
  const id = requestId(facts);
  const ttlMs = governedIn(deciding, facts.tool).approval?.ttlMs ?? dayMs;
  // The request may come from a dry run, which stores none.
  if (typeof asked !== "string") await store.saveRequest({ ...facts, id, ttlMs });
  const decision = { by: subject, ...present({ channel, claimed, note }) };
  const state = await store.denyRequest(id, decision);
  if (state === "approved")
    throw new TypeError("the request was approved: withdraw the approval instead");
  if (state !== "denied") throw new TypeError(noRequest);
  announce(deciding, facts, { by: subject, ...present({ channel, claimed }), decision: "denied" });
}

/**
 * Withdraws an approval.
 *
 * @returns false if there was no such approval, or it was used or has expired
 * @throws TypeError if `by` has no valid subject
 */
export async function withdrawApproval(
  store: GovernanceStore,
  id: string,
  by: Approver,
): Promise<boolean> {
  const { subject } = approverOf(by);
  if (typeof id !== "string" || !approvalIdForm.test(id)) return false;
  return (await store.useApproval(id, `${withdrawnBy}${subject}`)) === "used";
}

const unchanged = "pass `failure.request` of `AUTH.APPROVAL_REQUIRED` to `approve` unchanged";
const noRequest = "there is no such request for approval; it may have expired";

async function pendingRequest(store: GovernanceStore, id: string): Promise<StoredRequest> {
  const found = await store.readRequest(id);
  if (found === undefined) throw new TypeError(noRequest);
  return found;
}

/** Returns the digest of the trial that a request shows; undefined if it shows none. */
function trialOf(asked: ApprovalRequest | StoredRequest | string): string | undefined {
  if (typeof asked === "string") return undefined;
  return "trial" in asked
    ? asked.trial
    : "details" in asked
      ? asked.details?.trial?.sha256
      : undefined;
}

/**
 * Returns the digest of the trial that the approver saw.
 *
 * @throws TypeError if the store's request has another one
 */
async function seenTrial(
  store: GovernanceStore,
  facts: RequestFacts,
  seen: string | undefined,
): Promise<string | undefined> {
  const found = await store.readRequest(requestId(facts));
  const trial = found?.details?.trial?.sha256;
  if (seen === trial) return trial;
  throw new TypeError(
    seen === undefined
      ? "the call was tried: pass the stored request with the effects that the approver saw, or the SHA-256 of its trial as `trial`"
      : "the call was tried again since: look at its request again",
  );
}

function governedIn({ policy }: Deciding, tool: string): GovernedTool {
  const known = Object.hasOwn(policy.tools, tool) ? policy.tools[tool] : undefined;
  if (known === undefined) throw new TypeError("the policy doesn't know the tool to approve");
  return known;
}

/** Copies what identifies the calls, and checks it: it may come from the approver's UI. */
function ownFacts({ digest, manifest, subject, tenant, tool }: RequestFacts): RequestFacts {
  if (typeof digest !== "string" || !digestForm.test(digest)) throw new TypeError(unchanged);
  const whose = ownCaller({
    ...(tenant !== undefined && { tenant }),
    ...(subject !== undefined && { subject }),
  });
  return { tool, manifest, digest, ...present(whose) };
}

/**
 * Copies an approver.
 *
 * @throws TypeError if the subject is missing, or a name is not valid
 */
function approverOf({ channel, claimed, subject }: Approver) {
  if (subject === undefined) throw new TypeError("the approver needs a `subject`");
  const why = channel === undefined ? undefined : whyNoName(channel);
  if (why !== undefined) throw new TypeError(`\`channel\` ${why}`);
  return { subject: ownCaller({ subject }).subject ?? "", channel, claimed };
}

function whyNotOwn(
  channels: readonly string[] = usualChannels,
  { approval }: Pick<GovernedTool, "approval">,
): string {
  if (approval?.by !== "person") return "callers can't approve their own calls";
  const named = channels.map((each) => `\`${each}\``).join(", ");
  return `callers can confirm their own calls only on a channel of \`approval_channels\`: ${named}`;
}

function announce(
  { policy, tell }: Deciding,
  { manifest, subject, tenant, tool, ...facts }: RequestFacts,
  decision: {
    readonly by: string;
    readonly channel?: string;
    readonly claimed?: true;
    readonly decision: "approved" | "denied";
    readonly approval?: string;
  },
): void {
  tell?.({
    type: "ApprovalDecided",
    ...envelope(tool, policy.hash),
    request_id: requestId({ manifest, subject, tenant, tool, ...facts }),
    ...present({ tenant, subject }),
    manifest_hash: manifest,
    ...decision,
  });
}

/** Returns the fields that have a value. */
function present<Fields extends object>(
  fields: Fields,
): { readonly [Key in keyof Fields]?: Exclude<Fields[Key], undefined> } {
  // Only fields without a value are left out.
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    readonly [Key in keyof Fields]?: Exclude<Fields[Key], undefined>;
  };
}
