import { RefusedValue } from "../call/refused-value.js";

/**
 * Returns a value that becomes one part of a path, such as the tenant in `./spaces/{caller.tenant}`.
 *
 * @param pointer JSON pointer to the parameter, or `caller/tenant`
 * @throws RefusedValue if the value could lead to another folder
 */
export function pathSegment(pointer: string, value: string): string {
  if (value === "" || value === "." || value === ".." || /[/\\\0]/.test(value))
    throw new RefusedValue(
      pointer,
      "path-segment",
      "must be the name of one folder: not empty, `.` or `..`, without `/`, `\\` and NUL",
    );
  return value;
}
