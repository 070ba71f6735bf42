import { once } from "node:events";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { TLSSocket } from "node:tls";
import { describe, expect, it, onTestFinished } from "vitest";
import { clientCertificate, credential, text } from "../../../../../src/bindings/http/execute.js";
import { createRuntime } from "../../../../../src/runtime/index.js";
import { certificate } from "../certificate.js";
import { failure } from "../support.js";
import { callWith, json } from "./token-server.js";

describe("client certificate", () => {
  it("opens connections of its own, which no other request uses", async () => {
    const server = certificate("server");
    const desk = certificate("desk");
    const shop = certificate("shop");
    const listening = createServer(
      { ...server, requestCert: true, ca: [desk.cert, shop.cert], rejectUnauthorized: true },
      (request, response) => {
        const { subject } = (request.socket as TLSSocket).getPeerCertificate();
        json(response, 200, { who: subject.CN });
      },
    );
    onTestFinished(() => {
      listening.closeAllConnections();
      listening.close();
    });
    listening.listen(0, "127.0.0.1");
    await once(listening, "listening");
    // A TCP server that listens has an address of this form.
    const { port } = listening.address() as AddressInfo;
    const as = ({ cert, key }: { cert: string; key: string }) =>
      callWith(
        createRuntime({
          inherit: false,
          ledger: false,
          credentials: { CERT: cert, KEY: key, CA: server.cert },
        }),
        {
          auth: [
            clientCertificate({
              cert: text(credential("CERT")),
              key: text(credential("KEY")),
              ca: text(credential("CA")),
            }),
          ],
          request: () => ({ url: [`https://127.0.0.1:${port}/`] }),
        },
      );
    expect((await as(desk)).data).toEqual({ who: "desk" });
    expect((await as(shop)).data).toEqual({ who: "shop" });
    expect((await as(desk)).data).toEqual({ who: "desk" });
    const error = await failure(as({ cert: desk.cert, key: shop.key }));
    expect(error.failure).toMatchObject({ code: "PROVIDER.PROTOCOL" });
    expect(JSON.stringify([error.message, error.failure])).not.toContain("PRIVATE KEY");
  });
});

describe("call with OAuth 2", () => {
  it("needs a capability for the token endpoint, too", async () => {
    const { oauth2 } = await import("../../../../../src/bindings/http/send/auth/oauth2.js");
    const { prepare } = await import("../support.js");
    const prepared = prepare({
      auth: [
        oauth2({
          grant: "client_credentials",
          tokenUrl: text(credential("ID_URL"), "/token"),
          clientId: "desk",
        }),
      ],
      request: () => ({ url: ["https://api.example/orders"] }),
    });
    expect(prepared.reach().flatMap(({ capabilities }) => capabilities)).toEqual([
      "net.http:get https://api.example/orders",
      "net.http:post ${ID_URL}/token",
    ]);
    expect(prepared.reach(() => "https://id.example/base/")[1]?.capabilities).toEqual([
      "net.http:post https://id.example/base/token",
    ]);
    expect(prepared.credentials).toEqual(["ID_URL"]);
  });
});
