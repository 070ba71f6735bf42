import { decisions } from "../approval/await-decision.js";
import { runningResult } from "../running-result.js";
import type { Awaited } from "./awaited.js";
import { failed, oneText, type OwnTool, ownPrefix, readsOnly } from "./own-tool.js";

/** Ids of calls that go on. */
const runningCalls: Awaited = {
  form: /^[\w-]{24}$/,
  async await({ client, served }, id, signal) {
    const answer = await served.background.awaitEnd(client.caller, id, { signal });
    if (answer.state === "running") return runningResult(id);
    return answer.state === "ended" ? answer.value.result : undefined;
  },
};

const kinds: readonly Awaited[] = [runningCalls, decisions];

/** Waits for the end of a call that goes on, or for the decision about a call. */
export const awaitTool: OwnTool = {
  listed: {
    name: `${ownPrefix}await`,
    title: "Wait for a call or a decision",
    description:
      "Waits up to 25 seconds, by the id of an earlier answer. For the status `skillc:running`, it returns the result of the call; if the call still goes on, the status is `skillc:running` again. For the status `skillc:pending`, it returns a person's decision about the call: `approved`, `denied`, or `pending` if nobody has decided. It never makes a call: once a call is `approved`, repeat it unchanged.",
    inputSchema: oneText("id", "The `id` of the earlier answer."),
    annotations: readsOnly,
  },
  async call(connection, { id }, signal) {
    if (typeof id !== "string") return failed("`id` must be text");
    const kind = kinds.find(({ form }) => form.test(id));
    const found = await kind?.await(connection, id, signal);
    return found ?? failed("there is no such id, or it has expired");
  },
};
