import { describe, expect, test } from "vitest";
import { value } from "../../../../src/bindings/command/run/arguments.js";
import { createMemoryStore, governance } from "../../../../src/runtime/governance/index.js";
import { policyOf } from "../../../runtime/governance/governed.js";
import { type Params, projectWith } from "./support.js";

const argv = (p: Params) => ["printf", "%s", value("/word", String(p["word"]))] as const;

function governed(capabilities: readonly string[], deployment?: readonly string[]) {
  const policy = policyOf(
    { manifest: "m", capabilities, effect: "read", risk: "low" },
    deployment && { capabilities: deployment },
  );
  return projectWith(
    { executor: "host", argv, read: ["in"] },
    { governance: governance({ policy, store: createMemoryStore() }) },
  );
}

const needed = ["proc.exec printf", "fs.read in"];

describe("governance of a command", () => {
  test("the call starts if manifest and deployment allow its program and its folders", async () => {
    const { call, put } = governed(needed, ["proc.exec *", "fs.read ."]);
    put("in/x", "");
    expect(await call({ word: "a" })).toMatchObject({ data: "a" });
  });

  test.each([
    [["proc.exec git", "fs.read in"], undefined, "proc.exec printf"],
    [needed, ["proc.exec printf", "fs.read other"], "fs.read in"],
  ])("the call is denied if %j or %j do not allow it", async (manifest, deployment, capability) => {
    const { errorOf, put } = governed(manifest, deployment);
    put("in/x", "");
    expect(await errorOf({ word: "a" })).toMatchObject({
      outcome: "not-done",
      failure: { code: "SANDBOX.CAPABILITY_BLOCKED", capability },
    });
  });
});
