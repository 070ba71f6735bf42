/** Exports that generated modules of GraphQL tools import. */
export type { GraphqlFault, GraphqlRecord } from "./contract.js";
export { graphql } from "./execute.js";
export { credential, pick, text } from "./text.js";
