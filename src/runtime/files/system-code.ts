/** Returns the system's error code (`ENOENT`, `EACCES`); undefined for other errors. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" && "syscall" in error ? error.code : undefined;
}
