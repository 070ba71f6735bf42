import type { Call } from "../call/call.js";
import type { ToolErrorCode } from "../errors.js";
import type { Attachment } from "./attachments.js";
import type { ProducedAttachment } from "./produced-bytes.js";

/** How a call ended, as its end record says it; texts are JSON already. */
export interface RecordedEnding {
  readonly status: string;
  /** A summary of the result; null when there is none. */
  readonly result: string | null;
  readonly error: { readonly code: ToolErrorCode; readonly message: string } | null;
  /** JSON; what shadow mode recorded. */
  readonly request: string | undefined;
  readonly durationMs: number;
  readonly attachment: Attachment | undefined;
  /** What the call produced; undefined when it produced nothing, or nothing of it is kept. */
  readonly attachments?: readonly ProducedAttachment[] | undefined;
  /** JSON; where the target was asked how far its work is. */
  readonly accepted: string | undefined;
  /** JSON; where the answer doesn't fit its schema. */
  readonly misfits: string | undefined;
}

/** What records say of a call. */
export interface RecordableCall
  extends
    Pick<Call, "attempts" | "id" | "mode" | "options">,
    Partial<Pick<Call, "caller" | "decision">> {
  readonly binding: { readonly kind: string };
  readonly tool: Pick<Call["tool"], "effect" | "name" | "skill" | "version">;
}

/**
 * A `BeginRecord` as JSON. Written by hand, in a third of the time that `JSON.stringify` takes: a
 * write waits for it.
 *
 * @param accepted JSON; of a write that its target has accepted
 */
export function beginJson(
  call: RecordableCall,
  time: number,
  parameters: string,
  accepted?: string,
): string {
  return `{"type":"begin",${factsJson(call, time, parameters)}${acceptedField(accepted)}}`;
}

function acceptedField(accepted: string | undefined): string {
  return accepted === undefined ? "" : `,"accepted":${accepted}`;
}

/** An `EndRecord` as JSON. */
export function endJson(
  call: RecordableCall,
  time: number,
  parameters: string,
  outcome: RecordedEnding,
): string {
  const { accepted, attachment, attachments, durationMs, error, misfits, request, result, status } =
    outcome;
  const attached = attachment === undefined ? "" : `,"attachment":${JSON.stringify(attachment)}`;
  const produced = attachments === undefined ? "" : `,"attachments":${JSON.stringify(attachments)}`;
  const asked = request === undefined ? "" : `,"request":${request}`;
  const unfit = misfits === undefined ? "" : `,"misfits":${misfits}`;
  const decided = call.decision === undefined ? "" : `,"decision":${JSON.stringify(call.decision)}`;
  return (
    `{"type":"end",${factsJson(call, time, parameters)},"status":${JSON.stringify(status)},"result":${JSON.stringify(result)}` +
    `,"error":${error === null ? "null" : JSON.stringify(error)},"attempts":${call.attempts},"durationMs":${durationMs}${attached}${produced}${asked}${acceptedField(accepted)}${unfit}${decided}}`
  );
}

function factsJson(call: RecordableCall, time: number, parameters: string): string {
  const { trace = call.caller?.trace, parent, step } = call.options;
  const traced = trace === undefined ? "" : `,"trace":${JSON.stringify(trace)}`;
  const born = parent === undefined ? "" : `,"parent":${JSON.stringify(parent)}`;
  const staged = step === undefined ? "" : `,"step":${JSON.stringify(step)}`;
  return `"id":"${call.id}","time":"${isoTime(time)}",${toolJson(call)}${callerJson(call)},"parameters":${parameters}${traced}${born}${staged}`;
}

/** Who made the call, where governance asked. */
function callerJson({ caller = {}, decision }: RecordableCall): string {
  if (decision === undefined) return "";
  const { origin, subject, tenant } = caller;
  return `,"caller":${JSON.stringify({ tenant, subject, origin })}`;
}

/** The part that all calls of a tool share, by contract, then by kind and mode. */
const shared = new WeakMap<RecordableCall["tool"], Map<string, string>>();

function toolJson({ binding: { kind }, mode, tool }: RecordableCall): string {
  let known = shared.get(tool);
  if (known === undefined) shared.set(tool, (known = new Map()));
  const key = `${kind} ${mode}`;
  let json = known.get(key);
  if (json === undefined) {
    const { effect, name, skill, version } = tool;
    json = JSON.stringify({ skill, tool: name, kind, mode, effect, version }).slice(1, -1);
    known.set(key, json);
  }
  return json;
}

let lastTime = Number.NaN;
let lastText = "";

/** Many calls share a millisecond. */
function isoTime(time: number): string {
  if (time !== lastTime) {
    lastTime = time;
    lastText = new Date(time).toISOString();
  }
  return lastText;
}
