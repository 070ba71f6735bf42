import type { Catalogue } from "../../core/catalogue.js";
import { referenceCatalogue } from "../reference-catalogue.js";
import { requestCatalogue } from "./catalogue/catalogue-request.js";
import { responseCatalogue } from "./catalogue/catalogue-response.js";
import { urlCatalogue } from "./catalogue/catalogue-url.js";
import { valueCatalogue } from "./catalogue/catalogue-values.js";
import { exampleProject } from "./catalogue/example.js";

/** Every diagnostic code of HTTP bindings. */
export const httpCatalogue: Catalogue = {
  ...referenceCatalogue("http", (text, unused = []) =>
    exampleProject({
      parameters: ["order_id: string", "note: string"],
      tool: unused.length === 0 ? [] : [`unused: [${unused.join(", ")}]`],
      binding: [
        "method: GET",
        "url: https://api.example.com/orders",
        `query: { search: "${text}" }`,
      ],
    }),
  ),
  ...urlCatalogue,
  ...requestCatalogue,
  ...valueCatalogue,
  ...responseCatalogue,
};
