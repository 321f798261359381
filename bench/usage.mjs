// Loaded before a measured program (`node --import`): when it ends, writes what it used to the file that BENCH_USAGE
// names. Beginning with `performance.timeOrigin`, so that the start of the process itself counts.
import { writeFileSync } from 'node:fs'

process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
  const used = {
    wall: performance.now(),
    cpu: (userCPUTime + systemCPUTime) / 1000,
    megabytes: maxRSS / 1024,
  }
  writeFileSync(process.env.BENCH_USAGE, JSON.stringify(used))
})
