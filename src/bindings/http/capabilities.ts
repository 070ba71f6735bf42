import type { Capability } from "@skillc/runtime";
import { httpReach } from "@skillc/runtime/internal";
import { quote } from "../../core/names.js";
import type { Span } from "../../core/span.js";
import type { CapabilityForm } from "../../kit/capability-form.js";
import {
  type AuthModel,
  type HttpConfig,
  httpMethods,
  type HttpText,
  type PathPiece,
  templatesIn,
} from "./model.js";

/**
 * Lists the capabilities of a tool: one method at one origin, below the path segments that are the
 * same for every call.
 */
export function httpCapabilities(
  config: HttpConfig,
  credentials: readonly string[],
): readonly Capability[] {
  const { auth = [], method, poll } = config;
  const { origin, path } = config.url;
  const at = origin.kind === "literal" ? origin.origin : `\${${origin.name}}`;
  const leaves = dotSegmentsIn(path).length > 0;
  const { capabilities } = httpReach(method.name, at, leaves ? "" : fixedPath(path));
  // The server chooses the address for polls, so only the origin is fixed.
  const polled = poll === undefined ? [] : httpReach("GET", at, "").capabilities;
  const own = [...new Set([...capabilities, ...polled])].map((capability) => ({
    capability,
    credentials: credentials.filter((name) => !isExchanged(config, name)),
    ...(leaves && { dot_segments: true as const }),
  }));
  return [...own, ...auth.flatMap(tokenCapabilities)];
}

/** True if a credential goes to a token endpoint alone: the API gets what it is exchanged for. */
function isExchanged(config: HttpConfig, name: string): boolean {
  const { auth = [], url } = config;
  const others = auth.filter(({ texts }) => texts["token_url"] === undefined);
  if (others.length === auth.length) return false;
  const sent = templatesIn({ ...config, auth: others }).flatMap(credentialsOf);
  return name !== nameOf(url.origin) && !sent.includes(name);
}

function nameOf(origin: HttpConfig["url"]["origin"]): string | undefined {
  return origin.kind === "credential" ? origin.name : undefined;
}

function credentialsOf({ parts }: HttpText): readonly string[] {
  return parts.flatMap((part) => (part.kind === "credential" ? [part.name] : []));
}

/** Makes the capabilities for requests to a token endpoint. */
function tokenCapabilities({ texts }: AuthModel): readonly Capability[] {
  const url = texts["token_url"];
  if (url === undefined) return [];
  const names = Object.values(texts).flatMap(credentialsOf);
  const at = url.parts.map((part) =>
    part.kind === "credential" ? `\${${part.name}}` : part.kind === "literal" ? part.text : "",
  );
  const [place = ""] = at.join("").split("?", 1);
  const origin = /^(?:\$\{\w+\}|https?:\/\/[^/]+)/i.exec(place)?.[0] ?? "";
  const isLiteral = URL.canParse(origin);
  const shownOrigin = isLiteral ? new URL(origin).origin : origin;
  const path = place.slice(origin.length) || (isLiteral ? "/" : "");
  const { capabilities } = httpReach("POST", shownOrigin, path);
  return capabilities.map((capability) => ({
    capability,
    credentials: [...new Set(names)].toSorted(),
  }));
}

/**
 * Spans of `allow_dot_segments: true`. Such parameters may leave the path below which they stand.
 */
export function dotSegmentsIn(path: readonly PathPiece[]): readonly Span[] {
  return path.flatMap((piece) =>
    piece.kind === "text"
      ? []
      : piece.values.flatMap((value) => (value.kind === "styled" ? (value.style.dots ?? []) : [])),
  );
}

/** The fixed start of a path: whole segments, up to the first that contains a parameter. */
function fixedPath(path: readonly PathPiece[]): string {
  const end = path.findIndex(({ kind }) => kind === "segment");
  const texts = path.slice(0, end === -1 ? path.length : end);
  const text = texts.map((piece) => (piece.kind === "text" ? piece.text : "")).join("");
  return end === -1 ? text : text.replace(/\/[^/]*$/, "");
}

const methods: readonly string[] = [...httpMethods.map((name) => name.toLowerCase()), "*"];

/**
 * Example: `net.http:post ${ORDERS_URL}/orders`. The method may be `*`, and the capability covers
 * all paths below a prefix.
 */
export const httpCapabilityForm: CapabilityForm = {
  purpose: "net.http",
  form: "net.http:post ${ORDERS_URL}/orders",
  problem(act, place) {
    if (!methods.includes(act))
      return `has the method ${quote(act)}, which is not one of ${methods.map(quote).join(", ")}`;
    if (place === "") return "has no origin";
    const path = /^(?:\$\{\w+\}|https?:\/\/[^/?#\s@\\*]+)(.*)$/i.exec(place)?.[1];
    if (path === undefined)
      return "has no origin: an origin is `${NAME}`, or a scheme and a host such as `https://api.example.com`";
    if (path !== "" && !path.startsWith("/")) return "has a path that doesn't begin with `/`";
    if (/[?#\s\\]/.test(path)) return "has more than a path after its origin";
    return /\/\.{1,2}(?:\/|$)/.test(path) ? "has a path with the segment `.` or `..`" : undefined;
  },
};
