/** The entry point `@skillc/runtime/mcp/oauth`: OAuth access tokens for an MCP server over HTTP. */
export type { ClaimNames } from "./claims.js";
export type { McpIssuer } from "./issuer-keys.js";
export { oauth, type OAuthOptions } from "./oauth.js";
