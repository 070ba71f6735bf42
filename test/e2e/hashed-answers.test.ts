/** Calls of the case hashed-answers over a loopback server. */
import { expect, test } from "vitest";
import { governance } from "../../src/runtime/governance/index.js";
import { createRuntime } from "../../src/runtime/index.js";
import { serve } from "../bindings/http/execute/support.js";
import { getAccount } from "../cases/hashed-answers/generated/accounts/index.js";
import { policy } from "../cases/hashed-answers/generated/policy.js";

test("a generated tool gives hashes that can be compared within a tenant and not across tenants", async () => {
  const account = {
    id: 7,
    owner: { email: "ada@example.com", name: "Ada" },
    state: "open",
    links: [{ to: 8 }, { to: 9 }, { to: 8 }],
  };
  const { url } = await serve((response) =>
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(account)),
  );
  const runtime = createRuntime({
    inherit: false,
    ledger: false,
    credentials: { ACCOUNTS_URL: url },
    governance: governance({ policy, key: Buffer.alloc(32, 7) }),
  });
  const dataFor = async (tenant: string) => {
    const caller = { tenant, scopes: ["pii.read"] };
    const result = await getAccount({ id: 7 }, { runtime, caller });
    if (result.status !== "success") throw new Error(result.status);
    return result.data;
  };
  const data = await dataFor("acme");
  const hash: unknown = expect.stringMatching(/^hmac:[\w-]{22}$/);
  expect(data).toEqual({
    id: hash,
    // The caller holds the scope that frees it.
    owner: account.owner,
    state: hash,
    links: [hash, hash, hash],
  });
  expect(data.links[0]).toBe(data.links[2]);
  expect(data.links[0]).not.toBe(data.links[1]);
  expect(await dataFor("acme")).toEqual(data);
  const other = await dataFor("globex");
  expect(other.id).not.toBe(data.id);
  expect(other.state).not.toBe(data.state);
});
