import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { filesIn, put, skillc } from "../../cli/support/command-line.js";
import { postgresService } from "../../support/postgres.js";
import { describeWithService } from "../../support/service.js";
import { importTables, shopWith } from "./support.js";

const schema = `
  CREATE TABLE orders (id bigint PRIMARY KEY, note text);
  COMMENT ON TABLE orders IS 'What was bought.';
  CREATE TABLE customers (id bigint PRIMARY KEY, name text NOT NULL);
`;
const metadata = "skills/shop/metadata.yaml";
const knowledge = "skills/shop/SKILL.md";

function edit(root: string, path: string, from: string, to: string): void {
  const before = readFileSync(join(root, path), "utf8");
  expect(before).toContain(from);
  put(root, path, before.replace(from, to));
}

await describeWithService(postgresService, () => {
  test("importing again changes nothing when neither side did", async () => {
    const { root } = await shopWith(schema);
    await importTables(root, "SHOP_URL");
    const before = filesIn(root);
    const { code, report, told } = await importTables(root);
    expect([code, told, report.changes]).toEqual([
      0,
      [],
      { skills: [], tooLow: [], verdict: null },
    ]);
    expect(filesIn(root)).toEqual(before);
  });

  test("importing again keeps what people wrote, and brings what a migration changed", async () => {
    const { database, root } = await shopWith(schema);
    await importTables(root, "SHOP_URL");
    edit(root, metadata, "  get-order:", "  # Ask Ada first.\n  get-order:\n    tags: [desk]");
    edit(root, metadata, "Insert a row into `orders`.", "Take an order.");
    edit(root, knowledge, "## orders", "Never on a Sunday.\n\n## orders");
    await database.run(
      "ALTER TABLE orders ADD COLUMN total numeric NOT NULL DEFAULT 0; CREATE TABLE stock (sku text PRIMARY KEY, pieces integer)",
    );
    expect(
      (await importTables(root, "--check")).told.map(({ code, file }) => [code, file]),
    ).toEqual([
      ["import/out-of-date", knowledge],
      ["import/out-of-date", metadata],
    ]);
    const { code, files, report, told } = await importTables(root);
    expect([code, told]).toEqual([0, []]);
    const tools = files[metadata] ?? "";
    expect(tools).toContain("# Ask Ada first.");
    expect(tools).toMatch(/tags: \[ ?desk ?\]/);
    expect(tools).toContain("Take an order.");
    expect(tools).toContain("total = coalesce(:total, total)");
    expect(tools).toContain("delete-stock:");
    expect(files[knowledge]).toContain("Never on a Sunday.");
    expect(report.changes).toMatchObject({ verdict: "minor" });
    expect((await importTables(root, "--check")).code).toBe(0);
  });

  test("a place that both changed is reported, and keeps the person's change", async () => {
    const { database, root } = await shopWith(schema);
    await importTables(root, "SHOP_URL");
    edit(
      root,
      metadata,
      "SELECT id, note\n        FROM orders\n        WHERE id = :id",
      "SELECT id FROM orders WHERE id = :id",
    );
    await database.run("ALTER TABLE orders ADD COLUMN total numeric");
    const { files, told } = await importTables(root);
    expect(told.map(({ code, message }) => [code, message])).toEqual([
      ["import/conflict", "you and the database changed `query`: the import keeps your text"],
    ]);
    expect(files[metadata]).toContain("SELECT id FROM orders WHERE id = :id");
  });

  test("a statement is merged line by line, and gets no parameter that it doesn't use", async () => {
    const { database, root } = await shopWith(schema);
    await importTables(root, "SHOP_URL");
    const [before = "", after = ""] = readFileSync(join(root, metadata), "utf8").split(
      "list-orders:",
    );
    const ordered = after.replace(
      "        ORDER BY CASE",
      "          AND id > 10\n        ORDER BY CASE",
    );
    put(root, metadata, `${before}list-orders:${ordered}`);
    edit(root, metadata, "INSERT INTO orders", "INSERT INTO public.orders");
    await database.run("ALTER TABLE orders ADD COLUMN total numeric");
    const { files, told } = await importTables(root);
    const tools = files[metadata] ?? "";
    expect(tools).toMatch(/SELECT id, note, total\n {8}FROM orders[^]*AND id > 10\n {8}ORDER BY/);
    expect(told.map(({ message }) => message)).toEqual([
      "you and the database changed `query`: the import keeps your text",
    ]);
    expect(/insert-order:([^]*?)query:/.exec(tools)?.[1]).not.toContain("total");
  });

  test("a choice is made once, a tool that was removed stays away, and what is gone goes", async () => {
    const { database, root } = await shopWith(schema);
    await importTables(root, "SHOP_URL", "--tables", "orders", "--skill", "desk");
    edit(root, "skills/desk/metadata.yaml", "  delete-order:", "  REMOVED:");
    const text = readFileSync(join(root, "skills/desk/metadata.yaml"), "utf8");
    put(root, "skills/desk/metadata.yaml", text.replace(/ {2}REMOVED:[^]*/, ""));
    await database.run("ALTER TABLE orders DROP COLUMN note");
    const { files, report } = await importTables(root);
    expect(Object.keys(files).toSorted()).toEqual([
      "skills/desk/SKILL.md",
      "skills/desk/metadata.yaml",
    ]);
    expect(files["skills/desk/metadata.yaml"]).not.toMatch(/delete-order|note|customers/);
    expect(report.changes).toMatchObject({ verdict: "major" });
  });

  test("a record that another import wrote is not taken for its own", async () => {
    const { root } = await shopWith(schema);
    await importTables(root, "SHOP_URL");
    edit(root, "skills/.import/shop/import.json", '"database"', '"openapi"');
    const { code, told } = await importTables(root, "SHOP_URL");
    expect([code, told.map((each) => each.code)]).toEqual([1, ["import/broken-record"]]);
    rmSync(join(root, "skills"), { recursive: true });
    const none = await skillc(root, ["import", "database"]);
    expect(none.code).toBe(2);
    expect(none.stderr).toContain("no database was imported");
  });

  test("a skill stays if the database has no usable table any more", async () => {
    const { database, root } = await shopWith(schema);
    await importTables(root, "SHOP_URL");
    const before = filesIn(root);
    await database.run('DROP TABLE orders, customers; CREATE TABLE "a:b" (id bigint PRIMARY KEY)');
    const { code, told } = await importTables(root, "SHOP_URL");
    expect([code, told.map((each) => each.code)]).toEqual([1, ["import/no-tools"]]);
    expect(told[0]).toMatchObject({
      message: "no table of the database can become a tool",
      help: expect.stringMatching(/^`a:b`: a query can't contain its name, /),
    });
    expect(filesIn(root)).toEqual(before);
  });

  test("a skill that no import wrote is not touched", async () => {
    const mine = "---\nname: shop\ndescription: Ours.\n---\nAsk Ada.\n";
    const { root } = await shopWith(schema, { [knowledge]: mine });
    const { code, files, told } = await importTables(root, "SHOP_URL");
    expect([code, files]).toEqual([1, { [knowledge]: mine }]);
    expect(told.map((each) => each.code)).toEqual(["import/foreign-file"]);
    expect(Object.keys((await importTables(root, "SHOP_URL", "--prefix", "db")).files)).toContain(
      "skills/db-shop/metadata.yaml",
    );
  });
});
