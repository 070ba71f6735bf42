import { describe, expect, test } from "vitest";
import {
  type LlmRecording,
  type LlmRequest,
  recordLlm,
  replayLlm,
} from "../../src/planner/index.js";
import { modelOf } from "./planner-project.js";

function requestFor(content: string): LlmRequest {
  return {
    name: "bindings",
    messages: [{ role: "user", content }],
    schema: { type: "object" },
    signal: new AbortController().signal,
  };
}

describe("a recording", () => {
  test("a recording gives the answers again, by their requests and in their order", async () => {
    let count = 0;
    const recording: LlmRecording = {};
    const recorded = recordLlm(
      modelOf(({ messages }) => ({ of: messages[0]?.content, count: (count += 1) })),
      recording,
    );
    const asked = [requestFor("a"), requestFor("b"), requestFor("a")];
    const first = [];
    for (const request of asked) first.push(await recorded.complete(request));
    const replayed = replayLlm(JSON.parse(JSON.stringify(recording)) as LlmRecording);
    const again = [];
    for (const request of asked) again.push(await replayed.complete(request));
    expect(again).toEqual(first);
    // The last answer is given again.
    expect(await replayed.complete(requestFor("a"))).toEqual(first[2]);
  });

  test("a recording keeps nothing of the requests", async () => {
    const recording: LlmRecording = {};
    await recordLlm(
      modelOf(() => ({})),
      recording,
    ).complete(requestFor("a secret of the user"));
    expect(JSON.stringify(recording)).not.toContain("secret");
  });

  test("a replay rejects a request that was not recorded", async () => {
    await expect(replayLlm({}).complete(requestFor("a"))).rejects.toThrow(
      /no answer was recorded for this request \(`bindings`, [0-9a-f]{32}\): record it again/,
    );
  });
});
