import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { arch, platform, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { nodeForWorkers } from './installed.ts'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

const running = new Set<ChildProcess>()
// A test that is killed must leave no process on its ports: the next run would be answered by it.
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

export function start(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  out: number | 'pipe' | 'ignore',
  cwd?: string,
): ChildProcess {
  const child = spawn(command, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', out, out === 'pipe' ? 'inherit' : out],
    ...(cwd !== undefined && { cwd }),
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  return child
}

/** A Restate server of its own: its ports, its folder, its log. */
export class RestateServer {
  readonly folder: string = mkdtempSync(join(tmpdir(), 'callsheet-restate-'))
  readonly #log = join(this.folder, 'server.log')
  readonly #ports: readonly number[]
  #child: ChildProcess | undefined

  private constructor(ports: readonly number[]) {
    this.#ports = ports
  }

  static async start(): Promise<RestateServer> {
    const server = new RestateServer(await freePorts(3))
    await server.start()
    return server
  }

  get pid(): number | undefined {
    return this.#child?.pid
  }

  get ingress(): string {
    return `http://127.0.0.1:${this.#ports[0]}`
  }

  get admin(): string {
    return `http://127.0.0.1:${this.#ports[1]}`
  }

  async start(): Promise<void> {
    const [ingress, admin, node] = this.#ports.map(String)
    const out = openSync(this.#log, 'a')
    // The binary itself: the package's wrapper would leave it running when it is stopped.
    const binary = here(`node_modules/@restatedev/restate-server-${platform()}-${arch()}/bin/restate-server`)
    this.#child = start(
      binary,
      ['--no-logo'],
      {
        RESTATE_BASE_DIR: join(this.folder, 'data'),
        RESTATE_CLUSTER_NAME: 'test',
        RESTATE_NODE_NAME: 'n1',
        RESTATE_LISTEN_MODE: 'tcp',
        RESTATE_BIND_IP: '127.0.0.1',
        RESTATE_ADVERTISED_HOST: '127.0.0.1',
        RESTATE_INGRESS__BIND_PORT: ingress,
        RESTATE_ADMIN__BIND_PORT: admin,
        RESTATE_BIND_PORT: node,
        RESTATE_DISABLE_TELEMETRY: '1',
        DO_NOT_TRACK: '1',
      },
      out,
    )
    closeSync(out)
    await this.#ready(this.#child)
  }

  async #ready(child: ChildProcess): Promise<void> {
    for (;;) {
      if (child.exitCode !== null)
        throw new Error(`Restate did not start:\n${readFileSync(this.#log, 'utf8')}`)
      const answers = await Promise.all([
        answersAt(`${this.admin}/health`),
        answersAt(`${this.ingress}/restate/health`),
      ])
      if (answers.every(Boolean)) return
      await pause(50)
    }
  }

  /** Kills it without a word, and starts it again on what it had written. */
  async killAndRestart(): Promise<void> {
    await end(this.#child, 'SIGKILL')
    await this.start()
  }

  async stop(): Promise<void> {
    await end(this.#child, 'SIGTERM')
    rmSync(this.folder, { recursive: true, force: true })
  }

  /** Tells the server where workers are. */
  async register(uri: string): Promise<void> {
    const response = await fetch(`${this.admin}/deployments`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ uri, force: true }),
    })
    if (!response.ok) throw new Error(`Restate does not take ${uri}: ${await response.text()}`)
  }

  /** Starts an invocation. @returns Its id. */
  async send(path: string, input: unknown): Promise<string> {
    const response = await this.#post(`/${path}/send`, input)
    const { invocationId } = (await response.json()) as { invocationId: string }
    return invocationId
  }

  /** Waits for what an invocation comes to, over restarts of the server; after a minute says what the engine says of it. */
  async resultOf<Result>(invocation: string): Promise<Result> {
    const until = Date.now() + 60_000
    for (;;) {
      try {
        const response = await fetch(`${this.ingress}/restate/invocation/${invocation}/attach`, {
          signal: AbortSignal.timeout(5_000),
        })
        const text = await response.text()
        if (response.ok) return JSON.parse(text) as Result
        // Not a failure of the invocation: a server that has just started does not lead its partitions yet.
        if (response.status !== 503) throw new RestateProblem(response.status, text)
      } catch (error) {
        if (error instanceof RestateProblem) throw error
      }
      if (Date.now() > until) throw new Error(`No result of ${invocation} yet: ${await this.#unfinished()}`)
      await pause(50)
    }
  }

  /** What has not ended, and why not. */
  async #unfinished(): Promise<string> {
    const query =
      "select id, target, status, retry_count, last_failure, next_retry_at from sys_invocation where status != 'completed'"
    const response = await fetch(`${this.admin}/query`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ query }),
    })
    return response.text()
  }

  async call<Result>(path: string, input: unknown): Promise<Result> {
    const response = await this.#post(`/${path}`, input)
    return (await response.json()) as Result
  }

  /** @param type What the payload is said to be; JSON is spelt here. */
  async resolveAwakeable(id: string, payload: unknown, type: string = 'application/json'): Promise<void> {
    const response = await fetch(`${this.ingress}/restate/awakeables/${id}/resolve`, {
      method: 'POST',
      headers: { 'content-type': type },
      body: type === 'application/json' ? JSON.stringify(payload) : String(payload),
    })
    if (!response.ok) throw new RestateProblem(response.status, await response.text())
  }

  async cancel(invocation: string): Promise<void> {
    const response = await fetch(`${this.admin}/invocations/${invocation}/cancel`, { method: 'PATCH' })
    if (!response.ok) throw new RestateProblem(response.status, await response.text())
  }

  async #post(path: string, input: unknown): Promise<Response> {
    const response = await fetch(this.ingress + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(input ?? null),
    })
    if (response.ok) return response
    throw new RestateProblem(response.status, await response.text())
  }
}

/** What the server says instead of a result. */
export class RestateProblem extends Error {
  readonly status: number

  constructor(status: number, text: string) {
    super(messageIn(text))
    this.status = status
  }
}

function messageIn(text: string): string {
  try {
    return (JSON.parse(text) as { message: string }).message
  } catch {
    // Not every answer is JSON.
    return text
  }
}

/** Two workers on one port. One that dies is replaced, as a supervisor would. */
export class Workers {
  readonly url: string
  readonly #primary: ChildProcess
  #pids: readonly number[] = []

  private constructor(url: string, primary: ChildProcess) {
    this.url = url
    this.#primary = primary
  }

  static async start(program: string, ...args: readonly string[]): Promise<Workers> {
    const [port] = await freePorts(1)
    const primary = start(
      nodeForWorkers(),
      ['--disable-warning=ExperimentalWarning', here(program), String(port), ...args],
      // The SDK logs every attempt that fails, which here are most.
      { RESTATE_LOGGING: 'ERROR' },
      'pipe',
    )
    const workers = new Workers(`http://127.0.0.1:${port}`, primary)
    await new Promise<void>((resolve, reject) => {
      primary.once('exit', (code) =>
        reject(new Error(`The workers ended with ${code} before they listened.`)),
      )
      // Each line lists the processes that listen.
      createInterface({ input: primary.stdout as NodeJS.ReadableStream }).on('line', (line) => {
        if (!line.startsWith('listening ')) return
        workers.#pids = JSON.parse(line.slice('listening '.length))
        if (workers.#pids.length === 2) resolve()
      })
    })
    return workers
  }

  get pids(): readonly number[] {
    return this.#pids
  }

  /** Kills one without a word; nothing where it is gone already. */
  kill(pid: number | undefined): void {
    if (pid !== undefined && this.#pids.includes(pid)) process.kill(pid, 'SIGKILL')
  }

  async stop(): Promise<void> {
    await end(this.#primary, 'SIGTERM')
  }
}

export async function end(child: ChildProcess | undefined, signal: NodeJS.Signals): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}

async function answersAt(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok
  } catch {
    // Nobody listens there yet.
    return false
  }
}

/** Ports that nobody listens on now. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer().listen(0, '127.0.0.1')
      await once(server, 'listening')
      return server
    }),
  )
  const ports = servers.map((server) => (server.address() as { port: number }).port)
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return ports
}

/** Waits until a process listens. */
export async function waitForPort(port: number | undefined, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null)
      throw new Error(`The worker ended with ${child.exitCode} before it listened.`)
    const socket = connect(Number(port), '127.0.0.1')
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true))
      socket.once('error', () => resolve(false))
    })
    socket.destroy()
    if (isOpen) return
    await pause(50)
  }
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
