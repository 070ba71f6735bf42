import type { Catalogue } from "../../../core/catalogue.js";
import { providers } from "../providers/registry.js";
import { queueEntry } from "./example.js";

const topic = "topic: orders.created";

const returns = (name: string, type: string) =>
  `returns: { type: object, required: [${name}], properties: { ${name}: { type: ${type} } } }`;

/** What can be wrong with what a tool says it gives. */
export const receiptCatalogue: Catalogue = {
  "queue/returns-mismatch": queueEntry(
    {
      title: "`returns` describes something else than the broker's receipt",
      explanation:
        `A success carries where the message went: ${providers.map(({ explains }) => explains.receipt).join("; ")}. ` +
        "A receipt that doesn't fit `returns` " +
        "fails its call when the message is published already. What no receipt fits is an error, and so is a name that some receipts have and `returns` forbids. Without `returns` the data has the receipt's type.",
    },
    { binding: [topic], tool: [returns("sent", "boolean")] },
    { binding: [topic], tool: [returns("offset", "string")] },
  ),
  "queue/returns-narrows": queueEntry(
    {
      severity: "warning",
      title: "`returns` allows only some of the broker's receipts",
      explanation:
        "A receipt that doesn't fit `returns` fails its call when the message is published already. Let `returns` take all that a receipt may hold, or leave it out: the data has the receipt's type then.",
    },
    { binding: [topic], tool: [returns("partition", "integer, maximum: 9")] },
    { binding: [topic], tool: [returns("partition", "integer")] },
  ),
};
