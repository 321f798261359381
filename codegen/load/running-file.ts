/** Receives the definition or configuration file that is running; undefined when it has ended. */
export type RunningFileObserver = (file: string | undefined) => void

let observer: RunningFileObserver = () => {}

/** Sets the observer of the user's running file: the process itself cannot react while a file hangs. */
export function observeRunningFile(next: RunningFileObserver): void {
  observer = next
}

/** Runs a file's code, and notifies the observer of its start and end. */
export async function whileRunning<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
  observer(file)
  try {
    return await work()
  } finally {
    observer(undefined)
  }
}
