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
    description: "User name and password.",
  },
  bearer: { ...text, description: "A fixed token: `${TOKEN}`." },
  api_key: keysOf("An API key in a header, a cookie or the query.", ["in", "name", "value"], {
    in: {
      enum: ["query", "header", "cookie"],
      description: "The part of the request that holds the key.",
    },
    name: "Name of the header, cookie or query parameter.",
    value: "The key: `${KEY}`.",
  }),
  oauth2: keysOf(
    "An access token. The runtime fetches it from the token endpoint, and reuses it until it expires.",
    ["grant", "token_url"],
    {
      grant: {
        enum: ["client_credentials", "refresh_token", "jwt_bearer"],
        description: "The OAuth 2.0 grant.",
      },
      token_url:
        "URL of the token endpoint: a literal origin or one `${NAME}`, then a path and, if needed, a query.",
      client_id: "The client's id.",
      client_secret: "The client's secret: `${CLIENT_SECRET}`.",
      client_auth: {
        enum: ["basic", "post"],
        description:
          "Where the client's id and secret go: `basic` sends them in a header, `post` in the body.",
        default: "basic",
      },
      refresh_token: "For `refresh_token`: the refresh token.",
      private_key: "For `jwt_bearer`: the key that signs the assertion, as PKCS #8 in PEM.",
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
        description: "For `jwt_bearer`: the algorithm of the signature.",
        default: "RS256",
      },
      key_id: "For `jwt_bearer`: the `kid` of the assertion.",
      issuer: "For `jwt_bearer`: the `iss` of the assertion. By default the client's id.",
      subject: "For `jwt_bearer`: the `sub` of the assertion. By default the issuer.",
      audience: "For `jwt_bearer`: the `aud` of the assertion. By default `token_url`.",
      scopes: { type: "array", items: text, description: "Scopes of the token." },
    },
  ),
  aws_sigv4: keysOf("AWS Signature Version 4.", ["access_key", "secret_key", "region", "service"], {
    access_key: "The access key id: `${AWS_ACCESS_KEY_ID}`.",
    secret_key: "The secret access key: `${AWS_SECRET_ACCESS_KEY}`.",
    session_token: "For temporary credentials: `${AWS_SESSION_TOKEN}`.",
    region: "The AWS region: `eu-central-1`.",
    service: "The AWS service: `execute-api`.",
  }),
  client_certificate: keysOf("A client certificate for the TLS connection.", ["cert", "key"], {
    cert: "The certificate, in PEM.",
    key: "Its private key, in PEM.",
    ca: "Certificate authorities to trust instead of the default ones, in PEM.",
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
    "Authentication of the requests: one method, a list of methods to combine, or `none` to turn off the skill's `auth`.",
  anyOf: [one, { type: "array", items: one, minItems: 1 }, { const: "none" }],
};
