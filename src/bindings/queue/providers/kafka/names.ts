import type { NameRule, TargetNames } from "../../send/name-rules.js";

/** Kafka's `Topic.validate`. */
const topic: NameRule = {
  what: "a topic",
  isPlace: true,
  separator: ".",
  maxBytes: 249,
  characters: {
    foreign: /[^\w.-]/u,
    must: "contain only letters, digits, `.`, `_` and `-`",
    foreignFormats: new Map([
      ["date-time", ":"],
      ["iso-date-time", ":"],
      ["time", ":"],
      ["iso-time", ":"],
      ["uri", ":"],
      ["url", ":"],
      ["ipv6", ":"],
      ["email", "@"],
      ["json-pointer", "/"],
      ["json-pointer-uri-fragment", "#"],
    ]),
  },
  complete: [
    {
      refused: /^\.{1,2}$/,
      problem: "`.` and `..` are not valid names",
      mustNot: "of nothing but dots",
    },
  ],
};

export const kafkaNames: TargetNames = {
  rulesOf: () => ({ topic }),
  registrySubject: "topic",
};
