/** `skillc ledger …` on a ledger in PostgreSQL. */
import { describe, expect, test } from "vitest";
import { newestVersion } from "../../../src/runtime/ledger/postgres/migrations.js";
import { createPostgresLedger } from "../../../src/runtime/ledger/postgres/index.js";
import { entryOf } from "../../../src/runtime/ledger/store.js";
import { beginRecord } from "../../runtime/ledger/fixtures.js";
import { callsOf, ownDatabase, recordWrite } from "../../runtime/ledger/kinds.js";
import { postgresService } from "../../support/postgres.js";
import { describeWithService } from "../../support/service.js";
import { makeProject, skillc } from "../support/command-line.js";

const project = () => makeProject({ "skillc.yaml": "skills: skills\n" });
const at = ["--url", "${LEDGER_URL}"];

await describeWithService(postgresService, () => {
  const database = ownDatabase();
  const run = (root: string, args: readonly string[]) =>
    skillc(root, ["ledger", ...args, ...at], { env: { LEDGER_URL: database().url } });

  test("creates the tables, reports that, and does nothing a second time", async () => {
    const root = project();
    const missing = await run(root, ["list", "--schema", "cli one"]);
    expect(missing).toMatchObject({ code: 1, stdout: "" });
    expect(missing.stderr).toMatch(/are not in the schema `cli one`[\s\S]*skillc ledger migrate/);
    const first = await run(root, ["migrate", "--schema", "cli one"]);
    expect(first.code).toBe(0);
    expect(first.stdout).toMatch(
      /^ {2}version 1 {2}records.*\n(?: {2}version \d {2}.*\n)+(?: {2}partition {2}records_\d{4}_\d\d\n){13}migrated the ledger of `\$\{LEDGER_URL\}`, schema `cli one`: version 0 to \d, 13 partitions made\n$/,
    );
    const second = await run(root, ["migrate", "--schema", "cli one"]);
    expect(second).toMatchObject({ code: 0, stdout: expect.stringMatching(/^nothing to do: /) });
    const json = await run(root, ["migrate", "--schema", "cli one", "--json"]);
    expect(JSON.parse(json.stdout)).toMatchObject({
      from: newestVersion,
      to: newestVersion,
      applied: [],
      partitions: [],
    });
  });

  test("lists, shows, settles, verifies, reports and prunes", async () => {
    const root = project();
    await run(root, ["migrate"]);
    const ledger = createPostgresLedger({ connectionString: database().url });
    await recordWrite(ledger, { id: "aaaa-1" });
    await ledger.append(entryOf(beginRecord({ id: "bbbb-1" })));
    await ledger.close();
    expect((await run(root, ["list"])).stdout).toMatch(
      /^bbbb-1 .* unknown[\s\S]*^aaaa-1 .* success/m,
    );
    const how = ["--as", "done", "--because", "the shop lists it"];
    expect(await run(root, ["settle", "bbbb", ...how])).toMatchObject({ code: 0 });
    expect((await run(root, ["show", "bbbb"])).stdout).toMatch(
      /recorded +\d+-[0-9a-f]{12}, record 3/,
    );
    expect((await run(root, ["verify"])).stdout).toMatch(
      /^ok: every chain holds \(4 records in 14 partitions of 2 writers\)$/m,
    );
    expect((await run(root, ["report"])).stdout).toContain("settled-done");
    expect((await run(root, ["prune", "--before", "2999-01-01"])).stdout).toMatch(
      /^removed 4 records of 2 writers from before/m,
    );
    const left = createPostgresLedger({ connectionString: database().url });
    expect(await callsOf(left)).toEqual([]);
    await left.close();
    expect((await skillc(root, ["ledger", "list"])).stdout).not.toContain("aaaa");
  });
});

describe("a ledger that skillc.yaml names", () => {
  test("gets its URL from the setting with its name", async () => {
    const root = makeProject({ "skillc.yaml": "skills: skills\nledger: ${MY_LEDGER}\n" });
    const unset = await skillc(root, ["ledger", "list"]);
    expect(unset).toMatchObject({ code: 1, stderr: expect.stringContaining("`${MY_LEDGER}`") });
    const env = { MY_LEDGER: "postgres://user:pa55word@127.0.0.1:1/db" };
    const { stderr } = await skillc(root, ["ledger", "migrate"], { env });
    expect(stderr).toContain("(ECONNREFUSED)");
    expect(stderr).not.toContain("pa55word");
  });
});

describe("a URL", () => {
  const secret = "postgres://user:pa55word@127.0.0.1:1/db";

  test.each([
    [["list", "--url", secret], {}, 2, "`--url` is not the name of a setting"],
    [["list", "--url", "LEDGER_URL"], {}, 2, "`--url` is not the name of a setting"],
    [["list", ...at], {}, 1, "`${LEDGER_URL}` is not set"],
    [["list", ...at], { LEDGER_URL: secret }, 1, "the server can't be reached (ECONNREFUSED)"],
    [["verify", ...at], { LEDGER_URL: secret }, 1, "(ECONNREFUSED)"],
    [["migrate", ...at], { LEDGER_URL: secret }, 1, "(ECONNREFUSED)"],
    [["migrate", ...at], { LEDGER_URL: "user:pa55word" }, 1, "URL is not a PostgreSQL URL"],
    [["migrate", ...at, "--schema", "pg_x"], { LEDGER_URL: secret }, 2, "`--schema` begins with"],
    [["migrate"], {}, 2, "this project keeps its ledger in files"],
    [["list", "--schema", "x"], {}, 2, "`--schema` is for a PostgreSQL ledger"],
  ] as const)(
    "causes an error that does not repeat its password: %j",
    async (args, env, code, told) => {
      const ran = await skillc(project(), ["ledger", ...args], { env });
      expect(ran.code).toBe(code);
      expect(ran.stderr).toContain(told);
      expect(ran.stdout + ran.stderr).not.toContain("pa55word");
    },
  );

  test("causes an error in JSON too if no server answers", async () => {
    const env = { LEDGER_URL: secret };
    for (const part of ["list", "migrate"]) {
      const { code, stdout } = await skillc(project(), ["ledger", part, "--json", ...at], { env });
      expect(code).toBe(1);
      expect(JSON.parse(stdout)).toMatchObject({ error: expect.stringContaining("ECONNREFUSED") });
    }
  });
});
