import type { Name } from "../../contract.js";
import { RejectedMessage } from "../failures.js";
import { UnusableUrl } from "../../../../runtime/connection/errors.js";
import { hasLateLogin, unknownOption, unreadableUrl } from "../../../../runtime/connection/url.js";
import type { TargetNames } from "../name-rules.js";
import type { OpenedTexts } from "../sealed.js";
import { writtenName } from "../target-name.js";

/** The name under which a registry stores the versions of a schema. */
export interface Subject {
  readonly name: string;
  /** The name as the author wrote it, without values of parameters and credentials. */
  readonly shown: string;
}

/**
 * Returns the usual subject of a registry: `<topic>-value`.
 *
 * @param target target with credentials opened
 * @param written the same target as the contract made it
 * @throws RejectedMessage for an empty name. RabbitMQ allows an empty exchange, but all its
 *   messages would share one subject.
 */
export function subjectOf(
  { registrySubject: field, rulesOf }: TargetNames,
  target: OpenedTexts["target"],
  written: object,
): Subject {
  const name = target[field] ?? "";
  if (name === "") {
    const what = rulesOf(target)[field]?.what.replace(/^an? /, "") ?? field;
    throw new RejectedMessage(`the ${what} is empty, but the schema registry's subject needs it`);
  }
  const shown = Object.entries(written).find(([each]) => each === field)?.[1] as Name;
  return { name: `${name}-value`, shown: `${writtenName(shown)}-value` };
}

/** The address of a schema registry, from its URL. Secret. */
export interface RegistryAddress {
  /** Origin and path, without a trailing slash. */
  readonly base: string;
  /** Value of the `authorization` header. */
  readonly authorization?: string;
  /**
   * True if unknown schemas are registered. False with `register=false` in the query; unknown
   * schemas are then rejected.
   */
  readonly registers: boolean;
}

/** @throws UnusableUrl */
export function readRegistryUrl(text: string): RegistryAddress {
  const url = parse(text);
  // If a password contains a `#`, the rest of the URL becomes the fragment.
  if (url.hash !== "") throw new UnusableUrl("has a `#`: write `%23`");
  const authorization = authorizationOf(url);
  return {
    base: `${url.origin}${url.pathname.replace(/\/+$/, "")}`,
    ...(authorization !== undefined && { authorization }),
    registers: registersOf(url),
  };
}

function parse(text: string): URL {
  if (!/^\s*https?:\/\//i.test(text)) throw new UnusableUrl("must be an http:// or https:// URL");
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || hasLateLogin(url)) throw unreadableUrl(text);
  return url;
}

function authorizationOf({ username, password }: URL): string | undefined {
  if (username === "" && password === "") return undefined;
  const pair = `${decode(username, "user")}:${decode(password, "password")}`;
  return `Basic ${Buffer.from(pair).toString("base64")}`;
}

function decode(text: string, part: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new UnusableUrl(
      `has a \`%\` in its ${part} that is not followed by two hexadecimal digits`,
    );
  }
}

function registersOf(url: URL): boolean {
  const { searchParams } = url;
  if ([...searchParams.keys()].some((name) => name !== "register"))
    throw unknownOption(url, ["register"]);
  const [value = "true", ...others] = searchParams.getAll("register");
  if (others.length > 0) throw new UnusableUrl("has the option `register` twice");
  if (value !== "true" && value !== "false")
    throw new UnusableUrl("has an option `register` that is not `true` or `false`");
  return value === "true";
}
