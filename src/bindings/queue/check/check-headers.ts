import { checkScalars, type Place } from "../../values/check-value.js";
import type { QueueConfig } from "../model.js";

/** Headers hold text, under a name. */
export function checkHeaders(place: Place, { headers }: QueueConfig): void {
  for (const { name, span, value } of headers) {
    checkScalars(place, value, "a header");
    if (name !== "") continue;
    const message = "the name of a header is empty";
    place.report.add({ code: "queue/bad-header", span, message, help: "write its name" });
  }
}
