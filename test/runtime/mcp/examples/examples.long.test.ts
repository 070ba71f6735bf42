/** The SDK's client drives every example skill, as processes of `skillc mcp` serve it. */
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { CallToolResult, Client } from "@modelcontextprotocol/client";
import { SkillsClient } from "@modelcontextprotocol/client/ext/skills";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { bubblewrap } from "../../../bindings/command/run/support.js";
import { management, managementService } from "../../../bindings/queue/support/rabbitmq-vhost.js";
import { startRedis, type TestRedis, withRedis } from "../../../bindings/queue/support/redis.js";
import { absenceOf, describeUnless } from "../../../support/service.js";
import { repository } from "../../../support/repository.js";
import { ways } from "../clients.js";
import { type ExampleProject, makeExampleProject } from "./example-project.js";
import { type ServedClient, serveTo } from "./served-client.js";

/** Reason why the examples can't run here; undefined if all that they call is there. */
const absence = (await absenceOf(bubblewrap)) ?? (await absenceOf(managementService));

withRedis("Redis for the example skills", () => {
  describeUnless(absence, "the example skills", tests);
});

function tests(): void {
  let redis: TestRedis;
  let project: ExampleProject;
  beforeAll(async () => {
    redis = await startRedis();
    project = await makeExampleProject({
      ORDER_EVENTS_REDIS: redis.url,
      RABBITMQ_API: management.api,
      RABBITMQ_USER: management.user,
      RABBITMQ_PASSWORD: management.password,
    });
  });
  afterAll(async () => {
    await project.close();
    await redis.close();
  });

  describe.each(ways)("a client of `skillc mcp` over $way in $era", ({ era, way }) => {
    // Nobody checked the client's id, so over HTTP its user is not asked.
    const isAsked = way === "stdio";
    // Over stateless HTTP an earlier client can't cancel by itself.
    const hasSignal = way === "stdio" || era === "2026-07-28";
    let served: ServedClient;
    beforeAll(async () => {
      for (const mark of ["began", "cancelled"])
        rmSync(join(project.folder, mark), { force: true });
      served = await serveTo(project, { era, way, ...(!hasSignal && { answerWithin: "1s" }) });
    });
    afterAll(() => served.close());

    /** Calls a tool, and waits like a model if the call takes long. */
    const call = async (name: string, args: Readonly<Record<string, unknown>> = {}) => {
      let result: CallToolResult = await served.client.callTool({ name, arguments: args });
      for (;;) {
        const { id, status } = valueOf(result);
        if (status !== "skillc:running") return result;
        result = await served.client.callTool({ name: "skillc__await", arguments: { id } });
      }
    };
    const dataOf = async (...args: Parameters<typeof call>) => {
      const result = await call(...args);
      expect(valueOf(result)).toMatchObject({ status: "success" });
      return valueOf(result)["data"];
    };

    /** Makes a call that needs an approval, and has somebody else approve it. */
    const approvedByOther = async (...args: Parameters<typeof call>) => {
      const { id, status } = valueOf(await call(...args));
      await project.skillc("approvals", "approve", String(id), "--as", "grace");
      const decided = valueOf(await call("skillc__await", { id }));
      return [status, decided["status"]];
    };

    const isMarked = (mark: string) =>
      vi.waitFor(() => expect(existsSync(join(project.folder, mark))).toBe(true), 30_000);

    /** Aborts a call once its handler runs. */
    const abort = async (made: Parameters<Client["callTool"]>[0]) => {
      const controller = new AbortController();
      const { signal } = controller;
      const end = served.client.callTool(made, { signal }).then(
        () => "answered",
        () => "aborted",
      );
      await isMarked("began");
      controller.abort();
      return end;
    };

    /** Cancels a call that goes on after its answer. */
    const cancel = async (made: Parameters<Client["callTool"]>[0]) => {
      const { id, status } = valueOf(await served.client.callTool(made));
      await served.client.callTool({ name: "skillc__cancel", arguments: { id } });
      return status;
    };

    test("lists tools of each skill that has tools", async () => {
      const { tools } = await served.client.listTools();
      const skills = new Set(tools.map(({ name }) => name.replace(/__.*/, "")));
      const withTools = skillNames.filter((name) => name !== "refund-policy");
      expect([...skills].toSorted()).toEqual([...withTools, "skillc"].toSorted());
    });

    test("reads each skill, and checks its files against their digests", async () => {
      const skills = new SkillsClient(served.client);
      const listing = await skills.list();
      expect(listing.skills.map(({ frontmatter }) => frontmatter.name).toSorted()).toEqual(
        skillNames,
      );
      for (const { uri } of listing.skills) {
        const { skill } = await skills.get(uri);
        const { body, frontmatter, verified } = await skills.read(skill);
        expect({ body, frontmatter, verified }).toMatchObject({
          frontmatter: skill.frontmatter,
          verified: true,
        });
        expect(body).toBe(bodyOf(String(skill.frontmatter.name)));
      }
      const { contents } = await served.client.readResource({
        uri: "skill://refund-policy/SKILL.md",
      });
      expect(contents).toMatchObject([{ text: expect.stringContaining("30 days") as string }]);
    });

    test("calls an HTTP API, a database, and a plan over both", async () => {
      expect(await dataOf("order-desk__get-order", { order_id: "ord_1001" })).toMatchObject({
        id: "ord_1001",
      });
      expect(await dataOf("warehouse__get-product", { sku: "MUG-BLUE" })).toMatchObject({
        price: "12.00",
      });
      const returned = { order_id: "ord_1003", sku: "MUG-BLUE", location: "A-01", pieces: 1 };
      expect(await dataOf("returns-desk__take-back", returned)).toMatchObject({ sku: "MUG-BLUE" });
    });

    test("calls handlers, whose prints stay out of the protocol", async () => {
      const request = "customers (name, email)";
      const made = await dataOf("api-builder__create-api", { request });
      expect(made).toMatchObject({
        summary: expect.stringContaining("GET /v1/customers") as string,
      });
      const parcel = { country: "DE", weight_kg: 1 };
      expect(await dataOf("order-desk__quote-shipping", parcel)).toEqual({
        price: 4.9,
        currency: "EUR",
      });
    });

    test("writes a file and reads it", async () => {
      const name = `${way}-${era}.md`;
      await dataOf("notes__write-note", { name, text: "milk" });
      expect(await dataOf("notes__read-note", { name })).toMatchObject({ text: "milk" });
      expect(readFileSync(join(project.folder, "notes", name), "utf8")).toBe("milk");
    });

    test("runs a command in the sandbox", async () => {
      const lines = ["## No commits yet on main", "?? a.txt"];
      expect(await dataOf("repo-maintenance__status", { repository: "repo" })).toEqual(lines);
    });

    test("publishes a message and asks a broker for its queues", async () => {
      const before = (await redis.entries("views")).length;
      await dataOf("order-events__log-view", { sku: "MUG-BLUE" });
      expect(await redis.entries("views")).toHaveLength(before + 1);
      expect(await dataOf("rabbitmq-admin__list-queues")).toBeInstanceOf(Array);
    });

    test("follows the link of a result that is too long", async () => {
      const name = `long-${way}-${era}.md`;
      const text = "1234567890".repeat(15_000);
      project.put(`notes/${name}`, text);
      const result = await call("notes__read-note", { name });
      const { status, uri } = valueOf(result);
      expect({ status, length: JSON.stringify(result).length < 10_000 }).toEqual({
        status: "skillc:truncated",
        length: true,
      });
      expect(result.content).toContainEqual(
        expect.objectContaining({ type: "resource_link", uri }),
      );
      const { contents } = await served.client.readResource({ uri: String(uri) });
      const [whole] = contents;
      const { data } = JSON.parse(whole !== undefined && "text" in whole ? whole.text : "{}") as {
        readonly data: unknown;
      };
      expect(data).toMatchObject({ text });
    });

    test("gets an approval of a person for a refund, and makes it once", async () => {
      const lines = [{ sku: "MUG-BLUE", quantity: 3, price: 1200 }];
      // The service wrote the order.
      const { id } = (await dataOf("order-desk__create-order", {
        customer_id: "cus_ada",
        lines,
      })) as {
        readonly id: string;
      };
      const refund = { order_id: id, amount_cents: 2500, idempotency_key: `${way}-${era}` };
      const told = isAsked ? [] : await approvedByOther("order-desk__refund-order", refund);
      expect(told).toEqual(isAsked ? [] : ["skillc:pending", "approved"]);
      expect(await dataOf("order-desk__refund-order", refund)).toMatchObject({
        amount_cents: 2500,
      });
      // The same key is the same refund, which needs no further approval.
      expect(await dataOf("order-desk__refund-order", refund)).toMatchObject({
        amount_cents: 2500,
      });
      const form = expect.stringContaining("amount_cents: 2500") as string;
      expect(served.forms).toEqual(isAsked ? [form] : []);
    });

    test("cancels a call, whose handler learns of it", async () => {
      const parcel = { country: "ZZ", weight_kg: 1 };
      const quote = { name: "order-desk__quote-shipping", arguments: parcel };
      const status = hasSignal ? await abort(quote) : await cancel(quote);
      expect(status).toBe(hasSignal ? "aborted" : "skillc:running");
      await isMarked("cancelled");
    });
  });
}

const skillNames = readdirSync(join(repository, "skills")).toSorted();

/** Returns the body as its author wrote it. */
function bodyOf(skill: string): string {
  const text = readFileSync(join(repository, "skills", skill, "SKILL.md"), "utf8");
  return text.replace(/^---\n[^]*?\n---\n/, "");
}

function valueOf({
  content,
  structuredContent,
}: CallToolResult): Readonly<Record<string, unknown>> {
  if (structuredContent !== undefined)
    return structuredContent as Readonly<Record<string, unknown>>;
  const [first] = content;
  return JSON.parse(first?.type === "text" ? first.text : "") as Readonly<Record<string, unknown>>;
}
