import type { DiagnosticEntries } from "../../core/diagnostic-entry.js";
import { referenceDiagnostics } from "../reference-diagnostics.js";
import { requestDiagnostics, valueDiagnostics } from "./diagnostics/request.js";
import { responseDiagnostics } from "./diagnostics/response.js";
import { urlDiagnostics } from "./diagnostics/url.js";
import { exampleProject } from "./diagnostics/example.js";

/** Every diagnostic code of HTTP bindings. */
export const httpDiagnostics: DiagnosticEntries = {
  ...referenceDiagnostics("http", (text, unused = []) =>
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
  ...urlDiagnostics,
  ...requestDiagnostics,
  ...valueDiagnostics,
  ...responseDiagnostics,
};
