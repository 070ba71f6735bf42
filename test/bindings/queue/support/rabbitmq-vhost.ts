/**
 * Virtual hosts of the RabbitMQ that runs on this machine. A new broker would take three seconds of
 * CPU to start.
 */
import { randomUUID } from "node:crypto";
import { absenceOf, describeUnless, type Service } from "../../../support/service.js";
import { type RabbitmqClient, rabbitmqClient } from "./rabbitmq.js";

/** Management API of the RabbitMQ, with a login that has all permissions. */
export const management = {
  api: process.env["RABBITMQ_API"] ?? "http://127.0.0.1:15672",
  user: process.env["RABBITMQ_USER"] ?? "guest",
  password: process.env["RABBITMQ_PASSWORD"] ?? "guest",
} as const;

export const managementService: Service = {
  name: "RabbitMQ's management API",
  start: "start a broker and run `rabbitmq-plugins enable rabbitmq_management`",
  probe: () => manage("GET", "/overview"),
};

/**
 * Calls the management API.
 *
 * @param path below `/api`
 * @throws unless the API answers with success, or does not find the path
 */
export async function manage(method: string, path: string, body?: object): Promise<Response> {
  const { api, user, password } = management;
  const headers = {
    Authorization: `Basic ${btoa(`${user}:${password}`)}`,
    ...(body && { "Content-Type": "application/json" }),
  };
  const answer = await fetch(`${api}/api${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!answer.ok && answer.status !== 404) throw new Error(`it answers with ${answer.status}`);
  return answer;
}

const absence = await absenceOf(managementService);

export function withRabbitmqVhost(name: string, tests: () => void): void {
  describeUnless(absence, name, tests);
}

/** A virtual host for one test file, with separate exchanges and queues. */
export interface RabbitmqVhost extends RabbitmqClient {
  readonly name: string;
  /** Removes the virtual host with everything in it, and ends its connections. */
  close(): Promise<void>;
}

/** @param more end of the name, after a random part that no other run uses */
export async function createRabbitmqVhost(more = ""): Promise<RabbitmqVhost> {
  const name = `skillc-test-${randomUUID()}${more}`;
  const path = `/vhosts/${encodeURIComponent(name)}`;
  await manage("PUT", path, {});
  await permit(management.user, name);
  return {
    ...rabbitmqClient(rabbitmqUrl(management, name)),
    name,
    close: async () => void (await manage("DELETE", path)),
  };
}

interface Permissions {
  readonly configure: string;
  readonly write: string;
  readonly read: string;
}

const everything = { configure: ".*", write: ".*", read: ".*" };

/** Gives a user permissions in a virtual host; by default all. */
export async function permit(
  user: string,
  vhost: string,
  permissions: Permissions = everything,
): Promise<void> {
  const path = [vhost, user].map(encodeURIComponent).join("/");
  await manage("PUT", `/permissions/${path}`, permissions);
}

/** A user for one test, with the password `s3cret`. */
export interface RabbitmqUser {
  readonly user: string;
  readonly password: string;
  close(): Promise<void>;
}

export async function createRabbitmqUser(): Promise<RabbitmqUser> {
  const user = `limited-${randomUUID()}`;
  const password = "s3cret";
  await manage("PUT", `/users/${user}`, { password, tags: "" });
  return { user, password, close: async () => void (await manage("DELETE", `/users/${user}`)) };
}

/** The URL of a virtual host for a user. */
export function rabbitmqUrl(
  { user, password }: { readonly user: string; readonly password: string },
  vhost: string,
): string {
  const url = new URL(`amqp://${new URL(management.api).hostname}:5672`);
  url.username = user;
  url.password = password;
  return `${url.href}/${encodeURIComponent(vhost)}`;
}
