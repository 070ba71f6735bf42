import type { BindingKind } from "../kit/binding.js";
import { commandBinding } from "./command/compile/index.js";
import { fileBinding } from "./file/compile/index.js";
import { handlerBinding } from "./handler/index.js";
import { httpBinding } from "./http/index.js";
import { planBinding } from "./plan/compile/index.js";
import { queueBinding } from "./queue/index.js";
import { sqlBinding } from "./sql/index.js";

/**
 * The kinds that ship with skillc, one line each. They have no privilege over those that
 * skillc.yaml adds.
 */
const builtIn = [
  commandBinding,
  fileBinding,
  handlerBinding,
  httpBinding,
  planBinding,
  queueBinding,
  sqlBinding,
] as const;

/** Types that authors may not use yet, and the reasons. */
const reservedTypes: ReadonlyMap<string, string> = new Map([
  ["grpc", "gRPC bindings are planned; until then give the tool a handler"],
]);

/** The kinds of one compilation. */
export interface KindRegistry {
  find(type: string): BindingKind | undefined;
  /** Types that a `binding:` may name, sorted. */
  readonly types: readonly string[];
  /** Kind of a tool without a `binding:`. */
  readonly unbound: BindingKind;
  /** Returns the reason why a type is reserved; undefined if it isn't. */
  reserved(type: string): string | undefined;
  readonly all: readonly BindingKind[];
  /** Returns whether the kind comes from skillc.yaml. */
  isCustom(type: string): boolean;
}

/** @param custom kinds from skillc.yaml; one may replace a built-in kind of the same type */
export function createRegistry(custom: readonly BindingKind[] = []): KindRegistry {
  return custom.length === 0 ? builtInRegistry : registryOf(custom);
}

function registryOf(custom: readonly BindingKind[]): KindRegistry {
  const kinds = new Map<string, BindingKind>();
  for (const kind of [...builtIn, ...custom]) kinds.set(kind.type, kind);
  return {
    find: (type) => kinds.get(type),
    types: [...kinds.keys()].toSorted(),
    unbound: kinds.get(handlerBinding.type) ?? handlerBinding,
    reserved: (type) => reservedTypes.get(type),
    all: [...kinds.values()],
    isCustom: (type) => custom.some((kind) => kind.type === type),
  };
}

/**
 * The same object for all callers without custom kinds, because caches use the registry as their
 * key.
 */
const builtInRegistry = registryOf([]);
