/** A command's access to its process. All input and output of commands goes through it. */
export interface Terminal {
  /** Absolute path of the working folder. */
  readonly cwd: string
  /** Absolute path of the repository that annotations of GitHub Actions are shown in. */
  readonly repository?: string | undefined
  /** How the package manager that started this command describes itself: `pnpm/11.0.0 npm/? node/v24.0.0 linux x64`. */
  readonly startedBy?: string | undefined
  /** Writes data for other programs to standard output. */
  out(text: string): void
  /** Writes messages for people to standard error. */
  err(text: string): void
  /** Whether messages may have colours. */
  readonly colours: boolean
  readInput(): Promise<string>
  /** Asks a question and returns the answer; absent if there is no interactive terminal. */
  readonly ask?: (question: string) => Promise<string>
  /** Returns a signal. From now on an interruption (Ctrl-C) aborts it instead of ending the process. */
  interruptible(): AbortSignal
}

/** The exit codes of commands. */
export const exitCode = {
  /** Success. */
  ok: 0,
  /** There are findings: errors in definitions, stale files. */
  findings: 1,
  /** Wrong usage or configuration, an error of the system, or a bug in Callsheet. */
  fault: 2,
} as const

export type ExitCode = (typeof exitCode)[keyof typeof exitCode]
