/** A credential and an origin that it is sent to. */
export interface CredentialDestination {
  /** The name in `${NAME}`. */
  readonly credential: string;
  /** `https://api.example.com` if the skill states it, else the setting: `${ORDERS_URL}`. */
  readonly origin: string;
}

/** The part of a capability that tells where credentials go. */
interface ReachedOrigin {
  readonly capability: string;
  readonly credentials: readonly string[];
}

/** Lists each credential of a tool with each origin that the tool sends it to. */
export function destinationsOf(
  reached: readonly ReachedOrigin[],
): readonly CredentialDestination[] {
  const names = [...new Set(reached.flatMap(({ credentials }) => credentials))];
  return names.flatMap((credential) => {
    const origins = reached
      .filter(({ credentials }) => credentials.includes(credential))
      .flatMap(({ capability }) => originOf(capability) ?? [])
      .filter((origin) => origin !== `\${${credential}}`);
    return [...new Set(origins)].map((origin) => ({ credential, origin }));
  });
}

export function keyOf({ credential, origin }: CredentialDestination): string {
  return `${credential} ${origin}`;
}

/** True if the skill names the origin itself; false for a setting of the deployment. */
export function isLiteralOrigin(origin: string): boolean {
  return !origin.startsWith("$");
}

/** The origin in a capability; undefined for one without a URL. */
function originOf(capability: string): string | undefined {
  return /^\S+ (\$\{\w+\}|[a-z][a-z\d+.-]*:\/\/[^/?#\s]+)/i.exec(capability)?.[1];
}
