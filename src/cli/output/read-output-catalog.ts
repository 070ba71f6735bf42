import { join } from "node:path";
import { readRegularFile } from "@skillc/runtime/internal";
import {
  catalogModules,
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
  const textOf = (path: string) => readRegularFile(join(folder, path)).toString("utf8");
  try {
    const text = textOf(catalogFile);
    return readCatalogModules(
      text,
      new Map(catalogModules(text).map((path) => [path, textOf(path)])),
    );
  } catch {
    return undefined;
  }
}
