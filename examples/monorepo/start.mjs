// Starts the worker, runs the agent against it, and stops the worker.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

const worker = spawn(process.execPath, ['worker/dist/main.js'], { stdio: ['ignore', 'pipe', 'inherit'] })
worker.on('exit', (code) => code && process.exit(code))
for await (const url of createInterface({ input: worker.stdout })) {
  const agent = spawn(process.execPath, ['agent/dist/main.js', url], { stdio: 'inherit' })
  agent.on('exit', (code) => {
    process.exitCode = code ?? 1
    worker.kill()
  })
}
