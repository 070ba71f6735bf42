import type { Capability } from "@skillc/runtime";
import { httpReach } from "@skillc/runtime/internal";
import type { HttpConfig, PathPiece } from "./model.js";

/** One method at one origin, below the segments that are the same for every call. */
export function httpCapabilities(
  { method, url: { origin, path } }: HttpConfig,
  credentials: readonly string[],
): readonly Capability[] {
  const at = origin.kind === "literal" ? origin.origin : `\${${origin.name}}`;
  const { capabilities } = httpReach(method.name, at, fixedPath(path));
  return capabilities.map((capability) => ({ capability, credentials }));
}

/** Whole segments alone, up to the first that a parameter is in. */
function fixedPath(path: readonly PathPiece[]): string {
  const end = path.findIndex(({ kind }) => kind === "segment");
  const texts = path.slice(0, end === -1 ? path.length : end);
  const text = texts.map((piece) => (piece.kind === "text" ? piece.text : "")).join("");
  return end === -1 ? text : text.replace(/\/[^/]*$/, "");
}
