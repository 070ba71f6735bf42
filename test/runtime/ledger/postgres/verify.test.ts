/** What somebody can do to tables, and to no files. */
import { expect, it } from "vitest";
import { postgresService } from "../../../support/postgres.js";
import { describeWithService } from "../../../support/service.js";
import { ownDatabase, postgresPlace, recordWrite } from "../kinds.js";

await describeWithService(postgresService, () => {
  const database = ownDatabase();

  /** Two writers, of which the second saw the first, and what verifying finds after a change. */
  async function changedBy(sql: (table: (name: string) => string) => string) {
    const place = await postgresPlace(database());
    for (const at of [1, 2]) {
      const ledger = place.open();
      for (let n = 0; n < 3; n += 1) await recordWrite(ledger, { id: `call-${at}-${n}` });
      await ledger.close();
    }
    await database().run(sql(place.table));
    return (await place.open().verify()).problems;
  }

  const first = (table: (name: string) => string) =>
    `(SELECT writer FROM ${table("writers")} ORDER BY opened LIMIT 1)`;

  it.each([
    ["skill", "'other'"],
    ["tool", "'other'"],
    ["id", "'other'"],
    ["mode", "'shadow'"],
    ["status", "'failed'"],
    ["status", "NULL"],
    ["type", "'begin'"],
    ["at", "at - interval '1 ms'"],
    ["at", "at + interval '1 year'"],
  ])("finds a column `%s` by which a query would miss the record", async (column, value) => {
    const problems = await changedBy(
      (table) =>
        `UPDATE ${table("records")} SET ${column} = ${value} WHERE seq = 4 AND writer = ${first(table)}`,
    );
    expect(problems).toContainEqual(
      expect.objectContaining({ kind: "changed-line", line: 5 }) as unknown,
    );
  });

  it("finds that a writer's last rows are gone, though nobody wrote after it", async () => {
    const problems = await changedBy(
      (table) => `DELETE FROM ${table("records")} WHERE seq > 4 AND writer <> ${first(table)}`,
    );
    expect(problems).toMatchObject([
      { kind: "missing-lines", message: "record 7, which `writers` saw here, is missing" },
    ]);
  });

  it("finds that the last rows are gone and the head was set back, when another writer saw them", async () => {
    const problems = await changedBy(
      (table) => `
        DELETE FROM ${table("records")} WHERE seq > 4 AND writer = ${first(table)};
        UPDATE ${table("writers")} w SET seq = 4, hash = substr(right(r.line, 45), 1, 43)
        FROM ${table("records")} r WHERE r.writer = w.writer AND r.seq = 4 AND w.writer = ${first(table)}`,
    );
    expect(problems).toMatchObject([
      {
        kind: "missing-lines",
        message: expect.stringMatching(/^record 7, which `[\w-]+` saw here/),
      },
    ]);
  });

  it("finds that a writer is gone as a whole, which another one saw", async () => {
    const problems = await changedBy(
      (table) => `
        DELETE FROM ${table("records")} WHERE writer = ${first(table)};
        DELETE FROM ${table("writers")} WHERE writer = ${first(table)}`,
    );
    expect(problems).toMatchObject([{ kind: "missing-lines" }]);
  });

  it("finds rows whose writer has no head, and rows behind the head", async () => {
    const gone = await changedBy(
      (table) => `DELETE FROM ${table("writers")} WHERE writer <> ${first(table)}`,
    );
    expect(gone).toMatchObject([{ kind: "wrong-head" }]);
    const behind = await changedBy(
      (table) => `UPDATE ${table("writers")} w SET seq = 4, hash = substr(right(r.line, 45), 1, 43)
        FROM ${table("records")} r WHERE r.writer = w.writer AND r.seq = 4 AND w.writer <> ${first(table)}`,
    );
    expect(behind).toMatchObject([{ kind: "wrong-head" }]);
  });

  it("finds a record of pruning that was changed, or is gone", async () => {
    for (const [sql, kinds] of [
      ["DELETE FROM prunings", ["broken-chain"]],
      [
        "UPDATE prunings SET line = replace(line, '2999', '2998')",
        ["changed-line", "broken-chain"],
      ],
      ["UPDATE prunings SET line = 'x'", ["unreadable-line", "broken-chain"]],
      ["UPDATE prunings SET number = 3", ["broken-chain"]],
    ] as const) {
      const place = await postgresPlace(database());
      const ledger = place.open();
      await recordWrite(ledger, { time: "2001-01-01T00:00:00.000Z" });
      await recordWrite(ledger, { time: "2026-07-25T00:00:00.000Z" });
      await ledger.prune?.({ before: "2002-01-01" });
      expect((await ledger.verify()).problems).toEqual([]);
      await database().run(
        sql
          .replace("prunings", place.table("prunings"))
          .replace("'2999', '2998'", "'2002', '2003'"),
      );
      const found = (await ledger.verify()).problems.map(({ kind }) => kind);
      expect({ sql, found }).toEqual({ sql, found: kinds });
    }
  });
});
