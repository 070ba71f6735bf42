/** Context for drafts of requests and responses. */
import type { JsonSchema } from "../../../core/json.js";
import type { Note } from "../note.js";
import type { Part } from "../read/document.js";
import type { Components } from "./components.js";

export interface DraftContext {
  readonly components: Components;
  /** Folder of the components, relative to the tool's file: `./schemas/`. */
  readonly folder: string;
  readonly note: (note: Note) => void;
}

/** Converts schemas one by one, and collects the components that they need. */
export interface TakenSchemas {
  readonly take: (part: Part) => JsonSchema;
  /** Names of the components that the schemas refer to. */
  readonly uses: ReadonlySet<string>;
  /** Reason why the first unusable schema is unusable. */
  readonly broken: () => Note | undefined;
}

export function createTakenSchemas({ components, folder, note }: DraftContext): TakenSchemas {
  const uses = new Set<string>();
  let broken: Note | undefined;
  return {
    uses,
    broken: () => broken,
    take(part) {
      const converted = components.convert(part, folder, note);
      for (const each of converted.uses) uses.add(each);
      broken ??= converted.broken;
      return converted.schema;
    },
  };
}
