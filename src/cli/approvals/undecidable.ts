/** Reasons why the command line can't decide a request, with a way out of each. */
import { getOwn } from "../../core/json.js";
import type { Approval, ProjectPolicy, StoredRequest } from "@skillc/runtime/governance";
import { mayConfirm } from "@skillc/runtime/internal/governance";
import { CommandFailure } from "../exit.js";
import { printable } from "../ledger/console-style.js";
import { approverOf } from "../ledger/render-call.js";
import { approvalWords, shownDigest } from "./render-requests.js";

/** A request to decide. */
export interface Undecided {
  readonly policy: ProjectPolicy;
  readonly request: StoredRequest;
  /** The approval, if the request is approved. */
  readonly approval: Approval | undefined;
}

/** Who wants to approve, and where. */
interface Approving {
  readonly subject: string;
  readonly channel: string;
  /** Digest of the effects that the person saw, or its beginning. */
  readonly digest: string | undefined;
}

/**
 * Returns the reason why nobody, or not this person, can decide the request; undefined if there is
 * none.
 *
 * @param by the person who wants to approve; undefined for a denial
 */
export function undecidable(
  undecided: Undecided,
  by: Approving | undefined,
): CommandFailure | undefined {
  const { request } = undecided;
  if (request.state === "denied") return denied(request);
  if (request.state === "approved") return approved(undecided);
  return by && (changed(undecided) ?? own(undecided, by) ?? unseen(request, by));
}

function denied({ decision, expiresAt, id }: StoredRequest): CommandFailure {
  const by = decision === undefined ? "" : ` by ${approverOf(decision)}`;
  const note = decision?.note === undefined ? "" : `: ${decision.note}`;
  return CommandFailure.input(
    `the request \`${id}\` was denied${by}${note}`,
    `the denial holds until ${new Date(expiresAt).toISOString()}`,
  );
}

function approved({ approval, request }: Undecided): CommandFailure {
  const { decision, id } = request;
  const by = decision === undefined ? "" : ` by ${approverOf(decision)}`;
  const words = approval === undefined ? "gone" : approvalWords(approval);
  return CommandFailure.input(
    `the request \`${id}\` was approved${by}; its approval is ${printable(words)}`,
    words === "unused"
      ? `the caller repeats the call, which finds the approval; \`skillc approvals withdraw ${id}\` takes it back`
      : "the caller repeats the call, which leaves a new request",
  );
}

function changed({ policy, request }: Undecided): CommandFailure | undefined {
  const { manifest, tool } = request;
  const known = getOwn(policy.tools, tool);
  if (known?.manifest === manifest) return undefined;
  const what = known === undefined ? "is not a tool of this project" : "has changed since the call";
  return CommandFailure.input(
    `\`${printable(tool)}\` ${what}, so its request can't be approved`,
    "run `skillc generate` if the generated files are old; else the caller repeats the call",
  );
}

function own({ policy, request }: Undecided, by: Approving): CommandFailure | undefined {
  const tool = getOwn(policy.tools, request.tool);
  if (by.subject !== request.subject || tool === undefined || mayConfirm(policy, tool, by))
    return undefined;
  const subject = `\`${printable(by.subject, 80)}\``;
  return tool.approval?.by === "person"
    ? CommandFailure.input(
        `${subject} made the call, and \`approval_channels\` of skillc.yaml lacks \`${by.channel}\``,
        `add \`${by.channel}\` to \`approval_channels\`, or confirm the call in the application`,
      )
    : CommandFailure.input(
        `${subject} made the call, and callers can't approve their own calls`,
        "somebody else approves it; `approval: { by: person }` of the tool would let the caller confirm it here",
      );
}

/** The call may have been tried again since the person looked. */
function unseen({ details, id }: StoredRequest, { digest }: Approving): CommandFailure | undefined {
  const trial = details?.trial?.sha256;
  if (trial === undefined && digest === undefined) return undefined;
  const look = `look at the request again: \`skillc approvals show ${id}\``;
  if (trial === undefined)
    return CommandFailure.input(`the request \`${id}\` shows no effects now`, look);
  if (digest === undefined)
    return CommandFailure.input(
      `the request \`${id}\` shows effects, and only the effects that you saw can be approved`,
      `\`skillc approvals show ${id}\` prints their digest: pass it as \`--digest\``,
    );
  if (digest.length < shownDigest)
    return CommandFailure.usage(
      `\`--digest\` is too short: write at least the ${shownDigest} characters that \`show\` prints`,
      look,
    );
  if (trial.startsWith(digest.toLowerCase())) return undefined;
  return CommandFailure.input(
    "the digest is not that of the effects which the request shows now: the call was tried again since",
    look,
  );
}
