/** Reports parts that a definition loses, and guesses of the import. */
import { listed, quote } from "../../core/names.js";
import { longestDescription } from "../skills/print-files.js";
import { prose } from "../skills/texts.js";
import type { ToolNote } from "../tools/entry.js";
import type { ConversionNotes } from "./convert-schema.js";
import type { AgentTool } from "./definition.js";

/** A tool, and everything that its conversion lost or translated. */
export interface NotedDefinition extends ConversionNotes {
  readonly tool: AgentTool;
  /** Parameters in `param_aliases` that the tool does not have. */
  readonly strangers: ReadonlySet<string>;
}

interface Rule {
  readonly code: ToolNote["code"];
  /** Names that the message quotes; the rule applies if there are any. */
  readonly names: (definition: NotedDefinition) => Iterable<string>;
  readonly message: (names: string) => string;
  readonly help?: string;
}

const rules: readonly Rule[] = [
  {
    code: "import/taken-otherwise",
    names: ({ tool }) => [tool.id],
    message: () =>
      "the definition does not say if the tool changes something: the import writes `effect: write`",
    help: "if the tool only looks something up, write `effect: read` in metadata.yaml: a later import keeps that",
  },
  {
    code: "import/taken-otherwise",
    names: ({ translated }) => translated,
    message: (names) => `the import translates ${names} to JSON Schema`,
  },
  {
    code: "import/part-left-out",
    names: ({ unknownTypes }) => unknownTypes,
    message: (names) => `the type ${names} is unknown: the tool accepts any value there`,
    help: "the types are `string`, `number`, `integer`, `boolean`, `array` and `object`",
  },
  {
    code: "import/part-left-out",
    names: ({ misfits }) => misfits,
    message: (names) => `the default of ${names} does not fit its type: the import leaves it out`,
  },
  {
    code: "import/part-left-out",
    names: ({ unknownKeys }) => unknownKeys,
    message: (names) => `the import does not read ${names} of a parameter or an output`,
  },
  {
    code: "import/part-left-out",
    names: ({ strangers }) => strangers,
    message: (names) => `\`param_aliases\` names ${names}, but the tool has no such parameter`,
  },
  {
    code: "import/taken-otherwise",
    names: ({ tool: { description = "", id } }) =>
      prose(description).length > longestDescription ? [id] : [],
    message: () =>
      `the import cuts the description to ${longestDescription} characters, the most that a model gets`,
  },
];

export function notesOn(definition: NotedDefinition): readonly ToolNote[] {
  return rules.flatMap(({ code, help, message, names }) => {
    const found = [...names(definition)];
    if (found.length === 0) return [];
    const text = message(listed(found.map(quote)));
    const { span } = definition.tool;
    return [{ code, span, message: text, ...(help !== undefined && { help }) }];
  });
}
