/** The entry point `@skillc/runtime/internal/file`: facts that the compiler and the runtime share. */
export {
  type FileEncoding,
  type FileOperation,
  readOperations,
  statusesOf,
  usualEntries,
  usualFileBytes,
} from "./contract.js";
