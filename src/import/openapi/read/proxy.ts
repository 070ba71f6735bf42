/** Proxy settings for fetches, from the usual environment variables. */
import { createRuntime, type Runtime } from "@skillc/runtime";

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Creates a runtime whose requests to the URL's origin use the proxy from the environment:
 * `HTTPS_PROXY` or `HTTP_PROXY`, unless `NO_PROXY` contains the host. Lower-case names win.
 *
 * @throws Error if the proxy's URL is invalid; the message omits the value, which may contain a
 * password
 */
export function runtimeFor(target: URL, environment: Environment): Runtime {
  const name = proxyName(target);
  const url = valueOf(environment, name);
  const except = valueOf(environment, "NO_PROXY")
    .split(/[\s,]+/)
    .filter((each) => each !== "");
  const options = { inherit: false, ledger: false } as const;
  if (url === "") return createRuntime(options);
  try {
    return createRuntime({ ...options, http: { proxy: { url, except } } });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new Error(`${name} must be the URL of a proxy: http://proxy.internal:3128`, {
      cause: error,
    });
  }
}

/** Checks if the environment has a proxy for the URL's protocol, regardless of `NO_PROXY`. */
export function hasProxy(target: URL, environment: Environment): boolean {
  return valueOf(environment, proxyName(target)) !== "";
}

function proxyName({ protocol }: URL): string {
  return protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY";
}

/** Reads a variable. An empty text counts as unset. */
function valueOf(environment: Environment, name: string): string {
  return environment[name.toLowerCase()] || environment[name] || "";
}
