/** What a project's obligations do to answers: the types that are generated say it, and the runtime does it. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { serve } from "../bindings/http/execute/support.js";
import { makeProject, put, skillc } from "../cli/support/command-line.js";
import { linkPackages, tsc } from "../support/tsc.js";

const folder = fileURLToPath(new URL("../cases/governed-project", import.meta.url));
const read = (path: string) => readFileSync(join(folder, path), "utf8");
const config = read("skillc.yaml");

/** An application that prints what two callers have of one order, and says of what types it is. */
const main = `
import { governance } from "@skillc/runtime/governance";
import type { Masked } from "@skillc/runtime";
import { createRuntime } from "./generated/index.js";
import { getOrder } from "./generated/order-desk/index.js";
import { policy } from "./generated/policy.js";

const runtime = createRuntime({
  credentials: { ORDERS_URL: process.env["ORDERS_URL"] ?? "" },
  handlers: { "order-desk/quote": () => ({ price: 5 }) },
  governance: governance({ policy }),
  inherit: false,
  ledger: false,
});
const roles = ["support"];
const shown = [];
for (const scopes of [["orders.read"], ["orders.read", "pii.read"]]) {
  const caller = { tenant: "acme", subject: "ada", origin: "api", roles, scopes } as const;
  const found = await getOrder({ order_id: "7" }, { runtime, caller });
  if (found.status !== "success") throw new Error(found.status);
  const { data, watermark } = found;
  const email: string | null | Masked = data.customer.email;
  const phones: readonly Masked[] | undefined = data.customer.phones;
  const prices: readonly (number | undefined)[] = data.lines.map(({ price }) => price);
  const mark: string | undefined = watermark;
  shown.push({ email, phones, prices, mark, note: data.note, skus: data.lines.map(({ sku }) => sku) });
}
console.log(JSON.stringify(shown));
await runtime.close();
`;

const tsconfig = {
  compilerOptions: {
    target: "es2023",
    lib: ["es2023"],
    module: "nodenext",
    strict: true,
    exactOptionalPropertyTypes: true,
    types: ["node"],
    outDir: "dist",
  },
  files: ["main.ts"],
};

function makeDesk() {
  const root = makeProject({
    "package.json": JSON.stringify({ type: "module" }),
    "tsconfig.json": JSON.stringify(tsconfig),
    "skillc.yaml": config,
    "skills/order-desk/SKILL.md": read("skills/order-desk/SKILL.md"),
    "main.ts": main,
  });
  linkPackages(root, ["@skillc/runtime", "@types/node"]);
  return root;
}

test("a generated tool returns data of its type, to callers with and without the scope", async () => {
  const root = makeDesk();
  expect(await skillc(root, ["generate"])).toMatchObject({ code: 0 });
  expect(await tsc(root)).toBe("");
  const order = {
    customer: { email: "ada@example.com", phones: ["1", "2"] },
    lines: [{ sku: "lamp", price: 19 }],
    note: "card 4111-1111 1111 1111, twice: 4111111111111111",
    status: "open",
  };
  const service = await serve((response) => response.end(JSON.stringify(order)));
  const { stdout } = await promisify(execFile)(process.execPath, ["dist/main.js"], {
    cwd: root,
    env: { ...process.env, ORDERS_URL: service.url },
  });
  const same = {
    phones: ["***", "***"],
    prices: [null],
    mark: "for support only",
    note: "card ***, twice: ***",
    skus: ["lamp"],
  };
  expect(JSON.parse(stdout)).toEqual([
    { email: "***", ...same },
    { email: "ada@example.com", ...same },
  ]);
});

test("an edit of obligations changes the types that it is about, and check notices it", async () => {
  const root = makeDesk();
  await skillc(root, ["generate"]);
  const quote = readFileSync(join(root, "generated/order-desk/quote.ts"), "utf8");
  put(
    root,
    "skillc.yaml",
    config.replace(/\s+unless: \[pii\.read\],/, "").replace(", pii.read]", "]"),
  );
  const { code, stdout } = await skillc(root, ["generate", "--check"]);
  expect(code).not.toBe(0);
  for (const file of ["policy.ts", "get-order.ts"]) expect(stdout).toContain(file);
  expect(stdout).not.toContain("quote.ts");
  await skillc(root, ["generate"]);
  expect(await skillc(root, ["generate", "--check"])).toMatchObject({ code: 0 });
  expect(readFileSync(join(root, "generated/order-desk/quote.ts"), "utf8")).toBe(quote);
  // Nobody has the address any more, and the type says so.
  put(root, "main.ts", main.replace("const email: string | null | Masked", "const email: Masked"));
  expect(await tsc(root)).toBe("");
});

test("a project without governance gets no policy, and an old one is removed", async () => {
  const root = makeDesk();
  await skillc(root, ["generate"]);
  const skill = read("skills/order-desk/SKILL.md")
    .replace(/^ {4}governance:\n(?: {6}.*\n)+/gm, "")
    .replace(/^ {4}requires_confirmation.*\n/gm, "");
  put(root, "skillc.yaml", "skills: skills\n");
  put(root, "skills/order-desk/SKILL.md", skill);
  const { code, stderr, stdout } = await skillc(root, ["generate"]);
  expect([code, stdout + stderr]).toEqual([0, expect.stringContaining("")]);
  expect(() => readFileSync(join(root, "generated/policy.ts"))).toThrow("ENOENT");
  const tool = readFileSync(join(root, "generated/order-desk/get-order.ts"), "utf8");
  expect(tool).not.toContain("Obliged");
  put(root, "policies/all.cedar", "permit(principal, action, resource);\n");
  await skillc(root, ["generate"]);
  expect(readFileSync(join(root, "generated/policy.ts"), "utf8")).toContain("strict: false");
});
