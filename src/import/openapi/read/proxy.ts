/** What fetches go through, as the environment says it to all programs. */
import { createRuntime, type Runtime } from "@skillc/runtime";

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * A runtime whose requests to the origin of a URL go through the proxy that the environment has:
 * `HTTPS_PROXY` or `HTTP_PROXY`, unless `NO_PROXY` has its host. Names in lower case come first.
 *
 * @throws Error for what is no URL of a proxy, without the value: it may hold a password
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

/** Whether the environment has a proxy for the protocol of a URL, be its host in `NO_PROXY` or not. */
export function hasProxy(target: URL, environment: Environment): boolean {
  return valueOf(environment, proxyName(target)) !== "";
}

function proxyName({ protocol }: URL): string {
  return protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY";
}

/** An empty text is none. */
function valueOf(environment: Environment, name: string): string {
  return environment[name.toLowerCase()] || environment[name] || "";
}
