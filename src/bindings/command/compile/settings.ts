import type { Report } from "../../../core/report.js";
import type { Span } from "../../../core/span.js";
import { type MapNode, textOf, valueOf } from "../../../core/syntax-node.js";
import type { KindSettings } from "../../../kit/binding.js";
import { checkShape } from "../../../schema/check-shape.js";
import { checkImage } from "./check-image.js";
import type { CommandSettings } from "./model.js";
import { dockerSchema } from "./schema.js";

const sandboxes = ["required", "preferred", "external"] as const;

const settingsSchema = {
  type: ["object", "null"],
  description: "What applies to all tools of type `command`.",
  additionalProperties: false,
  properties: {
    sandbox: {
      description:
        "What happens if bubblewrap does not work. `required`: calls fail. `preferred`: the process runs without it, which the ledger records. `external`: the deployment confines the whole application, so bubblewrap is never used.",
      enum: sandboxes,
      default: "required",
    },
    docker: { ...dockerSchema, description: "The container of tools with `executor: docker`." },
  },
};

/** Reads `commands:` of skillc.yaml. */
export const commandSettings: KindSettings<CommandSettings> = {
  key: "commands",
  schema: settingsSchema,
  read(node, report) {
    if (node === undefined || !fits(node, report)) return { sandbox: "required" };
    const written = textOf(valueOf(node, "sandbox"));
    const image = valueOf(valueOf(node, "docker"), "image");
    const name = textOf(image);
    if (image && name !== undefined) checkImage({ name, span: image.span }, report);
    return {
      sandbox: sandboxes.find((each) => each === written) ?? "required",
      ...(name !== undefined && { image: name }),
    };
  },
  files: () => [],
};

function fits(node: MapNode, report: Report): boolean {
  return checkShape(node, settingsSchema, report, {
    subject: "`commands`",
    at: placeOf(node),
    unknownKey: "command/bad-setting",
    missingKey: "command/bad-setting",
    wrongType: "command/bad-setting",
    wrongValue: "command/bad-setting",
  });
}

function placeOf({ span }: MapNode): Span {
  return { ...span, end: Math.min(span.end, span.start + 1) };
}
