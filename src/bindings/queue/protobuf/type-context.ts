import type protobuf from "protobufjs";
import type { Report } from "../../../core/report.js";
import type { Span } from "../../../core/span.js";
import type { Places } from "./proto-file.js";
import type { EnumType, MessageType, ProtoField } from "./proto-type.js";

/** What belongs to the reading of types. */
export interface TypeContext {
  readonly places: Places;
  /** Where something stands that has no place. */
  readonly start: Span;
  readonly report: Report;
  /** Types that were met, by the library's. */
  readonly known: Map<protobuf.ReflectionObject, MessageType | EnumType>;
  /** Messages in the order in which they were met, each with the list that its fields go to. */
  readonly waiting: { readonly type: protobuf.Type; readonly fields: ProtoField[] }[];
}
