import type { NameRule, TargetNames } from "../../send/name-rules.js";

const subject: NameRule = {
  what: "a subject",
  isPlace: true,
  separator: ".",
  // A line of the protocol has 4096 by default, and holds more than the subject.
  maxBytes: 1024,
  characters: {
    foreign: /[\s\p{Cc}*>]/u,
    must: "hold no space, control character, `*` or `>`",
    foreignFormats: new Map(),
  },
  complete: [
    {
      refused: /^\.|\.$|\.\./,
      problem: "there is nothing before, behind or between its dots",
      mustNot: "with nothing before, behind or between its dots",
    },
    {
      // What the server itself is asked by, such as to delete a stream.
      refused: /^\$/,
      problem: "it begins with `$`, which is the server's own",
      mustNot: "of the server's own, which begin with `$`",
    },
  ],
};

export const natsNames: TargetNames = {
  rulesOf: () => ({ subject }),
  registrySubject: "subject",
};
