/** Tests of requests for approval that every store of governance passes. */
import { describe, expect, test } from "vitest";
import type {
  GovernanceStore,
  NewApproval,
  NewStoredRequest,
} from "../../../src/runtime/governance/index.js";

/** A store, and its clock. */
export interface RequestPlace {
  /** Two stores that share their content. */
  stores(): { readonly store: GovernanceStore; readonly other: GovernanceStore };
  /** Time of the store, in milliseconds since 1970. */
  now(): number;
  advance(ms: number): Promise<void>;
  /** Makes a new name for each test. */
  fresh(what: string): string;
}

/** Makes an approval for a request. */
export function approvalOf(
  request: NewStoredRequest,
  id: string,
  more: Partial<NewApproval> = {},
): NewApproval {
  const { details: _, id: whose, ttlMs, ...facts } = request;
  return {
    tenant: undefined,
    subject: undefined,
    ...facts,
    id,
    request: whose,
    by: "grace",
    ttlMs,
    ...more,
  };
}

export function holdRequestPromises({ advance, fresh, now, stores }: RequestPlace): void {
  const requested = (more: Partial<NewStoredRequest> = {}): NewStoredRequest => ({
    id: fresh("request"),
    tool: "desk/do-it",
    manifest: "m",
    digest: "d",
    tenant: "acme \ud800 \0",
    subject: "ada",
    ttlMs: 1000,
    details: {
      call: "c",
      risk: "high",
      effect: "write",
      by: "other",
      request: { to: ["\0", null] },
    },
    ...more,
  });
  const denial = { by: "grace", channel: "terminal", claimed: true, note: "no \ud800" } as const;

  describe("requests for approval", () => {
    test("a request is read as it was saved, with the store's times", async () => {
      const { other, store } = stores();
      const given = requested();
      expect(await store.readRequest(given.id)).toBeUndefined();
      const { ttlMs, ...facts } = given;
      const request = { ...facts, state: "pending", at: now(), expiresAt: now() + ttlMs };
      expect(await store.saveRequest(given)).toEqual({ request, isNew: true });
      expect(await other.readRequest(given.id)).toEqual(request);
    });

    test("an absent tenant and subject of a request stay absent", async () => {
      const { other, store } = stores();
      const given = requested({ tenant: undefined, subject: undefined });
      await store.saveRequest(given);
      const read = await other.readRequest(given.id);
      expect([read?.tenant, read?.subject]).toEqual([undefined, undefined]);
    });

    test("a pending request stays as it is if an equal call asks again", async () => {
      const { other, store } = stores();
      const given = requested();
      const { request } = await store.saveRequest(given);
      await advance(10);
      const again = await other.saveRequest({ ...given, manifest: "another", ttlMs: 5000 });
      expect(again).toEqual({ request, isNew: false });
      expect(await store.readRequest(given.id)).toEqual(request);
    });

    test("a request expires at the end of its lifetime, and is then replaced", async () => {
      const { other, store } = stores();
      const given = requested();
      await store.saveRequest(given);
      await advance(999);
      expect(await other.readRequest(given.id)).toMatchObject({ state: "pending" });
      await advance(1);
      expect(await other.readRequest(given.id)).toBeUndefined();
      expect(await other.requests({ tool: given.tool })).not.toContainEqual(
        expect.objectContaining({ id: given.id }),
      );
      expect(await other.denyRequest(given.id, denial)).toBe("none");
      expect(await other.saveRequest(given)).toMatchObject({ isNew: true, request: { at: now() } });
    });

    test("a denial holds until the request expires, and the same call is denied meanwhile", async () => {
      const { other, store } = stores();
      const given = requested();
      await store.saveRequest(given);
      await advance(400);
      expect(await other.denyRequest(given.id, denial)).toBe("denied");
      const denied = { state: "denied", decision: { ...denial, at: now() } };
      expect(await store.readRequest(given.id)).toMatchObject(denied);
      await advance(599);
      expect(await store.saveRequest(given)).toMatchObject({ isNew: false, request: denied });
      expect(await store.denyRequest(given.id, { by: "joan" })).toBe("denied");
      expect(await store.readRequest(given.id)).toMatchObject(denied);
      await advance(1);
      const { isNew, request } = await store.saveRequest(given);
      expect({ isNew, state: request.state }).toEqual({ isNew: true, state: "pending" });
      expect(request).not.toHaveProperty("decision");
      expect(await other.readRequest(given.id)).toEqual(request);
    });

    test("an approval makes its request approved for the approval's lifetime", async () => {
      const { other, store } = stores();
      const given = requested();
      const { request } = await store.saveRequest(given);
      await advance(100);
      const approval = approvalOf(given, fresh("approval"), {
        channel: "terminal",
        claimed: true,
        ttlMs: 5000,
      });
      expect(await other.saveApproval(approval)).toBe("saved");
      expect(await store.readRequest(given.id)).toEqual({
        ...request,
        state: "approved",
        expiresAt: now() + 5000,
        approval: approval.id,
        decision: { by: "grace", channel: "terminal", claimed: true, at: now() },
      });
      expect(await store.readApproval(approval.id)).toMatchObject({
        request: given.id,
        channel: "terminal",
        claimed: true,
      });
      await advance(4999);
      expect(await other.saveRequest(given)).toMatchObject({
        isNew: false,
        request: { state: "approved", approval: approval.id },
      });
      await advance(1);
      expect(await other.readRequest(given.id)).toBeUndefined();
    });

    test("an approval without a stored request stores an approved one", async () => {
      const { other, store } = stores();
      const given = requested();
      const approval = approvalOf(given, fresh("approval"));
      expect(await store.saveApproval(approval)).toBe("saved");
      const { details: _, ttlMs, ...facts } = given;
      expect(await other.readRequest(given.id)).toEqual({
        ...facts,
        state: "approved",
        at: now(),
        expiresAt: now() + ttlMs,
        approval: approval.id,
        decision: { by: "grace", at: now() },
      });
    });

    test("an approval replaces an expired request, and nothing of it is left", async () => {
      const { other, store } = stores();
      const given = requested();
      await store.saveRequest(given);
      await store.denyRequest(given.id, denial);
      await advance(1000);
      await store.saveApproval(approvalOf(given, fresh("approval")));
      const read = await other.readRequest(given.id);
      expect(read).toMatchObject({ state: "approved", at: now(), decision: { by: "grace" } });
      expect(read).not.toHaveProperty("details");
      expect(read?.decision).not.toHaveProperty("note");
    });

    test("a request becomes pending again after its approval was used", async () => {
      const { other, store } = stores();
      const given = requested();
      await store.saveRequest(given);
      const approval = approvalOf(given, fresh("approval"));
      await store.saveApproval(approval);
      expect(await other.saveRequest(given)).toMatchObject({ isNew: false });
      await other.useApproval(approval.id, "call");
      expect(await store.readRequest(given.id)).toMatchObject({ state: "approved" });
      const { isNew, request } = await store.saveRequest(given);
      expect({ isNew, state: request.state }).toEqual({ isNew: true, state: "pending" });
      expect(request).not.toHaveProperty("approval");
      expect(request).not.toHaveProperty("decision");
      const second = approvalOf(given, fresh("approval"));
      expect(await other.saveApproval(second)).toBe("saved");
      expect(await store.saveRequest(given)).toMatchObject({
        isNew: false,
        request: { approval: second.id },
      });
    });

    test("a request stays approved after a call gave its approval back", async () => {
      const { other, store } = stores();
      const given = requested();
      const approval = approvalOf(given, fresh("approval"));
      await store.saveApproval(approval);
      await store.useApproval(approval.id, "call");
      await other.returnApproval(approval.id, "call");
      expect(await store.saveRequest(given)).toMatchObject({
        isNew: false,
        request: { state: "approved" },
      });
    });

    test("an approval of a denied request is refused, and nothing of it is stored", async () => {
      const { other, store } = stores();
      const given = requested();
      await store.saveRequest(given);
      await store.denyRequest(given.id, denial);
      const approval = approvalOf(given, fresh("approval"));
      expect(await other.saveApproval(approval)).toBe("denied");
      expect(await store.readApproval(approval.id)).toBeUndefined();
      expect(await store.readRequest(given.id)).toMatchObject({ state: "denied" });
    });

    test("an approval that is saved again stays as it was, used or not", async () => {
      const { other, store } = stores();
      const given = requested();
      await store.saveRequest(given);
      const approval = approvalOf(given, fresh("approval"));
      await store.saveApproval(approval);
      const [kept, request] = [
        await store.readApproval(approval.id),
        await store.readRequest(given.id),
      ];
      await advance(10);
      expect(await other.saveApproval({ ...approval, by: "joan" })).toBe("known");
      expect(await store.readApproval(approval.id)).toEqual(kept);
      expect(await store.readRequest(given.id)).toEqual(request);
      await store.useApproval(approval.id, "call");
      const { request: next } = await store.saveRequest(given);
      expect(await other.saveApproval(approval)).toBe("known");
      expect(await store.readApproval(approval.id)).toEqual({ ...kept, usedBy: "call" });
      expect(await store.readRequest(given.id)).toEqual(next);
      expect(await store.useApproval(approval.id, "another call")).toBe("spent");
    });

    test("exactly one of many equal approvals is saved", async () => {
      const { other, store } = stores();
      const given = requested();
      const approval = approvalOf(given, fresh("approval"));
      const both = [store, other];
      const saved = await Promise.all(
        Array.from({ length: 20 }, (_, at) => both[at % 2]?.saveApproval(approval)),
      );
      expect(saved.filter((each) => each === "saved")).toHaveLength(1);
      expect(saved.filter((each) => each === "known")).toHaveLength(19);
    });

    test("a request that was approved is not denied", async () => {
      const { other, store } = stores();
      const given = requested();
      await store.saveRequest(given);
      await store.saveApproval(approvalOf(given, fresh("approval")));
      expect(await other.denyRequest(given.id, denial)).toBe("approved");
      expect(await store.readRequest(given.id)).toMatchObject({
        state: "approved",
        decision: { by: "grace" },
      });
      expect(await other.denyRequest(fresh("request"), denial)).toBe("none");
    });

    test("a list has the newest requests first, as many as the limit", async () => {
      const { other, store } = stores();
      const tenant = fresh("tenant");
      const ids: string[] = [];
      for (let at = 0; at < 4; at += 1) {
        const { request } = await store.saveRequest(requested({ tenant }));
        ids.unshift(request.id);
        await advance(1);
      }
      const listed = async (limit?: number) =>
        (await other.requests({ tenant, ...(limit !== undefined && { limit }) })).map(
          ({ id }) => id,
        );
      expect(await listed()).toEqual(ids);
      expect(await listed(2)).toEqual(ids.slice(0, 2));
      expect((await other.requests({ limit: 1 })).map(({ id }) => id)).toEqual(ids.slice(0, 1));
      const [, , third = ""] = ids;
      expect(await other.requests({ tenant })).toContainEqual(await other.readRequest(third));
    });

    test("a list has only requests that the whole filter selects", async () => {
      const { other, store } = stores();
      const [tenant, subject, tool] = [fresh("tenant \ud800"), fresh("subject \0"), fresh("tool")];
      const all = {
        plain: requested({ tenant }),
        subject: requested({ tenant, subject }),
        tool: requested({ tenant, tool, subject: undefined }),
        both: requested({ tenant, subject, tool }),
        elsewhere: requested({ tenant: undefined, subject, tool }),
      };
      for (const each of Object.values(all)) {
        await store.saveRequest(each);
        await advance(1);
      }
      await store.denyRequest(all.subject.id, denial);
      await store.saveApproval(approvalOf(all.both, fresh("approval")));
      const names = new Map(Object.entries(all).map(([name, { id }]) => [id, name]));
      const listed = async (filter: Parameters<GovernanceStore["requests"]>[0]) =>
        (await other.requests(filter)).map(({ id }) => names.get(id));
      expect(await listed({ tenant })).toEqual(["both", "tool", "subject", "plain"]);
      expect(await listed({ tenant, subject })).toEqual(["both", "subject"]);
      expect(await listed({ subject })).toEqual(["elsewhere", "both", "subject"]);
      expect(await listed({ tool })).toEqual(["elsewhere", "both", "tool"]);
      expect(await listed({ tenant, state: "pending" })).toEqual(["tool", "plain"]);
      expect(await listed({ tenant, state: "denied" })).toEqual(["subject"]);
      expect(await listed({ subject, tool, state: "approved" })).toEqual(["both"]);
      expect(await listed({ tenant: "-" })).toEqual([]);
      expect(await listed({ tenant: "" })).toEqual([]);
    });

    test("a request that was replaced is listed by its new time", async () => {
      const { other, store } = stores();
      const tenant = fresh("tenant");
      const [first, second] = [requested({ tenant, ttlMs: 10 }), requested({ tenant })];
      await store.saveRequest(first);
      await advance(5);
      await store.saveRequest(second);
      await advance(5);
      await other.saveRequest(first);
      expect((await store.requests({ tenant })).map(({ id }) => id)).toEqual([first.id, second.id]);
    });

    test.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])(
      "a list with the limit %d is refused",
      async (limit) => {
        const { store } = stores();
        await expect((async () => store.requests({ limit }))()).rejects.toThrow("`limit`");
      },
    );

    test("exactly one of many equal calls stores a request", async () => {
      const { other, store } = stores();
      const given = requested();
      const both = [store, other];
      const saved = await Promise.all(
        Array.from({ length: 20 }, (_, at) => both[at % 2]?.saveRequest(given)),
      );
      expect(saved.filter((each) => each?.isNew)).toHaveLength(1);
      expect(new Set(saved.map((each) => JSON.stringify(each?.request))).size).toBe(1);
    });

    test("a request is approved or denied if both are done at once, never both", async () => {
      const { other, store } = stores();
      for (let times = 0; times < 10; times += 1) {
        const given = requested();
        await store.saveRequest(given);
        const approval = approvalOf(given, fresh("approval"));
        const approve = async () => (times % 2 === 0 ? store : other).saveApproval(approval);
        const deny = async () => (times % 2 === 0 ? other : store).denyRequest(given.id, denial);
        const [denied, approved] = await Promise.all([deny(), approve()]);
        const state = approved === "saved" ? "approved" : "denied";
        expect(denied).toBe(state);
        expect(await store.readRequest(given.id)).toMatchObject({ state });
        expect((await store.readApproval(approval.id)) !== undefined).toBe(approved === "saved");
      }
    });
  });
}
