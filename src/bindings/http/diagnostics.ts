import type { DiagnosticEntries } from "../../core/diagnostic-entry.js";
import {
  callerDiagnosticEntries,
  referenceDiagnosticEntries,
} from "../../kit/reference-diagnostics.js";
import {
  authDiagnosticEntries,
  requestDiagnosticEntries,
  valueDiagnosticEntries,
} from "./diagnostics/request.js";
import { responseDiagnosticEntries } from "./diagnostics/response.js";
import { urlDiagnosticEntries } from "./diagnostics/url.js";
import { exampleProject } from "./diagnostics/example.js";

/** All diagnostic entries of HTTP bindings. */
export const httpDiagnosticEntries: DiagnosticEntries = {
  ...referenceDiagnosticEntries("http", (text, unused = []) =>
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
  ...callerDiagnosticEntries("http", (field, parameter) =>
    exampleProject({
      parameters: [`${parameter}: string`],
      binding: [
        "method: POST",
        "url: https://api.example.com/orders",
        `headers: { X-Tenant: "{caller.${field}}" }`,
      ],
    }),
  ),
  ...urlDiagnosticEntries,
  ...requestDiagnosticEntries,
  ...authDiagnosticEntries,
  ...valueDiagnosticEntries,
  ...responseDiagnosticEntries,
};
