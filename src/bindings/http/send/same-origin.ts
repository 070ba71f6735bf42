import type { OpenRequest } from "./open-request.js";

/** Backslashes and control characters, which no honest location contains. */
const tricks = /[\\\p{Cc}]/u;

/** The URL of a location that a server named; undefined if it is invalid or at another origin. */
export function sameOriginUrl(
  { origin, path }: Pick<OpenRequest, "origin" | "path">,
  location: string,
): URL | undefined {
  if (tricks.test(location)) return undefined;
  const here = `${origin}${path}`;
  if (!URL.canParse(location, here)) return undefined;
  const target = new URL(location, here);
  const same = target.origin === origin && target.username === "" && target.password === "";
  return same ? target : undefined;
}
