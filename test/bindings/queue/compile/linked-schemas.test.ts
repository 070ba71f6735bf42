import { rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { exampleProject } from "../../../../src/bindings/queue/diagnostics/example.js";
import { makeProject, put, skillc } from "../../../cli/support/command-line.js";

const avro =
  '{"type": "record", "name": "Order", "fields": [{"name": "order_id", "type": "string"}]}\n';
const folder = "skills/order-events";

function linked(to: string): string {
  const root = makeProject(
    exampleProject({ binding: ["topic: orders", "format: avro", "schema: ./order.avsc"] }),
  );
  put(root, `${folder}/schemas/order.avsc`, avro);
  put(root, "skills/shared/order.avsc", avro);
  symlinkSync(to, join(root, folder, "order.avsc"));
  return root;
}

test("a schema may be a link to another file of the skill", async () => {
  const { code, stderr } = await skillc(linked("schemas/order.avsc"), ["check"]);
  expect([code, stderr]).toEqual([0, expect.not.stringContaining("error")]);
});

test("a schema that links outside the skill is rejected, even if a cached result has the same text", async () => {
  const root = linked("schemas/order.avsc");
  expect(await skillc(root, ["generate"])).toMatchObject({ code: 0 });
  rmSync(join(root, folder, "order.avsc"));
  symlinkSync("../shared/order.avsc", join(root, folder, "order.avsc"));
  const { code, stderr } = await skillc(root, ["generate"]);
  expect(code).toBe(1);
  expect(stderr).toContain(
    "error[file/not-in-skill]: `./order.avsc` is a link to `skills/shared/order.avsc`, which is not below the skill's folder",
  );
});
