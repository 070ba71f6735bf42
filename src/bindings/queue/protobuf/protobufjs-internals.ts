import type protobuf from "protobufjs";

/**
 * Whether an enum may get more values later, as all of proto3 may.
 *
 * @param type of a root whose types are resolved
 */
export function isOpenEnum(type: protobuf.Enum): boolean {
  // The library keeps what it found out here, and declares it nowhere.
  const features = Reflect.get(type, "_features") as { readonly enum_type?: string };
  return features.enum_type !== "CLOSED";
}
