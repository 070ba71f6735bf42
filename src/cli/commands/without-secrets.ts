import { createCredentials } from "@skillc/runtime/internal";
import type { Io } from "../io.js";
import { readSettings } from "../project/read-settings.js";
import { credentialNames } from "./generated-tools.js";

/**
 * Replaces credentials in pasted text with their names, before a command stores the text.
 * It knows the credentials that generated tools use.
 */
export async function withoutSecrets(text: string, root: string, env: Io["env"]): Promise<string> {
  const { out } = await readSettings(root);
  const credentials = createCredentials({ given: {}, env, directory: root });
  for (const name of credentialNames(root, out)) await credentials.find(name);
  return credentials.scrubber.scrub(text);
}
