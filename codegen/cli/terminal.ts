/** What a command sees of the process it runs in; the command line's only way in and out. */
export interface Terminal {
  /** Absolute path of the folder in which the command was given. */
  readonly cwd: string
  /** Absolute path of the repository that annotations of GitHub Actions are shown in. */
  readonly repository?: string | undefined
  /** Data: what another program reads. */
  out(text: string): void
  /** What people read. */
  err(text: string): void
  /** True when people's text may carry colours. */
  readonly colours: boolean
  readInput(): Promise<string>
  /** Asks a question and gives the answer; absent where nobody can be asked. */
  readonly ask?: (question: string) => Promise<string>
  /** From here on an interruption (Ctrl-C) aborts this signal instead of ending the process. */
  interruptible(): AbortSignal
}

/** How a command ended. */
export const exitCode = {
  /** Everything is in order. */
  ok: 0,
  /** There are findings: wrong definitions, stale files. */
  findings: 1,
  /** Wrong usage or configuration, a machine that refuses, or a fault of Callsheet's own. */
  fault: 2,
} as const

export type ExitCode = (typeof exitCode)[keyof typeof exitCode]
