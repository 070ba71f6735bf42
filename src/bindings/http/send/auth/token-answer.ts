/**
 * Reads the answer of a token endpoint (RFC 6749, 5.1). Many services leave out a field, or write it in
 * another way. Such a field is accepted if it can mean only one thing.
 */
import { UnreadableAnswer } from "../../../../runtime/executor.js";
import { readJson, UnheldNumber } from "../../../../runtime/json/json.js";

interface TokenFields {
  readonly access_token?: unknown;
  readonly token_type?: unknown;
  readonly expires_in?: unknown;
  readonly refresh_token?: unknown;
  readonly error?: unknown;
}

/**
 * Makes a response that oauth4webapi accepts. It contains only the fields of a token. Scopes come
 * in many forms and are dropped, and so is an ID token, which only a login needs.
 *
 * @throws UnreadableAnswer that names the invalid field
 */
export function tokenAnswer(body: Buffer): Response {
  const fields = fieldsIn(body);
  // Some services report an error with status 200.
  if (typeof fields.error === "string" && isNothing(fields.access_token))
    return Response.json({ error: fields.error }, { status: 400 });
  return Response.json({
    access_token: accessToken(fields),
    token_type: tokenType(fields),
    expires_in: secondsOfLife(fields),
    refresh_token: refreshToken(fields),
  });
}

function fieldsIn(body: Buffer): TokenFields {
  try {
    const { value } = readJson(body.toString("utf8"));
    // Each field is checked before use.
    if (typeof value === "object" && value !== null) return value as TokenFields;
  } catch (error) {
    if (error instanceof UnheldNumber) throw new UnreadableAnswer(error.message);
    // Reported below.
  }
  throw new UnreadableAnswer("the response is not a JSON object");
}

/** True for a field that a token server leaves out, or sends as null or an empty text. */
function isNothing(value: unknown): value is undefined | null | "" {
  return value === undefined || value === null || value === "";
}

/** Characters that a header can contain. */
const sendableToken = /^[\x21-\x7e]{1,16384}$/;

function accessToken({ access_token: token }: TokenFields): string {
  if (isNothing(token)) throw new UnreadableAnswer("the response has no `access_token`");
  if (typeof token !== "string" || !sendableToken.test(token))
    throw new UnreadableAnswer("its `access_token` has characters that a header can't carry");
  return token;
}

/**
 * Accepts `Bearer`, and `BearerToken` of Apigee. A missing type means the same, because any other
 * type would need more fields.
 */
function tokenType({ token_type: type }: TokenFields): string {
  const isBearer = typeof type === "string" && /^bearer[-_ ]?(?:token)?$/i.test(type.trim());
  if (isNothing(type) || isBearer) return "bearer";
  throw new UnreadableAnswer("its `token_type` is not `Bearer`");
}

function secondsOfLife({ expires_in: life }: TokenFields): number | undefined {
  if (isNothing(life)) return undefined;
  const seconds =
    typeof life === "string" && /^\s*\d+(?:\.\d+)?\s*$/.test(life) ? Number(life) : life;
  if (typeof seconds === "number" && Number.isFinite(seconds) && seconds >= 0) return seconds;
  throw new UnreadableAnswer("its `expires_in` is not a number of seconds");
}

function refreshToken({ refresh_token: token }: TokenFields): string | undefined {
  if (isNothing(token)) return undefined;
  if (typeof token === "string") return token;
  throw new UnreadableAnswer("its `refresh_token` is not text");
}
