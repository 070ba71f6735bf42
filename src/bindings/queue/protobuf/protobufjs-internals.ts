import type protobuf from "protobufjs";

/**
 * Returns whether an enum is open, like all enums of proto3: it may get more values later.
 *
 * @param type enum of a root with resolved types
 */
export function isOpenEnum(type: protobuf.Enum): boolean {
  // The library stores the resolved features in this undeclared property.
  const features = Reflect.get(type, "_features") as { readonly enum_type?: string };
  return features.enum_type !== "CLOSED";
}
