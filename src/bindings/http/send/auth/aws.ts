/** The entry point `@skillc/runtime/v1/aws`: signs requests for AWS. */
import { createHash } from "node:crypto";
import { ifMissing } from "../../../../runtime/executor.js";
import { unsentError } from "../failures.js";
import {
  type Authenticator,
  type AuthText,
  namesIn,
  openedFor,
  shownText,
} from "./authenticator.js";

/** Signs requests with AWS Signature Version 4, by aws4fetch's signer. */
export function awsSigV4(by: {
  readonly accessKey: AuthText;
  readonly secretKey: AuthText;
  readonly sessionToken?: AuthText;
  readonly region: AuthText;
  readonly service: AuthText;
}): Authenticator {
  const { accessKey, region, secretKey, service, sessionToken } = by;
  return {
    credentials: namesIn(accessKey, secretKey, sessionToken, region, service),
    shown: [
      "authorization",
      `AWS4-HMAC-SHA256 Credential=${shownText(accessKey)}`,
      ...(sessionToken === undefined ? [] : ["x-amz-security-token", shownText(sessionToken)]),
    ],
    async headers({ body, headers, method, origin, path }, attempt) {
      const { AwsV4Signer } = await import("aws4fetch").catch(ifMissing("aws4fetch"));
      const content = body ?? "";
      if (typeof content !== "string" && !(content instanceof Uint8Array))
        throw unsentError(
          attempt,
          "a stream can't be signed, because its content is unknown before it is sent",
        );
      const digest = createHash("sha256").update(content).digest("hex");
      const signer = new AwsV4Signer({
        method,
        url: `${origin}${path}`,
        headers: [...amazonHeaders(headers), ["x-amz-content-sha256", digest]],
        accessKeyId: openedFor(attempt, accessKey),
        secretAccessKey: openedFor(attempt, secretKey),
        ...(sessionToken !== undefined && { sessionToken: openedFor(attempt, sessionToken) }),
        region: openedFor(attempt, region),
        service: openedFor(attempt, service),
      });
      const signed = await signer.sign();
      return [
        "authorization",
        "x-amz-date",
        "x-amz-security-token",
        "x-amz-content-sha256",
      ].flatMap((name) => {
        const value = signed.headers.get(name);
        return value === null ? [] : [name, value];
      });
    },
  };
}

/** Other headers may be changed on the way, and need not be signed. */
function amazonHeaders(headers: readonly string[]): [name: string, value: string][] {
  return headers.flatMap((name, at) =>
    at % 2 === 0 && /^x-amz-/i.test(name) ? [[name, headers[at + 1] ?? ""]] : [],
  );
}
