import { at, type Code, code, join, literal, memberKey } from "../../../core/code.js";
import type { EmitInput } from "../../../kit/binding-emission.js";
import { objectCode, type RequestScope, templateCode } from "../../../kit/values/emit-value.js";
import type { AuthModel, HttpConfig } from "../model.js";

const functions: Readonly<Record<AuthModel["kind"], string>> = {
  basic: "basic",
  oauth2: "oauth2",
  aws_sigv4: "awsSigV4",
  client_certificate: "clientCertificate",
};

/** `oauth2({ grant: "client_credentials", tokenUrl: text(credential("TOKEN_URL")) })` */
export function authCode(
  { runtime, tool }: EmitInput<HttpConfig>,
  { kind, scopes, span, texts, words }: AuthModel,
): Code {
  const scope: RequestScope = { parameters: tool.parameters, runtime };
  const values = Object.entries(texts).map(
    ([name, text]) => [name, templateCode(scope, text)] as const,
  );
  if (kind === "basic") {
    return at(
      span,
      code`${runtime("basic")}(${join(
        values.map(([, value]) => value),
        code`, `,
      )})`,
    );
  }
  const fields = [
    ...Object.entries(words).map(([name, word]) => [name, literal(word)] as const),
    ...values,
    ...(scopes.length === 0 ? [] : [["scopes", literal(scopes)] as const]),
  ].map(([name, value]) => code`${memberKey(inCamelCase(name))}: ${value}`);
  return at(span, code`${runtime(functions[kind])}(${objectCode(fields)})`);
}

function inCamelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
