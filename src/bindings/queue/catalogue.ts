import type { Catalogue } from "../../core/catalogue.js";
import { referenceCatalogue } from "../reference-catalogue.js";
import { avroCatalogue } from "./catalogue/catalogue-avro.js";
import {
  fieldCatalogue,
  messageCatalogue,
  receiptCatalogue,
} from "./catalogue/catalogue-message.js";
import { protobufCatalogue } from "./catalogue/catalogue-protobuf.js";
import { targetCatalogue } from "./catalogue/catalogue-target.js";
import { exampleProject } from "./catalogue/example.js";

/** Every diagnostic code of queue bindings. */
export const queueCatalogue: Catalogue = {
  ...referenceCatalogue("queue", (text, unused = []) =>
    exampleProject({
      parameters: ["order_id: string", "note: string"],
      tool: unused.length === 0 ? [] : [`unused: [${unused.join(", ")}]`],
      binding: ["topic: orders.created", `message: { text: "${text}" }`],
    }),
  ),
  ...targetCatalogue,
  ...fieldCatalogue,
  ...messageCatalogue,
  ...receiptCatalogue,
  ...avroCatalogue,
  ...protobufCatalogue,
};
