import { join } from "node:path";
import { readRegularFile } from "@skillc/runtime/internal";
import {
  missingModules,
  readCatalogModules,
  type WrittenCatalog,
} from "../../compiler/emit/catalog-text.js";

/** Module that joins the catalogs of all skills. */
export const catalogFile = "catalog.ts";

/**
 * Parses the catalog of an output folder from the text of its modules, without running code.
 *
 * @returns undefined if a module can't be read, or was changed
 */
export function readOutputCatalog(folder: string): WrittenCatalog | undefined {
  const modules = new Map<string, string>();
  try {
    for (let missing; (missing = missingModules(catalogFile, modules)).length > 0;)
      for (const path of missing)
        modules.set(path, readRegularFile(join(folder, path)).toString("utf8"));
    return readCatalogModules(catalogFile, modules);
  } catch {
    return undefined;
  }
}
