/** A project whose refunds need an approval, and the service that pays them. */
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, onTestFinished } from "vitest";
import { makeProject, put, skillc } from "./command-line.js";

/** 32 bytes in base64. */
export const key = Buffer.alloc(32, 7).toString("base64");

const skill = `---
name: desk
description: Refunds orders.
tools:
  refund:
    description: Refund an order.
    order_id: string
    risk_level: high
    governance: { approval: { ttl: 1h } }
    binding: { type: http, method: POST, url: "\${ORDERS_URL}/refunds" }
  refund-card:
    description: Refund to a card.
    parameters:
      type: object
      required: [card]
      properties: { card: { type: string, x-sensitive: true } }
    governance: { approval: {} }
    binding: { type: http, method: POST, url: "\${ORDERS_URL}/cards" }
  confirm:
    description: Refund what a model asks for.
    order_id: string
    governance: { approval: { by: person } }
    binding: { type: http, method: POST, url: "\${ORDERS_URL}/confirmed" }
---
`;

/** The service, and the bodies that it has received. */
interface Service {
  readonly url: string;
  readonly bodies: readonly string[];
}

/** Starts a service that accepts every request. */
export async function startService(): Promise<Service> {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += String(chunk)));
    request.on("end", () => {
      bodies.push(body);
      response.writeHead(200, { "content-type": "application/json" });
      response.end('{"paid":true}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  // A server that listens on a port has an address of this form.
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, bodies };
}

/** Generates the project once, and returns a function that copies it. */
export function approvalProjects(): (settings?: string) => string {
  let generated: string;
  beforeAll(async () => {
    generated = mkdtempSync(join(tmpdir(), "skillc-approvals-"));
    put(generated, "skills/desk/SKILL.md", skill);
    const { code, stderr } = await skillc(generated, ["generate"]);
    if (code !== 0) throw new Error(stderr);
  });
  afterAll(() => rmSync(generated, { recursive: true, force: true }));
  return (settings) => {
    const root = makeProject();
    cpSync(generated, root, { recursive: true, preserveTimestamps: true });
    if (settings !== undefined) put(root, "skillc.yaml", settings);
    return root;
  };
}
