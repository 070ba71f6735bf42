import type { LoweredObligation } from "./lowered-obligation.js";
import type { SkillModel, ToolModel } from "./skill-model.js";

/** Every path and identifier of a skill's output, chosen before anything is printed. */
export interface LoweredSkill {
  readonly skill: SkillModel;
  /** Folder below the output folder: `order-desk`. */
  readonly folder: string;
  /** camelCase name for imports of this skill: `orderDesk`. */
  readonly alias: string;
  readonly tools: readonly LoweredTool[];
}

export interface LoweredTool {
  readonly tool: ToolModel;
  /** `order-desk/create-order`: the key in handlers, ledger and catalog. */
  readonly id: string;
  /** File name below the skill's folder, without extension: `create-order`. */
  readonly file: string;
  /** The exported function: `createOrder`. */
  readonly functionName: string;
  /** The stem of its type names: `CreateOrder`. */
  readonly typeStem: string;
  /** Hashes for the ledger: the skill's text, all that determines a call, the tool's manifest. */
  readonly version: {
    readonly skill: string;
    readonly binding: string;
    readonly manifest: string;
  };
  /** The tools that it depends on; absent if there are none. */
  readonly dependencies?: Dependencies;
  /** Obligations that change its results before callers get them, in order. */
  readonly obligations: readonly LoweredObligation[];
}

/** A fingerprint of each tool that a tool depends on, by id; null for a tool that is not there. */
export type Dependencies = { readonly [id: string]: string | null };

/** What linking adds to the tools of a project, by id. */
export interface Links {
  /** The dependencies of each tool that has some. */
  readonly dependencies: ReadonlyMap<string, Dependencies>;
  /** Tools that other tools decide about, as they are then. */
  readonly tools: ReadonlyMap<string, ToolModel>;
}
