/** Told what runs: a definition or configuration file, and undefined when it has ended. */
export type RunningFileObserver = (file: string | undefined) => void

let observer: RunningFileObserver = () => {}

/** Has one observer told which file of the user's is running: the process cannot look for itself while one hangs. */
export function observeRunningFile(next: RunningFileObserver): void {
  observer = next
}

/** Runs a file's code, and tells the observer when it starts and when it ends. */
export async function whileRunning<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
  observer(file)
  try {
    return await work()
  } finally {
    observer(undefined)
  }
}
