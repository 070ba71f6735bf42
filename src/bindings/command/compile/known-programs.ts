/**
 * Facts about well-known programs: which run text as code, which start other programs, and which
 * change files. Data alone; `program.ts` and `check-program.ts` judge commands by it.
 */

/** Splits lines of names. */
function words(...lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => line.split(" "));
}

/** A program that runs an argument as code. */
export interface Interpreter {
  readonly names: readonly string[];
  /** Options whose value is code, alone or joined to others: `-c`, `-lc`. */
  readonly code: RegExp;
  /** Set if the program reads code from standard input when no file is named. */
  readonly readsCode?: true;
}

/** Programs that run text as code. */
export const interpreters: readonly Interpreter[] = [
  {
    names: words("sh bash dash zsh ksh mksh yash ash rbash fish csh tcsh"),
    code: /^(?:[-+][A-Za-z]*[cs]|--command(?:=|$)|--init-command(?:=|$))/,
    readsCode: true,
  },
  {
    names: ["pwsh", "powershell"],
    code: /^[-/](?:c|e|en|enc|command|encodedcommand)/i,
    readsCode: true,
  },
  { names: ["cmd", "cmd.exe"], code: /^\/[ckr]/i, readsCode: true },
  { names: ["python", "pypy"], code: /^-(?:[A-VYZa-ln-wyz]*c|$)/, readsCode: true },
  {
    names: ["node", "nodejs", "bun", "tsx", "ts-node"],
    code: /^(?:-[a-z]*[ep]|--eval|--print|-$)/,
    readsCode: true,
  },
  { names: ["deno"], code: /^(?:eval|repl)$/ },
  { names: ["perl"], code: /^-(?:[acdflnpsStTuUwWX0-9]*[eE]|$)/, readsCode: true },
  { names: ["ruby"], code: /^-(?:[acdlnpswWvy]*e|$)/, readsCode: true },
  { names: ["php"], code: /^(?:-[a-z]*[rBRE]|--run|--process-)/, readsCode: true },
  { names: ["lua", "luajit"], code: /^-e|^-$/, readsCode: true },
  { names: ["rscript", "r", "julia", "groovy", "scala"], code: /^(?:-e|--eval)/ },
  { names: ["osascript"], code: /^-e/, readsCode: true },
];

/** Programs that start the program that their own arguments name. */
export const starters: readonly string[] = words(
  "env busybox toybox nice nohup timeout time sudo doas setsid stdbuf ionice",
  "chroot unshare nsenter chrt taskset prlimit setpriv strace ltrace flock npx",
  "pnpx bunx uvx uv npm pnpm yarn poetry",
);

/** Programs that build commands of text, whatever their arguments are. */
export const builders: readonly string[] = words(
  "xargs parallel eval watch ssh su script at batch expect",
);

/** Programs whose first argument is a program in their own language, which can start others. */
export const languages: readonly string[] = ["awk", "gawk", "mawk", "nawk", "sed", "gsed"];

/** Options that name a program, or settings that do, by the program that has them. */
export const codeOptions: Readonly<Record<string, RegExp>> = {
  git: /^(?:-c|--config-env|--exec-path|--upload-pack|--receive-pack|--exec|-x|--ext-diff)(?:=|$)/,
  tar: /^(?:--to-command|--checkpoint-action|--use-compress-program|-I|--rsh-command|--info-script|-F)(?:=|$)/,
  find: /^-(?:exec|execdir|ok|okdir)$/,
  rsync: /^(?:-e|--rsh|--rsync-path)(?:=|$)/,
  prettier: /^--(?:plugin|config)(?:=|$)/,
  node: /^(?:-r|--require|--import|--loader|--experimental-loader)(?:=|$)/,
};

/** Arguments of `find` after which a program stands. */
export const findActions: readonly string[] = ["-exec", "-execdir", "-ok", "-okdir"];

/** A command that changes files. */
export interface Writer {
  readonly program: string;
  /** Subcommands that change files; absent if every call does. */
  readonly subcommands?: readonly string[];
  /** Options with which the program changes files; absent if it needs none. */
  readonly options?: RegExp;
}

const always = words(
  "rm rmdir mv cp dd mkdir touch ln chmod chown chgrp install truncate shred",
  "unlink mkfifo mknod tee split csplit patch rsync unzip gzip gunzip bzip2 xz",
  "zstd mktemp setfacl mkfs mount umount",
);

/** Commands that are known to change files. */
export const writers: readonly Writer[] = [
  ...always.map((program) => ({ program })),
  {
    program: "git",
    subcommands: words(
      "add am apply bisect checkout cherry-pick clean clone commit fetch gc init merge",
      "mv pull push rebase reset restore revert rm stash submodule switch tag",
      "update-index update-ref worktree",
    ),
  },
  {
    program: "tar",
    options: /^(?:-?[A-Za-z]*[xcru][A-Za-z]*$|--(?:extract|get|create|append|update|delete)$)/,
  },
  { program: "prettier", options: /^(?:-[a-z]*w|--write$)/ },
  { program: "eslint", options: /^--fix/ },
  { program: "oxlint", options: /^--fix/ },
  { program: "sed", options: /^(?:-[a-zA-Z]*i|--in-place)/ },
  { program: "perl", options: /^-[a-z]*i/ },
  { program: "find", options: /^-(?:delete|fprint|fprintf|fls)$/ },
  { program: "sort", options: /^(?:-o|--output)/ },
  {
    program: "curl",
    options: /^(?:-[a-zA-Z]*[oOTdF]|--(?:output|remote-name|upload-file|data|form))/,
  },
  {
    program: "npm",
    subcommands: words("install i ci update uninstall publish link prune"),
  },
  { program: "pip", subcommands: ["install", "uninstall", "download"] },
  {
    program: "docker",
    subcommands: words("build run rm rmi push pull kill stop start"),
  },
];

/** Environment variables that make programs run code, or find other programs. */
export const codeVariables =
  /^(?:LD_.*|DYLD_.*|GIT_SSH.*|GIT_EXTERNAL_DIFF|GIT_PAGER|GIT_EDITOR|GIT_SEQUENCE_EDITOR|GIT_CONFIG.*|GIT_PROXY_COMMAND|GIT_ASKPASS|GIT_EXEC_PATH|GIT_TEMPLATE_DIR|SSH_ASKPASS|PAGER|MANPAGER|EDITOR|VISUAL|BROWSER|SHELL|NODE_OPTIONS|NODE_PATH|NPM_CONFIG_.*|PYTHON(?:STARTUP|PATH|HOME|INSPECT|BREAKPOINT|WARNINGS)|PERL5(?:OPT|LIB|DB)|PERLLIB|RUBY(?:OPT|LIB)|BASH_ENV|BASH_FUNC.*|ENV|PROMPT_COMMAND|PS4|IFS|SHELLOPTS|ZDOTDIR|PATH|HOME|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|MAVEN_OPTS|GRADLE_OPTS|PHPRC|PHP_INI_SCAN_DIR|LESSOPEN|LESSCLOSE|TAR_OPTIONS|RSYNC_RSH|LUA_INIT|R_PROFILE|XDG_CONFIG_.*|DOCKER_HOST)$/i;
