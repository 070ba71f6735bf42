/** The generated functions of skills/rabbitmq-admin call a real RabbitMQ, an API that this project did not write. */
import { randomUUID } from "node:crypto";
import { afterAll, describe, expect, test } from "vitest";
import { createRuntime } from "../../generated/index.js";
import {
  bindQueue,
  createQueue,
  deleteQueue,
  findQueues,
  getMessages,
  getQueue,
  listBindings,
  listQueues,
  overview,
  publishMessage,
  purgeQueue,
} from "../../generated/rabbitmq-admin/index.js";
import { createMemoryLedger } from "../../src/runtime/index.js";
import { manage, management, managementService } from "../bindings/queue/support/rabbitmq-vhost.js";
import { listed } from "../support/listed.js";
import { recordingProxy } from "../support/recording-proxy.js";
import { describeWithService } from "../support/service.js";
import { apiBuilder } from "../../examples/demo/api-builder.js";

const { api, user, password } = management;

const handlers = {
  ...apiBuilder,
  "order-desk/quote-shipping": () => Promise.reject(new Error("nobody asks for it here")),
};

function connect(url = api, as = password) {
  const ledger = createMemoryLedger();
  const credentials = { RABBITMQ_API: url, RABBITMQ_USER: user, RABBITMQ_PASSWORD: as };
  const runtime = createRuntime({ inherit: false, handlers, ledger, credentials });
  return { runtime, ledger };
}

const { runtime } = connect();
const as = { runtime };

const madeQueues: string[] = [];

/** A name that no other run uses; the queue is gone after the tests. */
function queueName(): string {
  const name = `skillc-test ${randomUUID()}/ü`;
  madeQueues.push(name);
  return name;
}

async function newQueue(): Promise<string> {
  const queue = queueName();
  expect(await createQueue({ queue }, as)).toMatchObject({ status: "success" });
  return queue;
}

function send(queue: string, payload: string) {
  return publishMessage({ routing_key: queue, payload }, as);
}

await describeWithService(managementService, () => {
  afterAll(async () => {
    for (const name of madeQueues) {
      await manage("DELETE", `/queues/%2F/${encodeURIComponent(name)}`);
    }
  });

  test("overview identifies the broker", async () => {
    const answer = await overview({}, as);
    if (answer.status !== "success") throw new Error(answer.status);
    expect(answer.data.rabbitmq_version).toMatch(/^\d+\.\d+/);
    expect(answer.data.cluster_name).toContain("@");
  });

  describe("a queue", () => {
    test("can be created once, and exists from then on", async () => {
      const queue = queueName();
      const settings = { queue, durable: false, arguments: { "x-max-length": 7 } };
      expect(await createQueue(settings, as)).toEqual({ status: "success", data: null });
      expect(await createQueue(settings, as)).toEqual({ status: "exists", data: null });
      expect(await getQueue({ queue }, as)).toMatchObject({
        status: "success",
        data: {
          name: queue,
          vhost: "/",
          durable: false,
          auto_delete: false,
          arguments: { "x-max-length": 7 },
        },
      });
    });

    test("can't be declared again with other settings, which is a conflict in the broker's words", async () => {
      const queue = await newQueue();
      expect(await createQueue({ queue, durable: false }, as)).toEqual({
        status: "conflict",
        status_code: 400,
        error: expect.stringMatching(/inequivalent arg 'durable'/),
      });
    });

    test("appears in the list, with the requested columns", async () => {
      const queue = await newQueue();
      const listed = await listQueues({ columns: "name,durable" }, as);
      if (listed.status !== "success") throw new Error(listed.status);
      expect(listed.data).toContainEqual({ name: queue, durable: true });
    });

    test("can be found by a part of its name, on any page", async () => {
      const part = `skillc-page-${randomUUID()}`;
      const names = ["a", "b", "c", "d"].map((each) => `${part} ${each}/+&`);
      for (const name of names) {
        madeQueues.push(name);
        await createQueue({ queue: name }, as);
      }
      const find = { name: part, page_size: 2 };
      const pages = await listed(findQueues.pages(find, as));
      // The broker gives a page of none after a full one.
      expect(pages.map((page) => page.status === "success" && page.data.items.length)).toEqual([
        2, 2, 0,
      ]);
      expect(pages[0]).toMatchObject({ data: { filtered_count: 4 } });
      const found = await listed(findQueues.all({ ...find, page_size: 3 }, as));
      expect(found.map(({ name }) => name).toSorted()).toEqual(names);
      expect(await findQueues({ ...find, page: 9 }, as)).toMatchObject({
        status: "error",
        status_code: 400,
        error: expect.stringContaining("Page out of range"),
      });
    });

    test("can be deleted once, and an unknown queue answers `not_found`", async () => {
      const queue = await newQueue();
      expect(await deleteQueue({ queue }, as)).toEqual({ status: "success", data: null });
      const gone = { status: "not_found", status_code: 404 };
      expect(await deleteQueue({ queue }, as)).toMatchObject(gone);
      expect(await getQueue({ queue }, as)).toMatchObject(gone);
      expect(await purgeQueue({ queue }, as)).toMatchObject(gone);
      expect(await getMessages({ queue }, as)).toMatchObject(gone);
      expect(await listQueues({ vhost: "no such host" }, as)).toMatchObject(gone);
    });
  });

  describe("messages", () => {
    test("can be published, read, put back and purged", async () => {
      const queue = await newQueue();
      const texts = ["first", 'two "quoted" \u2028 lines\n', "${RABBITMQ_PASSWORD} {payload} 🐇"];
      for (const payload of texts) {
        expect(await send(queue, payload)).toEqual({ status: "success", data: { routed: true } });
      }
      const seen = await getMessages({ queue }, as);
      if (seen.status !== "success") throw new Error(seen.status);
      expect(seen.data.map((each) => each.payload)).toEqual(texts);
      expect(seen.data.map((each) => each.redelivered)).toEqual([false, false, false]);
      expect(await getMessages({ queue, count: 1 }, as)).toMatchObject({
        data: [{ payload: "first", redelivered: true, routing_key: queue }],
      });
      expect(await purgeQueue({ queue }, as)).toEqual({ status: "success", data: null });
      expect(await getMessages({ queue }, as)).toEqual({ status: "success", data: [] });
    });

    test("answer `routed: false` if no queue takes them, and an unknown exchange rejects them", async () => {
      const nowhere = { routing_key: `none-${randomUUID()}`, payload: "x" };
      expect(await publishMessage(nowhere, as)).toEqual({
        status: "success",
        data: { routed: false },
      });
      const exchange = `none-${randomUUID()}`;
      expect(await publishMessage({ ...nowhere, exchange }, as)).toMatchObject({
        status: "refused",
        error: expect.stringContaining(`no exchange '${exchange}'`),
      });
    });

    test("keep a queue from being deleted with the option for empty queues", async () => {
      const queue = await newQueue();
      await send(queue, "one");
      // The broker counts what is ready with a delay of its own.
      await expect
        .poll(() => deleteQueue({ queue, if_empty: true }, as), { timeout: 60_000 })
        .toMatchObject({ status: "not_empty", status_code: 400 });
    });
  });

  test("bindings route an exchange's messages, and can be listed", async () => {
    const queue = await newQueue();
    const routing_key = `orders.${randomUUID()}`;
    const binding = { exchange: "amq.direct", queue, routing_key };
    expect(await bindQueue(binding, as)).toMatchObject({ status: "success" });
    expect(await bindQueue({ ...binding, exchange: "none" }, as)).toMatchObject({
      status: "not_found",
    });
    const message = { exchange: "amq.direct", routing_key, payload: "by binding" };
    expect(await publishMessage(message, as)).toMatchObject({ data: { routed: true } });
    expect(await getMessages({ queue }, as)).toMatchObject({
      data: [{ payload: "by binding", routing_key }],
    });
    const listed = await listBindings({ queue }, as);
    if (listed.status !== "success") throw new Error(listed.status);
    const found = listed.data.map(({ source, routing_key: key }) => `${source} ${key}`);
    expect(found.toSorted()).toEqual([` ${queue}`, `amq.direct ${routing_key}`].toSorted());
  });

  test("the virtual host `/` is sent as `%2F` by every tool that names it", async () => {
    const { url, received } = await recordingProxy(api);
    const through = { runtime: connect(url).runtime };
    const queue = queueName();
    const name = encodeURIComponent(queue);
    const statuses = [
      await createQueue({ queue }, through),
      await getQueue({ queue }, through),
      await listQueues({}, through),
      await bindQueue({ exchange: "amq.fanout", queue, routing_key: "" }, through),
      await listBindings({ queue }, through),
      await publishMessage({ routing_key: queue, payload: "x" }, through),
      await getMessages({ queue }, through),
      await purgeQueue({ queue }, through),
      await deleteQueue({ queue }, through),
    ].map((answer) => answer.status);
    expect(new Set(statuses)).toEqual(new Set(["success"]));
    expect(received.map((each) => `${each.method} ${each.path}`)).toEqual([
      `PUT /api/queues/%2F/${name}`,
      `GET /api/queues/%2F/${name}`,
      "GET /api/queues/%2F?disable_stats=false",
      `POST /api/bindings/%2F/e/amq.fanout/q/${name}`,
      `GET /api/queues/%2F/${name}/bindings`,
      "POST /api/exchanges/%2F/amq.default/publish",
      `POST /api/queues/%2F/${name}/get`,
      `DELETE /api/queues/%2F/${name}/contents`,
      `DELETE /api/queues/%2F/${name}`,
    ]);
  });

  test("shadow mode records the request, and the broker gets none", async () => {
    const queue = queueName();
    expect(await createQueue({ queue }, { ...as, mode: "shadow" })).toMatchObject({
      status: "shadow",
      request: {
        method: "PUT",
        url: `\${RABBITMQ_API}/api/queues/%2F/${encodeURIComponent(queue)}`,
        headers: { authorization: "Basic ${RABBITMQ_USER}:${RABBITMQ_PASSWORD}" },
        body: { durable: true, auto_delete: false, arguments: {} },
      },
    });
    expect(await getQueue({ queue }, as)).toMatchObject({ status: "not_found" });
  });

  test("a wrong password is `unauthorized` for reads and writes, and appears in no record", async () => {
    const wrong = "wr0ng-passw0rd";
    const { runtime: stranger, ledger } = connect(api, wrong);
    const queue = queueName();
    const answers = await Promise.all([
      overview({}, { runtime: stranger }),
      listQueues({}, { runtime: stranger }),
      createQueue({ queue }, { runtime: stranger }),
      deleteQueue({ queue }, { runtime: stranger }),
    ]);
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: "unauthorized", status_code: 401 });
    }
    const records = JSON.stringify(ledger.records);
    expect(records).not.toContain(wrong);
    expect(records).not.toContain(btoa(`${user}:${wrong}`));
    expect(ledger.records.filter((each) => each.type === "end")).toHaveLength(4);
  });

  test("no parameter leaves its path segment", async () => {
    for (const vhost of ["..", "."]) {
      await expect(getQueue({ vhost, queue: "a" }, as)).rejects.toMatchObject({
        code: "SCHEMA.VALIDATION_FAILED",
        failure: { problems: [{ pointer: "/vhost" }] },
      });
    }
    await expect(getQueue({ queue: "../../overview" }, as)).rejects.toMatchObject({
      code: "SCHEMA.VALIDATION_FAILED",
      failure: { problems: [{ pointer: "/queue" }] },
    });
  });
});
