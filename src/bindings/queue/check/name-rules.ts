import type { QueueConfig } from "../model.js";
import type { TextTemplate } from "../../text-template.js";

/** A name in a target, and what the broker takes for it. */
export interface TargetedName {
  readonly template: TextTemplate;
  /** `a topic` */
  readonly what: string;
  /** Whether it says where messages go; a routing key only says more of them. */
  readonly isPlace: boolean;
  /** Whether nothing is a name too. */
  readonly mayBeEmpty: boolean;
  /** Why no name can have this text in it. */
  readonly partFault: (text: string) => string | undefined;
  /** Why no name can have text of this format in it. */
  readonly formatFault: (format: string) => string | undefined;
  /** Why it can't be all of a name. */
  readonly wholeFault: (text: string) => string | undefined;
}

/** The names in a target. */
export function namesIn(target: QueueConfig["target"]): readonly TargetedName[] {
  switch (target.kind) {
    case "kafka":
      return [{ template: target.topic, what: "a topic", ...topicRule }];
    case "redis":
      return [{ template: target.stream, what: "a stream", ...anyRule }];
    case "rabbitmq": {
      const { exchange, routingKey: template } = target;
      if (exchange === undefined) return [{ template, what: "a queue", ...shortRule }];
      return [
        { template: exchange, what: "an exchange", ...shortRule },
        // Exchanges that route by nothing, or by headers, are given none.
        { template, what: "a routing key", ...shortRule, isPlace: false, mayBeEmpty: true },
      ];
    }
  }
}

type Rule = Omit<TargetedName, "template" | "what">;

const anyRule: Rule = {
  isPlace: true,
  mayBeEmpty: false,
  partFault: () => undefined,
  formatFault: () => undefined,
  wholeFault: () => undefined,
};

/** Of the formats that validators know, those whose texts always have in them what no topic has. */
const badInTopics: ReadonlyMap<string, string> = new Map([
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
]);

/** Kafka's `Topic.validate`. */
const topicRule: Rule = {
  ...anyRule,
  partFault(text) {
    const bad = /[^\w.-]/u.exec(text)?.[0];
    if (bad !== undefined) return `it holds ${bad === " " ? "a space" : `\`${bad}\``}`;
    return text.length > 249 ? "it is longer than 249 characters" : undefined;
  },
  formatFault(format) {
    const bad = badInTopics.get(format);
    return bad && `it holds \`${bad}\``;
  },
  wholeFault: (text) => (text === "." || text === ".." ? "`.` and `..` are no names" : undefined),
};

/** AMQP 0-9-1's short string. */
const shortRule: Rule = {
  ...anyRule,
  partFault: (text) => (Buffer.byteLength(text) > 255 ? "it is longer than 255 bytes" : undefined),
};
