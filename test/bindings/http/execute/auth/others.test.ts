import { describe, expect, it } from "vitest";
import {
  basic,
  clientCertificate,
  credential,
  text,
} from "../../../../../src/bindings/http/execute.js";
import { createRuntime } from "../../../../../src/runtime/index.js";
import { failure, serve } from "../support.js";
import { callWith, json } from "./token-server.js";

const runtimeWith = (credentials: Record<string, string>) =>
  createRuntime({ inherit: false, ledger: false, credentials });

describe("basic authentication", () => {
  const auth = [basic(text(credential("USER")), text(credential("PASSWORD")))];

  it("sends user and password in UTF-8, and hides them in an answer that echoes them", async () => {
    const server = await serve((response, { headers }) =>
      json(response, 400, { got: headers.authorization }),
    );
    const runtime = runtimeWith({ USER: "désk", PASSWORD: "pass:word-long" });
    const result = await callWith(runtime, { auth, request: () => ({ url: [server.url] }) });
    const both = Buffer.from("désk:pass:word-long").toString("base64");
    expect(server.received[0]?.headers.authorization).toBe(`Basic ${both}`);
    expect(JSON.stringify(result)).not.toContain(both);
  });

  it("rejects a user with a colon, which a server would read as the start of the password", async () => {
    const runtime = runtimeWith({ USER: "a:b", PASSWORD: "pass:word-long" });
    const error = await failure(
      callWith(runtime, { auth, request: () => ({ url: ["https://a.invalid/"] }) }),
    );
    expect(error.failure).toEqual({
      code: "PROVIDER.PROTOCOL",
      reason: "the user name `${USER}` contains a colon",
    });
  });
});

describe("client certificate", () => {
  it("reports an invalid certificate by the names of its settings alone", async () => {
    const runtime = runtimeWith({ CERT: "no-certificate-1", KEY: "no-key-of-any-kind" });
    const auth = [
      clientCertificate({ cert: text(credential("CERT")), key: text(credential("KEY")) }),
    ];
    const error = await failure(
      callWith(runtime, { auth, request: () => ({ url: ["https://a.invalid/"] }) }),
    );
    expect(error.failure).toEqual({
      code: "PROVIDER.PROTOCOL",
      reason: "`${CERT}`, `${KEY}` are not a matching certificate and key in PEM",
    });
  });
});
