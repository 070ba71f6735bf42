/** Folders in which the compiler looks for the imports of a Protobuf schema, in a whole project. */
import { expect, it } from "vitest";
import type { ProjectFiles } from "../../../../src/core/diagnostic-entry.js";
import { compileFiles } from "../../../support/compile.js";

const skill = `---
name: shop
description: Tells others what was paid.
tools:
  announce-payment:
    description: Announces one payment.
    units: { type: integer, minimum: 0, maximum: 1000000 }
    binding:
      type: queue
      provider: kafka
      connection: \${PAYMENTS}
      topic: payments
      format: protobuf
      schema: ./proto/acme/payment.proto#acme.Payment
      message: { total: { units: "{units}" } }
---
`;

const payment = `syntax = "proto3";
package acme;
import "acme/common/money.proto";
message Payment { common.Money total = 1; }
`;

const money = `syntax = "proto3";
package acme.common;
message Money { int64 units = 1; }
`;

async function faultsWith(place: string): Promise<readonly string[]> {
  const { diagnostics } = await compileFiles({
    "skills/shop/SKILL.md": skill,
    "skills/shop/proto/acme/payment.proto": payment,
    [place]: money,
  });
  return diagnostics.filter(({ severity }) => severity === "error").map(({ message }) => message);
}

it.each([
  "skills/shop/proto/acme/common/money.proto",
  "skills/shop/proto/acme/acme/common/money.proto",
  "skills/shop/acme/common/money.proto",
])("finds an import in %s", async (place) => {
  expect(await faultsWith(place)).toEqual([]);
});

it.each([
  "acme/common/money.proto",
  "skills/acme/common/money.proto",
  "skills/other/acme/common/money.proto",
  "skills/shop/other/acme/common/money.proto",
])("does not find an import in %s", async (place) => {
  expect(await faultsWith(place)).toEqual(["there is no file `acme/common/money.proto`"]);
});

/**
 * The first error when the schema imports a file by this name: what is said, and what is advised.
 */
async function adviceFor(name: string, files: ProjectFiles): Promise<readonly unknown[]> {
  const { diagnostics } = await compileFiles({
    "skills/shop/SKILL.md": skill,
    "skills/shop/proto/acme/payment.proto": payment.replace("acme/common/money.proto", name),
    ...files,
  });
  const first = diagnostics.find(({ severity }) => severity === "error");
  return [first?.code, first?.help];
}

it("suggests a path that Protobuf finds, too", async () => {
  const elsewhere = { "skills/acme/common/money.proto": money };
  const help =
    "copy the file below the skill's folder, and name it by its path from there: `acme/common/money.proto`";
  expect(await adviceFor("../acme/common/money.proto", elsewhere)).toEqual([
    "file/not-in-skill",
    help,
  ]);
  const there = { "skills/shop/acme/common/money.proto": money };
  expect(await adviceFor("acme/common/monney.proto", there)).toEqual([
    "file/not-found",
    "did you mean `acme/common/money.proto`?",
  ]);
  expect(await adviceFor("acme/common/money.proto", there)).toEqual([undefined, undefined]);
});
