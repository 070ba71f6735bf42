/** Runs the commands of docs/start/tutorial.md in a shell, without a change. */
import { execFile } from "node:child_process";
import { chmodSync, existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type OrderService, startOrderService } from "../../examples/order-service/server.js";
import { makeProject, put } from "../cli/support/command-line.js";
import { blocksOf, readPage } from "../support/page-blocks.js";

const repository = fileURLToPath(new URL("../..", import.meta.url));

let service: OrderService;
beforeAll(async () => {
  service = await startOrderService({ token: "demo-token" });
});
afterAll(() => service.close());

/** Replacements for npm and npx, which would ask a registry: they link packages and run the programs of this repository. */
const programs = {
  npm: `case "$1" in
  init) echo '{}' > package.json ;;
  pkg) echo '{ "type": "module" }' > package.json ;;
  install) mkdir -p node_modules/@types node_modules/@skillc && ln -sfn ${repository} node_modules/skillc &&
    ln -sfn ${repository}/packages/runtime node_modules/@skillc/runtime &&
    ln -sfn ${repository}/node_modules/@types/node node_modules/@types/node &&
    ln -sfn ${repository}/node_modules/undici-types node_modules/undici-types ;;
esac`,
  npx: `program="$1"; shift
case "$program" in
  skillc) exec node ${repository}/dist/cli/bin.js "$@" ;;
  tsc) exec node ${repository}/node_modules/typescript/bin/tsc --pretty false "$@" ;;
  tsx) exec node --disable-warning=DEP0205 --import ${repository}/node_modules/jiti/lib/jiti-register.mjs "$@" ;;
esac`,
};

test("the tutorial's commands print the results that its readers expect", async () => {
  const root = makeProject();
  for (const [name, text] of Object.entries(programs)) {
    put(root, `bin/${name}`, `#!/bin/sh\n${text}\n`);
    chmodSync(join(root, "bin", name), 0o755);
  }
  // The first block starts the order service, which runs in this process.
  const [, ...commands] = blocksOf(readPage("docs/start/tutorial.md")).filter(
    ({ language }) => language === "sh",
  );
  const script = commands
    .map(({ text }) => text)
    .join("")
    .replaceAll("http://127.0.0.1:8008", service.url);
  const { stdout } = await promisify(execFile)("bash", ["-c", `exec 2>&1\n${script}`], {
    cwd: root,
    env: { ...process.env, PATH: `${root}/bin:${process.env["PATH"] ?? ""}`, NO_COLOR: "1" },
  });

  const shown = [
    "✓ 2 skills, 3 tools → generated/",
    '"status": "open"',
    '"method": "PUT"',
    "open 24",
    "not found: there is no order ord_9999",
    "✓ 3 skills, 4 tools → generated/",
    "lamp 3",
    "error[http/unknown-parameter]: `orderid` is not a parameter of `get-order`",
    'error[sql/refused]: column "quantty" does not exist',
    "wrong.ts(3,32): error TS2322",
    "listOrders",
    "shop-orders/list-orders",
    '"status": "open"',
  ];
  let rest = stdout;
  for (const text of shown) {
    expect(rest).toContain(text);
    rest = rest.slice(rest.indexOf(text));
  }
  expect(stdout).not.toContain("warning");
  expect(stdout.match(/error TS/g)).toHaveLength(2);
  expect(existsSync(join(root, "desk/generated/stock/low-stock.ts"))).toBe(true);
  expect(existsSync(join(root, "desk/generated/shop-orders/list-orders.ts"))).toBe(true);
}, 300_000);
