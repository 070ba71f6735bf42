import { failed, oneText, type OwnTool, ownPrefix } from "./own-tool.js";

/** Aborts a call that goes on. */
export const cancelTool: OwnTool = {
  listed: {
    name: `${ownPrefix}cancel`,
    title: "Cancel a call",
    description:
      "Aborts a call that was answered with the status `skillc:running`. Changes that the call has made stay. Get its result with skillc__await.",
    inputSchema: oneText("id", "The `id` of the earlier answer."),
    annotations: {
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
  },
  async call({ client, served }, { id }) {
    if (typeof id !== "string") return failed("`id` must be text");
    const state = served.background.cancel(client.caller, id);
    return state === "none"
      ? failed("there is no such id, or its call ended more than 15 minutes ago")
      : { content: [{ type: "text", text: answers[state] }] };
  },
};

const answers = {
  aborted: "the call was aborted; get its result with skillc__await",
  ended: "the call had already ended; get its result with skillc__await",
};
