/** Errors for names of tools that a model was not offered. */
import { ToolError, type ToolFailure } from "../errors.js";
import { typeOf } from "../validation/problem-message.js";
import { near } from "./near-names.js";

/** Limits of names in messages. Models shorten and invent names of any length. */
const longestTold = 64;
const maxReported = 3;

/**
 * Makes the error for a name that is not among the offered ones. It suggests similar names.
 *
 * @param written as the model wrote it
 * @param names names that the caller was offered, and no others
 */
export function notOffered(written: string, names: readonly string[]): ToolError {
  const name = written.slice(0, longestTold).replace(/[\p{Cc}\p{Cf}\p{Cs}`]/gu, "\ufffd");
  const ofTool = (each: string) => each.slice(each.indexOf("__") + 1);
  const withoutSkill = names.filter((each) => near(written, [ofTool(each)]).length > 0);
  const nearest = [...new Set([...near(written, names), ...withoutSkill])].slice(0, maxReported);
  const help =
    nearest.length === 0
      ? ""
      : `; did you mean ${nearest.map((each) => `\`${each}\``).join(" or ")}?`;
  return denied(name, `\`${name}\` is not a tool that was offered${help}`);
}

/** Makes the error for a name that is not text. */
export function notNamed(name: unknown): ToolError {
  return denied("", `a tool's name must be a string, not ${typeOf(name)}`);
}

function denied(name: string, message: string): ToolError {
  const what: ToolFailure = { code: "POLICY.DENY_TOOL", missing: [{ kind: "tools", name }] };
  return new ToolError(name, what, message);
}
