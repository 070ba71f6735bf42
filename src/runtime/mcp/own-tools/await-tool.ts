import { runningResult } from "../running-result.js";
import { failed, oneText, type OwnTool, ownPrefix, readsOnly } from "./own-tool.js";

/** Waits for the end of a call that goes on. */
export const awaitTool: OwnTool = {
  listed: {
    name: `${ownPrefix}await`,
    title: "Wait for a call",
    description:
      "Waits up to 25 seconds for a call that was answered with the status `skillc:running`, and returns its result. If the call still goes on, the status is `skillc:running` again. It never makes a call.",
    inputSchema: oneText("id", "The `id` of the earlier answer."),
    annotations: readsOnly,
  },
  async call({ client, served }, { id }, signal) {
    if (typeof id !== "string") return failed("`id` must be text");
    const answer = await served.background.awaitEnd(client.caller, id, { signal });
    if (answer.state === "running") return runningResult(id);
    return answer.state === "ended"
      ? answer.value
      : failed("there is no such id, or its call ended more than 15 minutes ago");
  },
};
