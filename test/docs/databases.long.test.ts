import { readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { makeProject, put, skillc } from "../cli/support/command-line.js";
import { createDatabase, postgresService } from "../support/postgres.js";
import { describeWithService } from "../support/service.js";

const page = readFileSync(new URL("../../docs/sql/connect-a-database.md", import.meta.url), "utf8");

const blocks = Object.fromEntries(
  [...page.matchAll(/^```\w+ title=(\S+)\n([\s\S]*?)^```$/gm)].map(([, title = "", text = ""]) => [
    title,
    text,
  ]),
);

const SCHEMA = `
  CREATE TABLE products (id int4 PRIMARY KEY, name text NOT NULL, price numeric(10, 2));
  CREATE TABLE orders (id int4 PRIMARY KEY, product int4 REFERENCES products);
  CREATE VIEW sold AS SELECT p.id FROM products p JOIN orders o ON o.product = p.id;`;

const skill = `---
name: shop
description: Sells.
tools_schema:
  cheap-products:
    description: Lists products below a price.
    below: { type: string, pattern: "^[0-9]{1,8}$" }
    binding: { type: sql, connection: "\${SHOP_URL}", query: "SELECT id, name FROM products WHERE price < :below" }
---
Sell.
`;

await describeWithService(postgresService, () => {
  test("every command of docs/sql/connect-a-database.md prints the output that the page shows", async () => {
    const database = await createDatabase(SCHEMA);
    onTestFinished(() => database.drop());
    const root = makeProject({
      "skillc.yaml": blocks["skillc.yaml"] ?? "",
      "skills/shop/SKILL.md": skill,
      ".env": `SHOP_URL=${database.url}\n`,
    });
    const run = async (command: string) => {
      const { code, stdout, stderr } = await skillc(root, command.split(" "));
      // Versions and times are those of the machine.
      const told = stdout.replace(/PostgreSQL \d+/, "PostgreSQL 15").replace(/ · [\d.]+ m?s$/m, "");
      return { code, stdout: told, stderr };
    };
    const commands = [...page.matchAll(/^npx skillc (.*)$/gm)].map(([, command = ""]) => command);
    expect(commands).toEqual([
      "db pull",
      "generate",
      "generate --check",
      "db pull --check",
      "db pull",
      "generate",
    ]);
    expect(await run("db pull")).toMatchObject({ code: 0, stdout: blocks["pull"] });
    put(root, ".env", "");
    expect(await run("generate")).toMatchObject({ code: 0 });
    expect(await run("generate --check")).toMatchObject({ code: 0 });
    put(root, ".env", `SHOP_URL=${database.url}\n`);
    expect(await run("db pull --check")).toMatchObject({ code: 0 });
    await database.run(blocks["migration"] ?? "");
    expect(await run("db pull --check")).toMatchObject({ code: 1, stdout: blocks["check"] });
    expect(await run("db pull")).toMatchObject({ code: 0 });
    expect(await run("generate")).toMatchObject({ code: 0 });
  });
});
