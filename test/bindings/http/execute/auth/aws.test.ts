/** Signatures that another implementation makes of what a server received: AWS's own. */
import { createHash, createHmac } from "node:crypto";
import { SignatureV4 } from "@smithy/signature-v4";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { HttpRequest } from "../../../../../src/bindings/http/contract.js";
import { credential, segment, text } from "../../../../../src/bindings/http/execute.js";
import { awsSigV4 } from "../../../../../src/bindings/http/send/auth/aws.js";
import { hasDotSegment } from "../../../../../src/runtime/http/dot-segments.js";
import { createRuntime } from "../../../../../src/runtime/index.js";
import { runs } from "../../../../support/runs.js";
import { type Received, serve } from "../support.js";
import { callWith } from "./token-server.js";

/** Hash function for AWS's own signer. */
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

const keys = {
  ACCESS_KEY: "AKIDEXAMPLE",
  SECRET_KEY: "secret-of-the-example",
  SESSION: "a-session",
};

type Service = "execute-api" | "s3";

const signing = (service: Service, session: boolean) =>
  awsSigV4({
    accessKey: text(credential("ACCESS_KEY")),
    secretKey: text(credential("SECRET_KEY")),
    ...(session && { sessionToken: text(credential("SESSION")) }),
    region: "eu-central-1",
    service,
  });

const runtime = createRuntime({ inherit: false, ledger: false, credentials: keys });

/** The path that a service signs: S3 the object's key in its own encoding, the others what was sent, encoded once more. */
function signedPath(service: Service, pathname: string): string {
  if (service !== "s3") return pathname;
  const encoded = encodeURIComponent(decodeURIComponent(pathname)).replaceAll("%2F", "/");
  return encoded.replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}

async function judged(
  service: Service,
  session: boolean,
  { body, headers, method, path }: Received,
) {
  const judge = new SignatureV4({
    credentials: {
      accessKeyId: keys.ACCESS_KEY,
      secretAccessKey: keys.SECRET_KEY,
      ...(session && { sessionToken: keys.SESSION }),
    },
    region: "eu-central-1",
    service,
    uriEscapePath: service !== "s3",
    sha256: Sha256 as never,
  });
  const { pathname, searchParams } = new URL(path, "http://aws.example");
  const query = [...new Set(searchParams.keys())].map((name) => [name, searchParams.getAll(name)]);
  const own = ["host", "x-amz-content-sha256", "x-amz-meta-note"].flatMap((name) =>
    headers[name] === undefined ? [] : [[name, headers[name]]],
  );
  const date = String(headers["x-amz-date"]);
  return judge.sign(
    {
      method,
      protocol: "http:",
      hostname: "127.0.0.1",
      path: signedPath(service, pathname),
      query: Object.fromEntries(query),
      headers: Object.fromEntries(own),
      body,
    },
    { signingDate: new Date(date.replace(/^(....)(..)(..T..)(..)/, "$1-$2-$3:$4:")) },
  );
}

/** Characters that somebody encodes in a way of their own, among others. */
const odd = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(..." !'()*~+%&=?#/\\:;@,$[]|^`\"<>{}-._") },
      {
        weight: 1,
        arbitrary: fc.constantFrom("%2F", "%20", "é", "😀", "\u2028", "\t", "a", "Z", "0"),
      },
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(""));

const pathSegment = odd.filter((value) => value !== "" && !hasDotSegment(value));

const queryName = odd.filter((name) => name !== "");

/** No operation of S3 repeats a name. */
const queryOf = (service: Service) =>
  service === "s3"
    ? fc.uniqueArray(fc.tuple(queryName, odd), { maxLength: 4, selector: ([name]) => name })
    : fc.array(fc.tuple(queryName, fc.oneof(odd, fc.array(odd))), { maxLength: 4 });

const requestTo = (service: Service) =>
  fc.record({
    path: fc.array(pathSegment, { maxLength: 4 }),
    query: queryOf(service),
    note: fc.stringMatching(/^[ -~]*$/).map((each) => each.trim()),
    body: fc.option(fc.jsonValue({ maxDepth: 2 }), { nil: undefined }),
    session: fc.boolean(),
  });

describe.each<Service>(["execute-api", "s3"])("request to %s", (service) => {
  test("any request has the signature that AWS's own signer computes", async () => {
    const server = await serve();
    await fc.assert(
      fc.asyncProperty(requestTo(service), async ({ body, note, path, query, session }) => {
        const made: HttpRequest = {
          url: [server.url, "/v", ...path.flatMap((each) => ["/", segment("/p", each)])],
          query,
          headers: [["x-amz-meta-note", note]],
          ...(body !== undefined && { body }),
        };
        const auth = [signing(service, session)];
        const method = body === undefined ? "GET" : "POST";
        await callWith(runtime, { auth, method, request: () => made });
        const received = server.received.pop() as Received;
        const signed = await judged(service, session, received);
        expect(received.headers.authorization).toBe(signed.headers["authorization"]);
        expect(received.headers["x-amz-security-token"]).toBe(session ? keys.SESSION : undefined);
      }),
      { numRuns: runs(300) },
    );
  });
});
