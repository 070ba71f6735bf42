/**
 * The entry point `skillc/binding`: the API for the compiler's side of a binding kind. Kinds that
 * ship with skillc use only this API too.
 */
export type { DiagnosticEntries, DiagnosticEntry, ProjectFiles } from "../core/diagnostic-entry.js";
export {
  at,
  type Code,
  code,
  ident,
  imported,
  join,
  jsDoc,
  literal,
  member,
  memberKey,
  nothing,
  objectKey,
} from "../core/code.js";
export type {
  Diagnostic,
  DiagnosticCode,
  UnratedDiagnostic,
  RelatedSpan,
} from "../core/diagnostic.js";
export type { JsonArray, JsonObject, JsonSchema, JsonValue } from "../core/json.js";
export { shown } from "../core/names.js";
export type { Report } from "../core/report.js";
export type {
  BindingModel,
  CredentialUse,
  Effect,
  Mode,
  ParameterReference,
  SchemaModel,
  ToolModel,
} from "../core/skill-model.js";
export type { Span, TextRange } from "../core/span.js";
export {
  entryOf,
  type ListNode,
  type MapEntry,
  type MapNode,
  nodeAt,
  type ScalarNode,
  spanWithin,
  type SyntaxNode,
  textOf,
  toJson,
  valueOf,
} from "../core/syntax-node.js";
export { type JsonType, lookUp, propertyNames, type ValueFacts } from "../schema/look-up.js";
export { didYouMean } from "../schema/suggestion.js";
export type { AnswerData, ToolAnswer } from "../kit/answers.js";
export type { CallGraph, GraphCall, GraphValue } from "../kit/call-graph.js";
export type { SchemaPlace } from "../schema/certain-mismatches.js";
export type { BindingEmission, EmitInput, SchemaCode, View } from "../kit/binding-emission.js";
export {
  type BindingKind,
  defineBinding,
  type FindLineComments,
  type LinkedBinding,
  type NamedFiles,
  type OtherBindingWords,
  type ResolvedBinding,
  type ResolveInput,
  type RuntimeEntry,
  type SecretValue,
  type SharedByTools,
  type TemplateSource,
} from "../kit/binding.js";
export type { CapabilityForm } from "../kit/capability-form.js";
export {
  checkCoverage,
  type Coverage,
  credentialsIn,
  factsOf,
  parametersIn,
  restOfParameters,
} from "../kit/coverage.js";
export { type ProjectTool, type ProjectTools, unknownTool } from "../kit/project-tools.js";
export { accessCode } from "../kit/values/access.js";
export { type RootReference, rootsIn } from "../kit/roots.js";
export { callerRoot, callerValue, factsOfCaller } from "../kit/caller-root.js";
export {
  callerDiagnosticEntries,
  referenceDiagnosticEntries,
  rootDiagnosticEntries,
} from "../kit/reference-diagnostics.js";
export {
  type CredentialPart,
  type LiteralPart,
  isValuePart,
  literalText,
  loneParameter,
  loneValue,
  type ParameterPart,
  parseTemplate,
  type TextNode,
  textNode,
  type RootPart,
  type TemplateLanguage,
  type TemplateRoot,
  type TextPart,
  type TextTemplate,
  type ValuePart,
} from "../kit/text-template.js";
export { typeWords } from "../kit/type-words.js";
export { betweenBracesIn, placeOfParameter } from "../kit/unused-parameters.js";
