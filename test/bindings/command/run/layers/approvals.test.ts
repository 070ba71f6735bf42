/** Approvals of effects: a call that needs an approval is tried first. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { CommandContract } from "../../../../../src/bindings/command/run/contract.js";
import { credential } from "../../../../../src/bindings/command/run/runtime.js";
import {
  createMemoryStore,
  governance,
  type StoredRequest,
} from "../../../../../src/runtime/governance/index.js";
import { discardLayers } from "../../../../../src/runtime/rollback/kept-layers.js";
import { policyOf } from "../../../../runtime/governance/governed.js";
import { absenceOf, describeUnless } from "../../../../support/service.js";
import { type Params, projectWith } from "../support.js";
import { overlays } from "./support.js";

const caller = { subject: "ada" };
const needed = ["proc.exec sh", "fs.write work"];

interface Options {
  readonly contract?: Partial<CommandContract<Params>>;
  readonly capabilities?: readonly string[];
  readonly deployment?: readonly string[];
  readonly credentials?: Readonly<Record<string, string>>;
}

/** A project whose only tool runs a script over `work`, and needs an approval for each call. */
function approvable(
  script: string,
  { capabilities = needed, contract, credentials = {}, deployment }: Options = {},
) {
  let now = 0;
  const store = createMemoryStore({ now: () => now });
  const policy = policyOf(
    {
      approval: { conditional: false, ttlMs: 60_000 },
      manifest: "m",
      capabilities,
      effect: "write",
      risk: "high",
    },
    deployment && { capabilities: deployment },
  );
  const project = projectWith(
    {
      argv: () => ["sh", "-c", script],
      cwd: "work",
      write: ["work"],
      effect: "write",
      exitCodes: { "4": "nothing_found" },
      ...contract,
    },
    {
      rollback: { strategy: "effects" },
      governance: governance({ policy, store }),
      credentials,
    },
  );
  project.put("work/a", "1\n");
  project.put("work/d/b", "1");
  const layersAt = join(project.directory, ".skillc/layers");
  const requests = () => project.runtime.governance?.requests({}) ?? Promise.resolve([]);
  return {
    ...project,
    /** Makes the call, which must be refused; returns the request that it left. */
    ask: async (params: Params = {}): Promise<StoredRequest> => {
      const { message, failure } = await project.errorOf(params, { caller });
      expect({ ...failure, message }).toMatchObject({ code: "AUTH.APPROVAL_REQUIRED" });
      const [request] = await requests();
      if (request === undefined) throw new Error("no request was left");
      return request;
    },
    approve: async (id: string) => {
      const shown = (await requests()).find((each) => each.id === id);
      return project.runtime.approve(shown ?? id, { subject: "grace" });
    },
    kept: () => (existsSync(layersAt) ? readdirSync(layersAt) : []),
    layersAt,
    pass: (ms: number) => (now += ms),
    read: (path: string) => readFileSync(join(project.directory, path), "utf8"),
    requests,
  };
}

describeUnless(await absenceOf(overlays), "approvals of effects", () => {
  test("the request shows all effects, and the approved call makes them without a second run", async () => {
    const { approve, ask, call, directory, kept, read } = approvable(
      "echo 2 >> a; rm -r d; date +%N > stamp; cat stamp; echo ran >&2",
    );
    const { details, id } = await ask();
    expect(details?.trial).toMatchObject({
      status: "success",
      effects: [
        {
          change: "changed",
          path: "work/a",
          what: "a file of 2 bytes becomes a file of 4 bytes",
          diff: "@@ -1,1 +1,2 @@\n 1\n+2",
        },
        { change: "deleted", path: "work/d", what: "a folder with 1 file of 1 bytes" },
        {
          change: "created",
          path: "work/stamp",
          what: expect.stringMatching(/^a file of \d+ bytes/),
        },
      ],
    });
    expect(read("work/a") + read("work/d/b")).toBe("1\n1");
    await approve(id);
    const made = await call({}, { caller });
    expect(read("work/a")).toBe("1\n2\n");
    expect(made).toEqual({ status: "success", data: read("work/stamp") });
    expect(existsSync(join(directory, "work/d"))).toBe(false);
    expect(kept()).toEqual([]);
  });

  test("a denial removes the layers of its trial", async () => {
    const { ask, kept, runtime } = approvable("echo 2 >> a");
    const { id } = await ask();
    expect(kept()).toHaveLength(1);
    await runtime.deny(id, { subject: "grace" });
    expect(kept()).toEqual([]);
  });

  test("an equal call removes the layers of a trial that was denied elsewhere", async () => {
    const { call, ask, kept, read, runtime } = approvable("echo 2 >> a");
    const { id } = await ask();
    await runtime.governance?.deny(id, { subject: "grace" });
    expect(kept()).toHaveLength(1);
    await expect(call({}, { caller })).rejects.toMatchObject({ failure: { reason: "denied" } });
    await expect.poll(kept, { timeout: 20_000 }).toEqual([]);
    expect(read("work/a")).toBe("1\n");
  });

  test("a denial on another machine leaves the layers there", async () => {
    const { ask, directory, kept } = approvable("echo 2 >> a");
    const { details } = await ask();
    const trial = details?.trial;
    if (trial === undefined) throw new Error("the request has no trial");
    await discardLayers(directory, { ...trial, host: "elsewhere" });
    await discardLayers(directory, { ...trial, call: "../layers" });
    expect(kept()).toHaveLength(1);
    await discardLayers(directory, trial);
    expect(kept()).toEqual([]);
  });

  test("equal calls run nothing while the request is pending", async () => {
    const { ask, kept, put } = approvable("cat n; echo x >> n");
    put("work/n", "");
    const first = await ask();
    const [layers] = [kept()];
    expect(await ask()).toEqual(first);
    expect(kept()).toEqual(layers);
    expect(layers).toHaveLength(1);
  });

  test("equal calls at the same time keep one trial, that of the request", async () => {
    const { ask, kept } = approvable("echo x >> a");
    const requests = await Promise.all([ask(), ask(), ask()]);
    await expect.poll(kept, { timeout: 20_000 }).toEqual([requests[0]?.details?.trial?.call]);
  });

  test("a call that waits makes the changes once somebody approves", async () => {
    const { approve, call, read, requests } = approvable("echo 2 > a; echo done");
    const waiting = call({}, { caller, approval: { wait: true } });
    await expect.poll(requests, { timeout: 20_000 }).toHaveLength(1);
    expect(read("work/a")).toBe("1\n");
    await approve((await requests())[0]?.id ?? "");
    expect(await waiting).toMatchObject({ data: "done\n" });
    expect(read("work/a")).toBe("2\n");
  });

  test.each<[string, (place: string, layer: string) => void]>([
    ["a file that it changes", (place) => writeFileSync(join(place, "work/a"), "other")],
    ["a file that it would create", (place) => writeFileSync(join(place, "work/new"), "other")],
    ["its layer", (_place, layer) => writeFileSync(join(layer, "0/upper/new"), "evil")],
    ["a new file in its layer", (_place, layer) => writeFileSync(join(layer, "0/upper/x"), "evil")],
    ["its answer", (_place, layer) => edit(join(layer, "kept.json"), "ran", "evil")],
  ])("a change of %s after the trial makes the approval stale", async (_name, changeIt) => {
    const { approve, ask, directory, errorOf, kept, layersAt, read } = approvable(
      "echo 2 > a; echo 2 > new; echo ran",
    );
    const { details, id } = await ask();
    await approve(id);
    changeIt(directory, join(layersAt, details?.trial?.call ?? ""));
    const before = read("work/a");
    expect(await errorOf({}, { caller })).toMatchObject({
      outcome: "not-done",
      failure: { code: "AUTH.APPROVAL_REQUIRED", reason: "stale" },
    });
    expect(read("work/a")).toBe(before);
    expect(kept()).toEqual([]);
    const again = await ask();
    expect(again).toMatchObject({ id, state: "pending" });
    expect(again.details?.trial?.call).not.toBe(details?.trial?.call);
  });

  test("an approver who saw another trial does not approve", async () => {
    const { ask, pass, runtime } = approvable("echo $RANDOM$$ > a; date +%N >> a");
    const first = await ask();
    pass(60_001);
    const second = await ask();
    expect(second.id).toBe(first.id);
    await expect(runtime.approve(first, { subject: "grace" })).rejects.toThrow("tried again");
    expect(await runtime.approve(second, { subject: "grace" })).toMatch(/^[\da-f-]{36}$/);
  });

  test("nobody approves effects by an id alone", async () => {
    const { ask, runtime } = approvable("echo 2 > a");
    const { details, id } = await ask();
    const { trial: _, ...unseen } = details ?? { call: "" };
    const [request] = [{ ...(await runtime.governance?.store.readRequest(id)) }];
    const subject = "grace";
    await expect(runtime.approve(id, { subject })).rejects.toThrow("the call was tried");
    const without = { ...request, details: unseen } as StoredRequest;
    await expect(runtime.approve(without, { subject })).rejects.toThrow("the call was tried");
    const other = { subject, trial: "0".repeat(64) };
    await expect(runtime.approve(id, other)).rejects.toThrow("tried again");
    const trial = details?.trial?.sha256 ?? "";
    expect(await runtime.approve(id, { subject, trial })).toMatch(/^[\da-f-]{36}$/);
  });

  test("the error of each call names the trial that its request shows", async () => {
    const { errorOf, requests, runtime } = approvable("echo 2 > a");
    const failureOf = async () => (await errorOf({}, { caller })).failure;
    const first = await failureOf();
    const trial = (await requests())[0]?.details?.trial?.sha256;
    expect(first).toMatchObject({ request: { trial } });
    const second = await failureOf();
    expect(second).toEqual(first);
    if (second.code !== "AUTH.APPROVAL_REQUIRED") throw new Error(second.code);
    await runtime.approve(second.request, { subject: "grace" });
  });

  test("another machine refuses the approved call, and the approval stays usable", async () => {
    const { approve, ask, call, errorOf, read, runtime } = approvable("echo 2 > a");
    const { id } = await ask();
    await approve(id);
    const store = runtime.governance?.store;
    const kept = await store?.readRequest(id);
    const trial = kept?.details?.trial;
    if (trial === undefined) throw new Error("no trial was kept");
    const { host } = trial;
    Object.assign(trial, { host: "elsewhere" });
    expect(await errorOf({}, { caller })).toMatchObject({
      failure: { reason: "stale", note: "its effects are kept on the machine `elsewhere`" },
    });
    Object.assign(trial, { host });
    await call({}, { caller });
    expect(read("work/a")).toBe("2\n");
  });

  test.each([
    ["its manifest", { capabilities: ["proc.exec git", "fs.write work"] }],
    ["its deployment", { deployment: ["proc.exec git", "fs.write work"] }],
  ])("a call that %s forbids is not tried", async (_name, options) => {
    const { errorOf, kept, requests } = approvable("echo 2 > a", options);
    expect(await errorOf({}, { caller })).toMatchObject({ code: "SANDBOX.CAPABILITY_BLOCKED" });
    expect([await requests(), kept()]).toEqual([[], []]);
  });

  test.each<[string, Options]>([
    [
      "may use the network",
      { contract: { network: "host" }, capabilities: [...needed, "net.any"] },
    ],
    [
      "has a credential",
      { contract: { env: { TOKEN: credential("TOKEN") } }, credentials: { TOKEN: "x" } },
    ],
  ])("a command that %s is approved by its request, and then runs", async (_name, options) => {
    const { approve, ask, call, kept, read } = approvable("echo 2 > a", options);
    const { details, id } = await ask();
    expect(details).toMatchObject({ request: expect.anything() });
    expect(details).not.toHaveProperty("trial");
    expect(kept()).toEqual([]);
    await approve(id);
    await call({}, { caller });
    expect(read("work/a")).toBe("2\n");
  });

  test("a trial that fails leaves no request", async () => {
    const { errorOf, kept, requests } = approvable("echo 2 > a; echo bad pattern >&2; exit 3");
    expect(await errorOf({}, { caller })).toMatchObject({
      code: "PROVIDER.UNAVAILABLE",
      outcome: "not-done",
      failure: { exit: { code: 3, stderr: "bad pattern\n" } },
    });
    expect([await requests(), kept()]).toEqual([[], []]);
  });

  test("an approved answer that is no success changes nothing", async () => {
    const { approve, ask, call, read } = approvable("echo 2 > a; exit 4");
    const { details, id } = await ask();
    expect(details?.trial).toMatchObject({ status: "nothing_found", effects: [] });
    await approve(id);
    expect(await call({}, { caller })).toMatchObject({ status: "nothing_found" });
    expect(read("work/a")).toBe("1\n");
  });

  test("a dry run and shadow mode try nothing", async () => {
    const { call, kept, runtime } = approvable("echo 2 > a");
    await expect(call({}, { caller, mode: "shadow" })).rejects.toThrow("needs an approval");
    expect(await runtime.governance?.requests({})).toEqual([]);
    expect(kept()).toEqual([]);
  });

  test("a request shows no secret that a file has", async () => {
    const { ask } = approvable("echo token=$(printf 's3cr%s' et-value) > a", {
      credentials: { TOKEN: "s3cret-value" },
    });
    const { details } = await ask();
    expect(details?.trial?.effects[0]?.diff).toContain("+token=${TOKEN}");
  });

  test("a request shows no secret of several lines", async () => {
    const { ask } = approvable("printf 'new\\ncorrect horse\\nbattery staple\\n' > a", {
      credentials: { PHRASE: "correct horse\nbattery staple" },
    });
    const { details } = await ask();
    expect(details?.trial?.effects[0]?.diff).toBe("@@ -1,1 +1,2 @@\n-1\n+new\n+${PHRASE}");
  });

  test("a request lists every deletion, and folds folders that are deleted as a whole", async () => {
    const { ask, put } = approvable(
      "rm -r many; rm few/[0-4]; for i in $(seq 1100); do : > new$i; done",
    );
    for (let at = 0; at < 1500; at += 1) put(`work/many/${at % 7}/${at}`, "12");
    for (let at = 0; at < 9; at += 1) put(`work/few/${at}`, "");
    const { details } = await ask();
    const { effects = [], more } = details?.trial ?? {};
    expect(effects.filter((each) => each.change === "deleted")).toEqual([
      ...["0", "1", "2", "3", "4"].map((each) => ({
        change: "deleted",
        path: `work/few/${each}`,
        what: "a file of 0 bytes",
      })),
      { change: "deleted", path: "work/many", what: "a folder with 1500 files of 3000 bytes" },
    ]);
    expect([effects.length, more]).toEqual([1000, 106]);
  });

  test("nobody has to review more than a thousand deletions", async () => {
    const { errorOf, put, requests } = approvable("rm many/*");
    for (let at = 0; at < 1001; at += 1) put(`work/many/${at}`, "");
    expect(await errorOf({}, { caller })).toMatchObject({
      outcome: "not-done",
      message: expect.stringContaining("deletes in more than 1000 places"),
    });
    expect(await requests()).toEqual([]);
  });
});

function edit(path: string, from: string, to: string): void {
  writeFileSync(path, readFileSync(path, "utf8").replace(from, to));
}
