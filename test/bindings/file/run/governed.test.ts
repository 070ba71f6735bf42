import { expect, test } from "vitest";
import { createMemoryStore, governance } from "../../../../src/runtime/governance/index.js";
import { policyOf } from "../../../runtime/governance/governed.js";
import { notesProject } from "./support.js";

function governed(capabilities: readonly string[]) {
  const { tools, ...policy } = policyOf({
    manifest: "m",
    capabilities,
    effect: "write",
    risk: "low",
  });
  const [tool] = Object.values(tools);
  if (tool === undefined) throw new Error("the policy has no tool");
  return notesProject({
    governance: governance({
      policy: { ...policy, tools: { "desk/write": tool } },
      store: createMemoryStore(),
    }),
  });
}

const params = { path: "notes/a", text: "one" };

test("a write of a file is made if the policy allows its folder", async () => {
  const { call, names } = governed(["fs.write ."]);
  expect(await call("write", params)).toMatchObject({ status: "success" });
  expect(names()).toEqual(["a"]);
});

test.each(["fs.read ./notes", "fs.write ./notes/inner", "fs.write ./other"])(
  "a write of a file is denied, and nothing is opened, if the policy allows only %s",
  async (capability) => {
    const { errorOf, names } = governed([capability]);
    expect(await errorOf("write", params)).toMatchObject({
      outcome: "not-done",
      failure: { code: "SANDBOX.CAPABILITY_BLOCKED", capability: "fs.write ./notes" },
    });
    expect(names()).toEqual([]);
  },
);
