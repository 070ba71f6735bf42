import type { JsonObject } from "../../core/json.js";

const text = { type: "string" } as const;

/** Makes the schema of a mapping whose values are texts, literal or with `${NAME}`. */
function keysOf(
  description: string,
  required: readonly string[],
  keys: { readonly [name: string]: string | JsonObject },
): JsonObject {
  const properties = Object.entries(keys).map(
    ([name, said]) =>
      [name, typeof said === "string" ? { ...text, description: said } : said] as const,
  );
  return {
    type: "object",
    description,
    required,
    additionalProperties: false,
    properties: Object.fromEntries(properties),
  };
}

/** Schema of each way to authenticate, by its key. */
const ways: { readonly [way: string]: JsonObject } = {
  basic: {
    type: "array",
    items: text,
    minItems: 2,
    maxItems: 2,
    description: "User name and password",
  },
  bearer: { ...text, description: "A token that is there: `${TOKEN}`" },
  api_key: keysOf("A key in a place of its own", ["in", "name", "value"], {
    in: { enum: ["query", "header", "cookie"], description: "Where the key goes" },
    name: "Of the header, cookie or entry of the query",
    value: "`${KEY}`",
  }),
  oauth2: keysOf("A token that is fetched, and kept until it ends", ["grant", "token_url"], {
    grant: {
      enum: ["client_credentials", "refresh_token", "jwt_bearer"],
      description: "How a token is got",
    },
    token_url: "Where: literal, or one `${NAME}`, and a path, maybe with a query",
    client_id: "Who asks for it",
    client_secret: "What the client proves itself by",
    client_auth: {
      enum: ["basic", "post"],
      description: "How the client proves itself: in a header, or in the body",
      default: "basic",
    },
    refresh_token: "Of that grant: the token that others are got by",
    private_key: "Of `jwt_bearer`: PKCS #8 in PEM, which assertions are signed with",
    algorithm: {
      enum: [
        "RS256",
        "RS384",
        "RS512",
        "PS256",
        "PS384",
        "PS512",
        "ES256",
        "ES384",
        "ES512",
        "EdDSA",
      ],
      description: "Of `jwt_bearer`",
      default: "RS256",
    },
    key_id: "Of `jwt_bearer`: the `kid` of an assertion",
    issuer: "Of `jwt_bearer`: `iss`; the client when not given",
    subject: "Of `jwt_bearer`: `sub`; the issuer when not given",
    audience: "Of `jwt_bearer`: `aud`; `token_url` when not given",
    scopes: { type: "array", items: text, description: "What the token is for" },
  }),
  aws_sigv4: keysOf("AWS Signature Version 4", ["access_key", "secret_key", "region", "service"], {
    access_key: "`${AWS_ACCESS_KEY_ID}`",
    secret_key: "`${AWS_SECRET_ACCESS_KEY}`",
    session_token: "`${AWS_SESSION_TOKEN}`",
    region: "`eu-central-1`",
    service: "`execute-api`",
  }),
  client_certificate: keysOf("A certificate that connections are made with", ["cert", "key"], {
    cert: "PEM",
    key: "PEM",
    ca: "PEM of those whom the connection trusts, in place of the usual ones",
  }),
};

export const authWays: readonly string[] = Object.keys(ways);

const one: JsonObject = {
  type: "object",
  minProperties: 1,
  maxProperties: 1,
  additionalProperties: false,
  properties: ways,
};

/** Schema of `auth`, for a tool's binding or for all tools of a skill. */
export const authSchema: JsonObject = {
  description:
    "How requests prove who asks: one way, a list of several together, or `none` where the skill has one",
  anyOf: [one, { type: "array", items: one, minItems: 1 }, { const: "none" }],
};
