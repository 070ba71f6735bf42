import type { QueueConfig } from "../model.js";
import type { TextTemplate } from "../../text-template.js";

/** A name in a target, and what the broker takes for it. */
export interface TargetedName {
  readonly template: TextTemplate;
  /** `a topic` */
  readonly what: string;
  /** Whether it says where messages go; a routing key only says more of them. */
  readonly isPlace: boolean;
  /** Why no name can have this text in it. */
  readonly partFault: (text: string) => string | undefined;
  /** Why it can't be all of a name. */
  readonly wholeFault: (text: string) => string | undefined;
}

/** The names in a target. */
export function namesIn(target: QueueConfig["target"]): readonly TargetedName[] {
  switch (target.kind) {
    case "kafka":
      return [{ template: target.topic, what: "a topic", isPlace: true, ...topicRule }];
    case "redis":
      return [{ template: target.stream, what: "a stream", isPlace: true, ...anyRule }];
    case "rabbitmq": {
      const { exchange, routingKey: template } = target;
      if (exchange === undefined)
        return [{ template, what: "a queue", isPlace: true, ...shortRule }];
      return [
        { template: exchange, what: "an exchange", isPlace: true, ...shortRule },
        { template, what: "a routing key", isPlace: false, ...shortRule },
      ];
    }
  }
}

type Rule = Pick<TargetedName, "partFault" | "wholeFault">;

/** Kafka's `Topic.validate`. */
const topicRule: Rule = {
  partFault(text) {
    const bad = /[^\w.-]/u.exec(text)?.[0];
    if (bad !== undefined) return `it holds ${bad === " " ? "a space" : `\`${bad}\``}`;
    return text.length > 249 ? "it is longer than 249 characters" : undefined;
  },
  wholeFault: (text) => (text === "." || text === ".." ? "`.` and `..` are no names" : undefined),
};

/** AMQP 0-9-1's short string. */
const shortRule: Rule = {
  partFault: (text) => (Buffer.byteLength(text) > 255 ? "it is longer than 255 bytes" : undefined),
  wholeFault: () => undefined,
};

const anyRule: Rule = { partFault: () => undefined, wholeFault: () => undefined };
