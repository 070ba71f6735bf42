import { createHash, createHmac } from "node:crypto";
import { SignatureV4 } from "@smithy/signature-v4";
import { describe, expect, it } from "vitest";
import {
  basic,
  clientCertificate,
  credential,
  text,
} from "../../../../../src/bindings/http/execute.js";
import { awsSigV4 } from "../../../../../src/bindings/http/send/auth/aws.js";
import { createRuntime } from "../../../../../src/runtime/index.js";
import { failure, serve } from "../support.js";
import { callWith, json } from "./token-server.js";

const runtimeWith = (credentials: Record<string, string>) =>
  createRuntime({ inherit: false, ledger: false, credentials });

describe("basic", () => {
  const auth = [basic(text(credential("USER")), text(credential("PASSWORD")))];

  it("is user and password in UTF-8, and no answer gives it back", async () => {
    const server = await serve((response, { headers }) =>
      json(response, 400, { got: headers.authorization }),
    );
    const runtime = runtimeWith({ USER: "désk", PASSWORD: "pass:word-long" });
    const result = await callWith(runtime, { auth, request: () => ({ url: [server.url] }) });
    const both = Buffer.from("désk:pass:word-long").toString("base64");
    expect(server.received[0]?.headers.authorization).toBe(`Basic ${both}`);
    expect(JSON.stringify(result)).not.toContain(both);
  });

  it("takes no user with a colon, which would be read as another", async () => {
    const runtime = runtimeWith({ USER: "a:b", PASSWORD: "pass:word-long" });
    const error = await failure(
      callWith(runtime, { auth, request: () => ({ url: ["https://a.invalid/"] }) }),
    );
    expect(error.failure).toEqual({
      code: "PROVIDER.PROTOCOL",
      reason: "the user name `${USER}` holds a colon",
    });
  });
});

/** What the judge of signatures hashes with. */
class Sha256 {
  readonly #hash;

  constructor(secret?: unknown) {
    // What it gives is text or bytes.
    this.#hash = secret ? createHmac("sha256", secret as string) : createHash("sha256");
  }

  update(data: unknown): void {
    this.#hash.update(data as string);
  }

  digest(): Promise<Uint8Array> {
    return Promise.resolve(this.#hash.digest());
  }

  reset(): void {}
}

describe("AWS Signature Version 4", () => {
  const keys = {
    ACCESS_KEY: "AKIDEXAMPLE",
    SECRET_KEY: "secret-of-the-example",
    SESSION: "a-session",
  };

  it.each<[method: "GET" | "POST", path: string, body: string | undefined, session: boolean]>([
    ["GET", "/", undefined, false],
    ["GET", "/a%20b/c?x=1&a=%2F&b=", undefined, true],
    ["POST", "/orders?Action=Put", '{"a":"ü"}', false],
  ])("of %s %s is what another implementation makes of it", async (method, path, body, session) => {
    const server = await serve();
    const auth = [
      awsSigV4({
        accessKey: text(credential("ACCESS_KEY")),
        secretKey: text(credential("SECRET_KEY")),
        ...(session && { sessionToken: text(credential("SESSION")) }),
        region: "eu-central-1",
        service: "execute-api",
      }),
    ];
    const request = () => ({
      url: [`${server.url}${path}`],
      ...(body !== undefined && { body: JSON.parse(body) as unknown }),
    });
    const runtime = runtimeWith(keys);
    await callWith(runtime, { auth, method, request });
    const [received] = server.received;
    const {
      authorization,
      "x-amz-date": date = "",
      host = "",
      ...headers
    } = received?.headers ?? {};
    const judge = new SignatureV4({
      credentials: {
        accessKeyId: keys.ACCESS_KEY,
        secretAccessKey: keys.SECRET_KEY,
        ...(session && { sessionToken: keys.SESSION }),
      },
      region: "eu-central-1",
      service: "execute-api",
      sha256: Sha256 as never,
    });
    const url = new URL(path, server.url);
    const signed = await judge.sign(
      {
        method,
        protocol: "http:",
        hostname: "127.0.0.1",
        path: url.pathname,
        query: Object.fromEntries(url.searchParams),
        headers: {
          host,
          "x-amz-content-sha256": String(headers["x-amz-content-sha256"]),
        },
        body: received?.body,
      },
      { signingDate: new Date(date.toString().replace(/^(....)(..)(..T..)(..)/, "$1-$2-$3:$4:")) },
    );
    expect(authorization).toBe(signed.headers["authorization"]);
    expect(headers["x-amz-security-token"]).toBe(session ? keys.SESSION : undefined);
  });
});

describe("a client certificate", () => {
  it("that is none is told by the names of its settings alone", async () => {
    const runtime = runtimeWith({ CERT: "no-certificate-1", KEY: "no-key-of-any-kind" });
    const auth = [
      clientCertificate({ cert: text(credential("CERT")), key: text(credential("KEY")) }),
    ];
    const error = await failure(
      callWith(runtime, { auth, request: () => ({ url: ["https://a.invalid/"] }) }),
    );
    expect(error.failure).toEqual({
      code: "PROVIDER.PROTOCOL",
      reason: "`${CERT}`, `${KEY}` are no certificate and key in PEM that belong together",
    });
  });
});
