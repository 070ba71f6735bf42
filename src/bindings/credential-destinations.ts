/** Where a credential goes. */
export interface CredentialDestination {
  /** The name in `${NAME}`. */
  readonly credential: string;
  /** `https://api.example.com` where the skill says so itself, else the setting: `${ORDERS_URL}`. */
  readonly origin: string;
}

/** As much of a capability as says where credentials go. */
interface Place {
  readonly capability: string;
  readonly credentials: readonly string[];
}

/**
 * Which credential a tool sends to which origin. A client secret goes to its token endpoint alone:
 * that place is listed last, and the ones before get what the secret was exchanged for.
 */
export function destinationsOf(places: readonly Place[]): readonly CredentialDestination[] {
  const names = [...new Set(places.flatMap(({ credentials }) => credentials))];
  return names.flatMap((credential) => {
    const origins = places
      .filter(({ credentials }) => credentials.includes(credential))
      .flatMap(({ capability }) => originOf(capability) ?? [])
      .filter((origin) => origin !== `\${${credential}}`);
    return origins.slice(-1).map((origin) => ({ credential, origin }));
  });
}

export function keyOf({ credential, origin }: CredentialDestination): string {
  return `${credential} ${origin}`;
}

/** Whether the skill itself says where it goes, and no setting of the deployment. */
export function isLiteralOrigin(origin: string): boolean {
  return !origin.startsWith("$");
}

/** Undefined for what is reached by no URL. */
function originOf(capability: string): string | undefined {
  return /^\S+ (\$\{\w+\}|[a-z][a-z\d+.-]*:\/\/[^/?#\s]+)/i.exec(capability)?.[1];
}
