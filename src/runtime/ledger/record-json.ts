import type { Call } from "../call/call.js";
import type { Runtime } from "../runtime.js";
import type { Undoing } from "../call/undoing.js";
import type { ToolErrorCode } from "../errors.js";
import type { Attachment } from "./attachments.js";
import type { ProducedAttachment } from "./produced-bytes.js";
import type { WayBack } from "../rollback/way-back.js";

/** End of a call for its end record. Fields that are texts contain JSON unless noted. */
export interface RecordedEnding {
  readonly status: string;
  /** Beginning of the result; null if there is none. */
  readonly result: string | null;
  readonly error: { readonly code: ToolErrorCode; readonly message: string } | null;
  /** JSON of the request that was not sent. */
  readonly request: string | undefined;
  readonly durationMs: number;
  readonly attachment: Attachment | undefined;
  /** Bytes that the call produced; undefined if there are none, or none are kept. */
  readonly attachments?: readonly ProducedAttachment[] | undefined;
  /** JSON of the address for polling the target. */
  readonly accepted: string | undefined;
  /** Set if the call has undone another. */
  readonly undone?: true | undefined;
  /** How the call can be undone. */
  readonly rollback?: WayBack | undefined;
  /** JSON of the places where the answer doesn't match its schema. */
  readonly misfits: string | undefined;
}

/** The parts of a call that records contain. */
export interface RecordableCall
  extends
    Pick<Call, "attempts" | "id" | "mode" | "options">,
    Partial<Pick<Call, "caller" | "containment" | "decision">> {
  readonly binding: { readonly kind: string };
  readonly runtime?: Pick<Runtime, "callersAreClaimed">;
  readonly undoing?: Pick<Undoing, "forced" | "of"> | undefined;
  readonly tool: Pick<Call["tool"], "effect" | "name" | "skill" | "version">;
}

/**
 * Writes a `BeginRecord` as JSON. It concatenates text, in a third of the time of `JSON.stringify`,
 * because a write waits for it.
 *
 * @param accepted JSON, if the target has accepted the write
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

/** Writes an `EndRecord` as JSON. */
export function endJson(
  call: RecordableCall,
  time: number,
  parameters: string,
  outcome: RecordedEnding,
): string {
  const { accepted, attachment, attachments, durationMs, error, misfits } = outcome;
  const { request, result, rollback, status, undone } = outcome;
  const attached = attachment === undefined ? "" : `,"attachment":${JSON.stringify(attachment)}`;
  const produced = attachments === undefined ? "" : `,"attachments":${JSON.stringify(attachments)}`;
  const asked = request === undefined ? "" : `,"request":${request}`;
  const unfit = misfits === undefined ? "" : `,"misfits":${misfits}`;
  const contained =
    call.containment === undefined ? "" : `,"containment":${JSON.stringify(call.containment)}`;
  const hasUndone = undone === undefined ? "" : `,"undone":${undone}`;
  const undoable = rollback === undefined ? "" : `,"rollback":${JSON.stringify(rollback)}`;
  const decided = call.decision === undefined ? "" : `,"decision":${JSON.stringify(call.decision)}`;
  return (
    `{"type":"end",${factsJson(call, time, parameters)},"status":${JSON.stringify(status)},"result":${JSON.stringify(result)}` +
    `,"error":${error === null ? "null" : JSON.stringify(error)},"attempts":${call.attempts},"durationMs":${durationMs}${attached}${produced}${asked}${acceptedField(accepted)}${contained}${hasUndone}${undoable}${unfit}${decided}}`
  );
}

function factsJson(call: RecordableCall, time: number, parameters: string): string {
  const { trace = call.caller?.trace, parent, step } = call.options;
  const traced = trace === undefined ? "" : `,"trace":${JSON.stringify(trace)}`;
  const born = parent === undefined ? "" : `,"parent":${JSON.stringify(parent)}`;
  const staged = step === undefined ? "" : `,"step":${JSON.stringify(step)}`;
  const { forced, of } = call.undoing ?? {};
  const undoing = of === undefined ? "" : `,"rollbackOf":${JSON.stringify(of)}`;
  const because = forced === undefined ? "" : `,"forced":${JSON.stringify(forced)}`;
  return `"id":"${call.id}","time":"${isoTime(time)}",${toolJson(call)}${callerJson(call)},"parameters":${parameters}${traced}${born}${staged}${undoing}${because}`;
}

/** Writes the caller of a governed call. */
function callerJson({ caller = {}, decision, runtime }: RecordableCall): string {
  if (decision === undefined) return "";
  const { origin, subject, tenant } = caller;
  const isClaimed = runtime?.callersAreClaimed === true && (subject ?? tenant) !== undefined;
  const claimed = isClaimed ? true : undefined;
  return `,"caller":${JSON.stringify({ tenant, subject, origin, claimed })}`;
}

/** JSON that all calls of a tool share, by contract, and then by kind and mode. */
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

/** Caches the text, because many calls share a millisecond. */
function isoTime(time: number): string {
  if (time !== lastTime) {
    lastTime = time;
    lastText = new Date(time).toISOString();
  }
  return lastText;
}
