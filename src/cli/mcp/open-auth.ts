import type { McpAuth } from "@skillc/runtime/mcp";
import type { McpAuthSettings } from "../../core/project.js";
import { CommandFailure } from "../exit.js";
import { type FindSetting, settingName } from "../project/project-key.js";

/**
 * Makes the check of access tokens that skillc.yaml describes.
 *
 * @param onError receives errors of issuers
 * @throws CommandFailure if a setting has no value here, or a URL is not valid
 */
export async function openAuth(
  settings: McpAuthSettings,
  find: FindSetting,
  onError: (error: unknown) => void,
): Promise<McpAuth> {
  const url = (written: string) => urlOf(written, find);
  const resource = await url(settings.resource);
  const issuers = await Promise.all(
    settings.issuers.map(async ({ issuer, jwks }) => ({
      issuer: await url(issuer),
      ...(jwks !== undefined && { jwks: await url(jwks) }),
    })),
  );
  const { oauth } = await import("@skillc/runtime/mcp/oauth");
  const { api_clients, claims, required_scopes } = settings;
  try {
    return oauth({
      resource,
      issuers,
      onError,
      ...(claims && { claims }),
      ...(required_scopes && { requiredScopes: required_scopes }),
      ...(api_clients && { apiClients: api_clients }),
    });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw CommandFailure.input(`\`mcp: { auth }\` of skillc.yaml can't be used: ${why}`);
  }
}

async function urlOf(written: string, find: FindSetting): Promise<string> {
  const name = settingName(written);
  if (name === undefined) return written;
  const value = await find(name);
  if (value !== undefined) return value;
  throw CommandFailure.input(
    `\`mcp: { auth }\` of skillc.yaml has \`${written}\`, which is not set here`,
    `set \`${name}\` in the environment, in .env, or under \`secrets:\``,
  );
}
