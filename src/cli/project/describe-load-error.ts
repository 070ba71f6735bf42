/** Why a module could not be loaded, on one line and without this machine's paths. */
export function describeLoadError(error: unknown, root: string): string {
  const message = error instanceof Error ? error.message : String(error);
  const [first = "", second = ""] = message.split("\n").filter((each) => each.trim() !== "");
  // A syntax error's place is on a line of its own.
  const place = /^\s*\S+:\d+:\d+$/.test(second) ? ` at ${second.trim()}` : "";
  const line = `${first.trim()}${place}`.replaceAll(`${root}/`, "./");
  return line.length > 200 ? `${line.slice(0, 199)}…` : line;
}
