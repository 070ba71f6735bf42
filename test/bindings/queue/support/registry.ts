import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import avro from "avsc";

export interface RegistryOptions {
  readonly user?: string;
  readonly password?: string;
}

export interface RegistryRequest {
  readonly method: string;
  readonly path: string;
  readonly authorization?: string;
}

/**
 * A schema registry on loopback with Confluent's REST API: subjects with versions, and one id for
 * equal schemas.
 */
export interface Registry {
  readonly port: number;
  readonly url: string;
  /** All received requests, in order. */
  readonly asked: readonly RegistryRequest[];
  /** The schema of an id, as a consumer asks for it: `GET /schemas/ids/{id}`. */
  schemaOf(id: number): string | undefined;
  /** Sets the answers of the next requests, one for each. */
  answerNext(...answers: readonly FixedAnswer[]): void;
  close(): Promise<void>;
}

export interface FixedAnswer {
  readonly status?: number;
  readonly body?: string;
  /** Delay of the answer in milliseconds; `never` for no answer. */
  readonly after?: number | "never";
}

export async function startRegistry(options: RegistryOptions = {}): Promise<Registry> {
  const schemas: string[] = [];
  const subjects = new Map<string, string[]>();
  const asked: RegistryRequest[] = [];
  const fixed: FixedAnswer[] = [];
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = "", url = "", headers } = request;
    asked.push({
      method,
      path: url,
      ...(headers.authorization !== undefined && { authorization: headers.authorization }),
    });
    const body = await textOf(request);
    const { status, body: given, after } = fixed.shift() ?? {};
    if (after === "never") return;
    if (after !== undefined) await wait(after);
    const answer =
      status === undefined && given === undefined
        ? answerTo(method, url, headers.authorization, body)
        : { status: status ?? 200, body: given ?? "{}" };
    response.writeHead(answer.status, { "content-type": "application/vnd.schemaregistry.v1+json" });
    response.end(answer.body);
  };
  const answerTo = (
    method: string,
    path: string,
    authorization: string | undefined,
    body: string,
  ): { readonly status: number; readonly body: string } => {
    if (!isAllowed(authorization, options)) return failure(401, 401, "Unauthorized");
    const [, id] = /^\/schemas\/ids\/(\d+)$/.exec(path) ?? [];
    if (method === "GET" && id !== undefined) {
      const schema = schemas[Number(id) - 1];
      return schema === undefined ? failure(404, 40403, "Schema not found") : success({ schema });
    }
    const [, name, versions] = /^\/subjects\/([^/]+)(\/versions)?$/.exec(path) ?? [];
    if (method !== "POST" || name === undefined) return failure(404, 404, "HTTP 404 Not Found");
    const schema = schemaIn(body);
    if (schema === undefined) return failure(422, 42201, "Invalid schema");
    return versions === undefined
      ? lookUp(decodeURIComponent(name), schema)
      : register(decodeURIComponent(name), schema);
  };
  const lookUp = (subject: string, schema: string) => {
    const known = subjects.get(subject);
    if (known === undefined) return failure(404, 40401, "Subject not found.");
    if (!known.includes(schema)) return failure(404, 40403, "Schema not found");
    const version = known.indexOf(schema) + 1;
    return success({ subject, id: schemas.indexOf(schema) + 1, version, schema });
  };
  const register = (subject: string, schema: string) => {
    const known = subjects.get(subject) ?? [];
    const last = known.at(-1);
    if (last !== undefined && !canRead(schema, last))
      return failure(409, 409, "Schema being registered is incompatible with an earlier schema");
    if (!schemas.includes(schema)) schemas.push(schema);
    subjects.set(subject, known.includes(schema) ? known : [...known, schema]);
    return success({ id: schemas.indexOf(schema) + 1 });
  };
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const { user, password } = options;
  const login =
    user === undefined ? "" : `${encodeURIComponent(user)}:${encodeURIComponent(password ?? "")}@`;
  return {
    port,
    url: `http://${login}127.0.0.1:${port}`,
    asked,
    schemaOf: (id) => schemas[id - 1],
    answerNext: (...answers) => void fixed.push(...answers),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function isAllowed(
  authorization: string | undefined,
  { user, password }: RegistryOptions,
): boolean {
  if (user === undefined) return true;
  const pair = Buffer.from(`${user}:${password ?? ""}`).toString("base64");
  return authorization === `Basic ${pair}`;
}

/** The registry's default rule: the new schema can read messages of the last one. */
function canRead(schema: string, last: string): boolean {
  const [reader, writer] = [schema, last].map((each) =>
    avro.Type.forSchema(JSON.parse(each) as avro.Type),
  );
  if (reader === undefined || writer === undefined) return false;
  try {
    reader.createResolver(writer);
    return true;
  } catch {
    return false;
  }
}

function schemaIn(body: string): string | undefined {
  try {
    const { schema } = JSON.parse(body) as { readonly schema: string };
    avro.Type.forSchema(JSON.parse(schema) as avro.Type);
    return schema;
  } catch {
    return undefined;
  }
}

function success(body: object) {
  return { status: 200, body: JSON.stringify(body) };
}

function failure(status: number, code: number, message: string) {
  return { status, body: JSON.stringify({ error_code: code, message }) };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString("utf8");
}
