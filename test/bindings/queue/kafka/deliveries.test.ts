/** Outcomes of batches, which a session derives from the requests that it observes. */
import { expect, test } from "vitest";
import { Deliveries } from "../../../../src/bindings/queue/providers/kafka/send/deliveries.js";

/** Deliveries, and the means to hand a request to a connection, seen or not. */
function start() {
  let written = 0;
  const deliveries = new Deliveries(() => written);
  const write = async () => {
    written += 1;
    throw Object.assign(new Error("lost"), { code: "ECONNRESET" });
  };
  return { deliveries, write };
}

test("a request belongs to the batch for its partition", async () => {
  const { deliveries, write } = start();
  const [first, second] = [deliveries.start(1), deliveries.start(2)];
  await deliveries.request([2], write).catch(() => {});
  expect([first.outcome, second.outcome]).toEqual(["not-done", "unknown"]);
  expect([first.losses, second.losses]).toEqual([0, 1]);
});

test("a batch without a partition gets the partition that is chosen for it", async () => {
  const { deliveries, write } = start();
  const first = deliveries.start(undefined);
  deliveries.place(3);
  const second = deliveries.start(1);
  expect(first.partition).toBe(3);
  await deliveries.request([3], write).catch(() => {});
  expect([first.outcome, second.outcome]).toEqual(["unknown", "not-done"]);
});

test("a batch that fails before it reaches a connection is not done", async () => {
  const { deliveries } = start();
  const delivery = deliveries.start(0);
  await deliveries.request([0], () => Promise.reject(new Error("away"))).catch(() => {});
  expect(delivery.outcome).toBe("not-done");
});

test.each([
  ["a partition that no batch is for", [7]],
  ["several partitions", [1, 2]],
  ["no partition", []],
])("a request for %s makes the outcome of every batch unknown", async (_, partitions) => {
  const { deliveries } = start();
  const before = [deliveries.start(1), deliveries.start(2)];
  await deliveries.request(partitions, async () => {});
  const all = [...before, deliveries.start(3)];
  expect(all.map(({ outcome }) => outcome)).toEqual(["unknown", "unknown", "unknown"]);
});

test("a written request that was not observed makes the outcome of every batch unknown", async () => {
  const { deliveries, write } = start();
  const delivery = deliveries.start(1);
  await write().catch(() => {});
  expect(delivery.outcome).toBe("unknown");
});

test("a stopped batch sends no request", async () => {
  const { deliveries, write } = start();
  const delivery = deliveries.start(1);
  delivery.stop();
  await expect(deliveries.request([1], write)).rejects.toThrow("stopped");
  expect(delivery.outcome).toBe("not-done");
  await expect(deliveries.request([2], write)).rejects.toThrow("stopped");
});
