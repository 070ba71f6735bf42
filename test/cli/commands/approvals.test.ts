import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { approvals, type ApprovalsFlags } from "../../../src/cli/commands/approvals.js";
import { createContext } from "../../../src/cli/command-context.js";
import { nowhere } from "../../../src/cli/io.js";
import { shortIds } from "../../../src/cli/approvals/find-request.js";
import { createMemoryStore, type StoredRequest } from "../../../src/runtime/governance/index.js";
import { approvalProjects, key, startService } from "../support/approval-project.js";
import { makeProject, put, type RunOptions, skillc } from "../support/command-line.js";

const projectOf = approvalProjects();
const ada = '{"tenant":"acme","subject":"ada","origin":"llm"}';

interface Setting {
  readonly settings?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** A project, its service, and commands in it. */
async function setUp({ env, settings }: Setting = {}) {
  const root = projectOf(settings);
  const { bodies, url } = await startService();
  const options = (more: RunOptions = {}): RunOptions => ({
    columns: 200,
    ...more,
    env: { ORDERS_URL: url, ...env },
  });
  const run = (...argv: readonly string[]) => skillc(root, argv, options());
  const call = (tool = "refund", args = '{"order_id":"7"}', ...more: readonly string[]) =>
    run("call", `desk/${tool}`, "--args", args, "--caller", ada, ...more);
  const requests = async (...more: readonly string[]): Promise<readonly StoredRequest[]> => {
    const { stdout } = await run("approvals", "list", "--json", ...more);
    const { requests } = JSON.parse(stdout) as { readonly requests: readonly StoredRequest[] };
    return requests;
  };
  /** Makes a call, and returns the id of the request that it leaves. */
  const ask = async (...given: Parameters<typeof call>): Promise<string> => {
    const { stdout } = await call(given[0], given[1], "--json");
    const { error } = JSON.parse(stdout) as { readonly error: { readonly request: StoredRequest } };
    return error.request.id;
  };
  return { ask, bodies, call, options, requests, root, run };
}

describe("skillc call and skillc approvals", () => {
  test("make a call once it is approved", async () => {
    const { bodies, call, requests, run } = await setUp();
    const denied = await call();
    expect(denied.code).toBe(1);
    const [request] = await requests();
    expect(denied.stderr).toContain(`skillc approvals approve ${request?.id} --as SUBJECT`);
    expect(denied.stderr).toContain("approvals are in `.skillc/approvals`");

    const approved = await run("approvals", "approve", request?.id ?? "", "--as", "grace");
    expect(approved).toMatchObject({ code: 0, stderr: "" });
    expect(approved.stdout).toContain(
      "approved one call of `desk/refund` by `ada` (tenant `acme`)",
    );
    expect((await call()).code).toBe(0);
    expect(bodies).toEqual(['{"order_id":"7"}']);
    // The approval is for one call.
    expect((await call()).code).toBe(1);
    expect(bodies).toHaveLength(1);
  });

  test("refuse a denied call with the note", async () => {
    const { ask, call, run } = await setUp();
    const id = await ask();
    const denied = await run("approvals", "deny", id, "--as", "grace", "--note", "paid before");
    expect(denied.code).toBe(0);
    expect(denied.stdout).toContain("denied calls of `desk/refund`");
    const { code, stderr } = await call();
    expect(code).toBe(1);
    expect(stderr).toContain("was denied: paid before");
    expect(stderr).toContain(`skillc approvals show ${id}`);
  });

  test("need a key for masked parameters, and say so", async () => {
    const { call } = await setUp();
    const { stderr } = await call("refund-card", '{"card":"4711"}');
    expect(stderr).toContain("the tool masks parameters");
    expect(stderr).toContain("key: ${NAME}");
    expect(stderr).not.toContain("4711");
  });

  test("ask for the caller if it has no subject", async () => {
    const { run } = await setUp();
    const { stderr } = await run("call", "desk/refund", "--args", '{"order_id":"7"}');
    expect(stderr).toContain("name the caller");
    expect(stderr).toContain("--caller");
  });

  test("wait for the decision with --wait", async () => {
    const { bodies, options, requests, root, run } = await setUp();
    let isAsked: () => void;
    const asked = new Promise<void>((resolve) => (isAsked = resolve));
    const waiting = skillc(
      root,
      ["call", "desk/refund", "--args", '{"order_id":"7"}', "--caller", ada, "--wait"],
      options({ onOutput: (text) => text.includes("approvals deny") && isAsked() }),
    );
    await asked;
    let id: string | undefined;
    // The note comes just before the call leaves its request.
    while (id === undefined) id = (await requests())[0]?.id;
    expect(bodies).toEqual([]);
    await run("approvals", "approve", id, "--as", "grace");
    expect((await waiting).code).toBe(0);
    expect(bodies).toHaveLength(1);
  });
});

describe("skillc approvals list", () => {
  test("shows each request with its caller, risk and prepared request", async () => {
    const { ask, run } = await setUp();
    expect((await run("approvals", "list")).stdout).toBe("no requests\n");
    const id = await ask();
    const { code, stdout } = await run("approvals", "list");
    expect(code).toBe(0);
    const [head, line] = stdout.split("\n");
    expect(head).toMatch(
      /^request +tool +subject +tenant +risk +state +asked \(UTC\) +expires \(UTC\) +sends$/,
    );
    expect(line).toMatch(
      new RegExp(`^${id.slice(0, 8)} +desk/refund +ada +acme +high +pending .*ORDERS_URL`),
    );
  });

  test("selects by tool, subject, tenant, state and number", async () => {
    const { ask, requests, run } = await setUp();
    const first = await ask();
    const second = await ask("confirm");
    const ids = async (...flags: readonly string[]) =>
      (await requests(...flags)).map(({ id }) => id).toSorted();
    expect(await ids()).toEqual([first, second].toSorted());
    expect(await ids("--tool", "desk/confirm")).toEqual([second]);
    expect(await ids("--subject", "eve")).toEqual([]);
    expect(await ids("--tenant", "acme")).toHaveLength(2);
    expect(await ids("--limit", "1")).toHaveLength(1);
    expect((await run("approvals", "list", "--limit", "1")).stdout).toContain("there are more");
    await run("approvals", "deny", first, "--as", "grace");
    expect(await ids()).toEqual([second]);
    expect(await ids("--state", "denied")).toEqual([first]);
  });

  test("abbreviates ids until they differ", () => {
    const requests = ["abcdefghij", "abcdefghik", "zzzzzzzzzzzz"].map(
      (id) => ({ id }) as unknown as StoredRequest, // as much as is used
    );
    expect([...shortIds(requests).values()]).toEqual(["abcdefghij", "abcdefghik", "zzzzzzzz"]);
  });
});

describe("skillc approvals show", () => {
  test("shows everything that an approver needs", async () => {
    const { ask, run } = await setUp();
    const id = await ask();
    const { stdout } = await run("approvals", "show", id.slice(0, 8));
    for (const line of [
      /^desk\/refund +pending$/m,
      new RegExp(`id +${id}`),
      /for +Refund an order\./,
      /risk +high, write/,
      /caller +ada, tenant acme, origin llm/,
      /call +[\da-f-]{36}/,
      /approver +somebody other than the caller/,
      /"url": "\$\{ORDERS_URL\}\/refunds"/,
    ])
      expect(stdout).toMatch(line);
    await run("approvals", "approve", id, "--as", "grace");
    const decided = await run("approvals", "show", id);
    expect(decided.stdout).toMatch(/approved by +grace on terminal, who was not checked/);
    expect(decided.stdout).toMatch(/approval +[\da-f-]{36}, unused/);
    const json = JSON.parse((await run("approvals", "show", id, "--json")).stdout) as unknown;
    expect(json).toMatchObject({
      id,
      description: "Refund an order.",
      state: "approved",
      decision: { by: "grace", channel: "terminal", claimed: true },
      approvalState: "unused",
    });
  });

  test("shows masked values only with --full and the project's key", async () => {
    const settings = "key: ${GOVERNANCE_KEY}\n";
    const { ask, bodies, call, root, run, options } = await setUp({
      settings,
      env: { GOVERNANCE_KEY: key },
    });
    const id = await ask("refund-card", '{"card":"4711"}');
    const masked = await run("approvals", "show", id);
    expect(masked.stdout).toContain(`skillc approvals show ${id} --full`);
    expect(masked.stdout).not.toContain("4711");
    const full = await run("approvals", "show", id, "--full");
    expect(full.stdout).toContain('"card": "4711"');
    const json = await run("approvals", "show", id, "--full", "--json");
    expect(JSON.parse(json.stdout)).toMatchObject({ whole: { url: "${ORDERS_URL}/cards" } });

    const other = { ...options().env, GOVERNANCE_KEY: Buffer.alloc(32, 8).toString("base64") };
    const wrong = await skillc(root, ["approvals", "show", id, "--full"], { env: other });
    expect(wrong.code).toBe(1);
    expect(wrong.stderr).toContain("encrypted with another `key`");
    const unset = await skillc(root, ["approvals", "show", id, "--full"], { env: {} });
    expect(unset.stderr).toContain("which is not set here");
    const ledger = await run("ledger", "list", "--json");
    expect(ledger.stdout).not.toContain("4711");

    await run("approvals", "approve", id, "--as", "grace");
    expect((await call("refund-card", '{"card":"4711"}')).code).toBe(0);
    expect(bodies).toEqual(['{"card":"4711"}']);
  });

  test("says why the whole request is not available", async () => {
    const { ask, run } = await setUp();
    const id = await ask("refund-card", '{"card":"4711"}');
    expect((await run("approvals", "show", id)).stdout).toContain("the whole one was not kept");
    const { code, stderr } = await run("approvals", "show", id, "--full");
    expect(code).toBe(1);
    expect(stderr).toContain("has no `key` to encrypt it with");
  });

  test("shows the request itself with --full if nothing is masked", async () => {
    const { ask, run } = await setUp();
    const { code, stdout } = await run("approvals", "show", await ask(), "--full");
    expect(code).toBe(0);
    expect(stdout).toContain('"order_id": "7"');
  });
});

describe("skillc approvals approve, deny and withdraw", () => {
  test("let a caller confirm in person only if the tool and the channels allow it", async () => {
    const { ask, run } = await setUp();
    const own = await run("approvals", "approve", await ask(), "--as", "ada");
    expect(own.code).toBe(1);
    expect(own.stderr).toContain("callers can't approve their own calls");
    expect(own.stderr).toContain("by: person");
    expect((await run("approvals", "approve", await ask("confirm"), "--as", "ada")).code).toBe(0);

    const chat = await setUp({ settings: "approval_channels: [chat]\n" });
    expect((await chat.run("generate")).code).toBe(0);
    const id = await chat.ask("confirm");
    const elsewhere = await chat.run("approvals", "approve", id, "--as", "ada");
    expect(elsewhere.code).toBe(1);
    expect(elsewhere.stderr).toContain("`approval_channels` of skillc.yaml lacks `terminal`");
  });

  test("approve only the effects that the approver saw", async () => {
    const { ask, root, run } = await setUp();
    const id = await ask();
    const approve = (...more: readonly string[]) =>
      run("approvals", "approve", id, "--as", "grace", ...more);
    const unneeded = await approve("--digest", "a".repeat(32));
    expect([unneeded.code, unneeded.stderr]).toEqual([
      1,
      expect.stringContaining("shows no effects now"),
    ]);
    giveTrial(root, "a".repeat(64));
    expect((await run("approvals", "show", id)).stdout).toMatch(/^ +digest +a{32}$/m);
    for (const [digest, message] of [
      [[], "only the effects that you saw can be approved"],
      [["--digest", "a".repeat(31)], "at least the 32 characters"],
      [["--digest", "b".repeat(32)], "the call was tried again since"],
    ] as const) {
      const { code, stderr } = await approve(...digest);
      expect(code).toBeGreaterThan(0);
      expect(stderr).toContain(message);
      expect(stderr).toContain(`skillc approvals show ${id}`);
    }
    expect((await approve("--digest", "a".repeat(32))).code).toBe(0);
  });

  test("say who decided before, and what to do", async () => {
    const { ask, call, run } = await setUp();
    const id = await ask();
    await run("approvals", "approve", id, "--as", "grace");
    const twice = await run("approvals", "approve", id, "--as", "grace");
    expect(twice.code).toBe(1);
    expect(twice.stderr).toContain("was approved by grace on terminal");
    expect(twice.stderr).toContain("its approval is unused");
    expect(twice.stderr).toContain(`skillc approvals withdraw ${id}`);
    expect((await run("approvals", "deny", id)).code).toBe(1);
    await call();
    const used = await run("approvals", "approve", id, "--as", "grace");
    expect(used.stderr).toContain("its approval is used by the call");

    const other = await ask("confirm");
    await run("approvals", "deny", other, "--as", "grace", "--note", "not today");
    const denied = await run("approvals", "approve", other, "--as", "eve");
    expect(denied.code).toBe(1);
    expect(denied.stderr).toContain(
      "was denied by grace on terminal, who was not checked: not today",
    );
    expect(denied.stderr).toContain("the denial holds until");
  });

  test("withdraw an approval that no call has used", async () => {
    const { ask, call, run } = await setUp();
    const id = await ask();
    const early = await run("approvals", "withdraw", id, "--as", "grace");
    expect(early.stderr).toContain("has no approval");
    await run("approvals", "approve", id, "--as", "grace");
    expect((await run("approvals", "withdraw", id, "--as", "grace")).stdout).toContain("withdrew");
    const again = await run("approvals", "withdraw", id, "--as", "grace");
    expect(again.code).toBe(1);
    expect(again.stderr).toContain("withdrawn by grace");
    expect((await call()).code).toBe(1);
    // The call has left a new request.
    expect((await run("approvals", "approve", id, "--as", "grace")).code).toBe(0);
  });

  test("print JSON", async () => {
    const { ask, run } = await setUp();
    const json = async (...argv: readonly string[]) =>
      JSON.parse((await run("approvals", ...argv, "--as", "grace", "--json")).stdout) as unknown;
    const id = await ask();
    const facts = { id, tool: "desk/refund", subject: "ada", tenant: "acme", by: "grace" };
    const approved = await json("approve", id);
    expect(approved).toMatchObject({ ...facts, state: "approved", channel: "terminal" });
    expect(await json("withdraw", id)).toMatchObject({ ...facts, state: "withdrawn" });
    await ask();
    expect(await json("deny", id, "--note", "no")).toMatchObject({
      ...facts,
      state: "denied",
      note: "no",
      claimed: true,
    });
  });

  test("replace a credential in a note by its name", async () => {
    const { ask, run } = await setUp({ env: { ORDERS_URL: "https://secret.example/token-4711" } });
    const id = await ask();
    await run("approvals", "deny", id, "--note", "see https://secret.example/token-4711");
    const { stdout } = await run("approvals", "show", id);
    expect(stdout).toContain("see ${ORDERS_URL}");
    expect(stdout).not.toContain("token-4711");
  });

  test.each<[what: string, flags: ApprovalsFlags, code: number, message: string]>([
    ["an approver whom no caller can be", { as: "grace " }, 2, "`--as` is not a subject"],
    ["a note that is too long", { as: "grace", note: "x".repeat(501) }, 1, "`--note` must be"],
  ])("reject %s", async (_, { as = "", note }, code, message) => {
    const { ask, run } = await setUp();
    const more = note === undefined ? [] : ["--note", note];
    const part = note === undefined ? "approve" : "deny";
    const found = await run("approvals", part, await ask(), "--as", as, ...more);
    expect(found.code).toBe(code);
    expect(found.stderr).toContain(message);
  });

  test("reject an approval of a tool that has changed since the call", async () => {
    const { ask, root, run } = await setUp();
    const id = await ask();
    const policy =
      "export const policy = { hash: 'p', strict: false, tools: {}, quotas: [], obligations: [] };";
    put(root, "generated/policy.ts", policy);
    const { code, stderr } = await run("approvals", "approve", id, "--as", "grace");
    expect(code).toBe(1);
    expect(stderr).toContain("is not a tool of this project");
  });
});

describe("skillc approvals with wrong input", () => {
  test("reports an id that no request has, or that is too short or missing", async () => {
    const { ask, run } = await setUp();
    await ask();
    const unknown = await run("approvals", "show", "AAAAAAAA");
    expect(unknown.code).toBe(1);
    expect(unknown.stderr).toContain("there is no request for approval `AAAAAAAA`");
    expect((await run("approvals", "show", "A".repeat(43))).code).toBe(1);
    const short = await run("approvals", "show", "AAA");
    expect(short.code).toBe(2);
    expect(short.stderr).toContain("at least 6 characters");
    const missing = await run("approvals", "show");
    expect(missing.code).toBe(2);
    expect(missing.stderr).toContain("`skillc approvals list` shows the requests and their ids");
    expect((await run("approvals", "approve", "AAAAAAAA")).stderr).toContain("--as");
  });

  test("lists the requests whose ids begin alike", async () => {
    const root = projectOf("store: ${STORE}\n");
    const store = createMemoryStore();
    for (const last of ["a", "b"])
      store.saveRequest({
        id: `same-beginning-${last}`.padEnd(43, last),
        tool: "desk/refund",
        manifest: "m",
        digest: "d",
        subject: `\u001b[31m${last}`,
        ttlMs: 60_000,
      });
    const context = createContext({ ...nowhere(), cwd: root, env: { STORE: "redis://x" } }, {});
    const show = approvals(context, "show", "same-beg", {}, () => Promise.resolve(store));
    await expect(show).rejects.toMatchObject({
      message: "the ids of 2 requests begin with `same-beg`",
      help: expect.stringMatching(/same-beginning-a+.*\\u001b\[31ma, pending/s),
    });
  });

  test("reports a project without a policy", async () => {
    const root = makeProject({ "skillc.yaml": "out: generated\n" });
    const { code, stderr } = await skillc(root, ["approvals", "list"]);
    expect(code).toBe(1);
    expect(stderr).toContain("there is no `generated/policy.ts`");
    expect(stderr).toContain("skillc generate");
  });

  test("reports a store that has no URL here, or cannot be reached", async () => {
    const { run } = await setUp({ settings: "store: ${STORE}\n" });
    expect((await run("approvals", "list")).stderr).toContain("which is not set here");
    const away = await setUp({
      settings: "store: ${STORE}\n",
      env: { STORE: "redis://127.0.0.1:1" },
    });
    const { code, stderr } = await away.run("approvals", "list");
    expect(code).toBe(1);
    expect(stderr).toMatch(/store .*can(?:'t| ?not) be/);
  });

  test("reports a key of another length", async () => {
    const { run } = await setUp({ settings: "key: ${K}\n", env: { K: "c2hvcnQ=" } });
    const { code, stderr } = await run("approvals", "list");
    expect(code).toBe(1);
    expect(stderr).toContain("whose value is not a key");
    expect(stderr).not.toContain("c2hvcnQ=");
  });

  test("follows no link at the folder of approvals", async () => {
    const { call, root, run } = await setUp();
    const elsewhere = makeProject();
    rmSync(join(root, ".skillc/approvals"), { recursive: true, force: true });
    mkdirSync(join(root, ".skillc"), { recursive: true });
    symlinkSync(elsewhere, join(root, ".skillc/approvals"));
    for (const { code, stderr } of [await call(), await run("approvals", "list")]) {
      expect(code).toBe(1);
      expect(stderr).toContain(".skillc/approvals");
    }
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  test("writes nothing to list the requests of a project without any", async () => {
    const { root, run } = await setUp();
    expect((await run("approvals", "list")).code).toBe(0);
    expect(existsSync(join(root, ".skillc/approvals"))).toBe(false);
  });
});

/** Adds a trial to the only request in the folder of a project. */
function giveTrial(root: string, sha256: string): void {
  const folder = join(root, ".skillc/approvals");
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const path = join(folder, names.find((each) => each.includes("request")) ?? "");
  const file = JSON.parse(readFileSync(path, "utf8")) as { request: { details: object } };
  const trial = { call: "c", host: "build-7", sha256, status: "success", effects: [] };
  Object.assign(file.request.details, { trial });
  writeFileSync(path, JSON.stringify(file));
}
