import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { nodeEnvironment, nodeFlags, programOf } from '../../scripts/services.ts'
import { bareEnvironment } from '../lib/bare-environment.ts'
import { freePort } from '../lib/free-port.ts'

/** A service in a real process of its own, as `npm start` runs it, that can be killed and started again. */
export type ServiceProcess = {
  readonly url: string
  readonly pid: number
  /** What it has logged, of all its starts; only what is fatal, unless LOG_LEVEL says more. */
  readonly log: readonly string[]
  /** SIGKILL: nothing is flushed, nobody is notified. */
  kill(): Promise<void>
  /** SIGTERM; gives the exit code. */
  stop(): Promise<number | null>
  /** SIGSTOP: it stands still and does not know it. */
  freeze(): void
  /** SIGCONT. */
  thaw(): void
  restart(): Promise<void>
  hasExited(): boolean
}

/** What all processes of the harness are started with. */
export const SECRET = 'a secret of the fault harness, 32+ characters'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

type ServiceName = 'cms' | 'mail'

export type ProcessOptions = {
  /** Another program in place of the service's own, by its way from the root of the repository or absolute. */
  entry?: string
  /** A command that runs it, for example elsewhere in the network. */
  prefix?: readonly string[]
}

export const startService = async (
  name: ServiceName,
  env: Record<string, string>,
  { entry = programOf(name), prefix = [] }: ProcessOptions = {},
): Promise<ServiceProcess> => {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const settings = { ...baseEnv(name, port, url), ...env }
  const log: string[] = []
  let child = await launch(entry, prefix, settings, log)
  return {
    url,
    log,
    get pid() {
      return child.pid ?? 0
    },
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
      child.kill('SIGTERM')
      const [code] = await once(child, 'exit')
      return code
    },
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    async restart() {
      child = await launch(entry, prefix, settings, log)
    },
    hasExited: () => child.exitCode !== null || child.signalCode !== null,
  }
}

/** Two processes of the CMS on one database. */
export const startTwo = (env: Record<string, string>, entry?: string): Promise<[ServiceProcess, ServiceProcess]> => {
  const options = entry === undefined ? {} : { entry }
  return Promise.all([startService('cms', env, options), startService('cms', env, options)])
}

/** Megabytes of a process that are in memory. */
export const residentMb = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024

const baseEnv = (name: ServiceName, port: number, url: string): Record<string, string> => ({
  ...bareEnvironment(),
  ...nodeEnvironment,
  NODE_ENV: 'test',
  SECRET,
  LOG_LEVEL: 'fatal',
  // Never the data of the developer who runs this.
  DATA_DIR: join(tmpdir(), 'stoa-faults-data'),
  ...(name === 'cms'
    ? { PORT: String(port), HOST: '127.0.0.1', PUBLIC_URL: url, TRUSTED_PROXIES: '127.0.0.1' }
    : { MAIL_PORT: String(port), MAIL_HOST: '127.0.0.1', MAIL_PUBLIC_URL: url }),
})

const launch = async (
  entry: string,
  prefix: readonly string[],
  env: Record<string, string>,
  log: string[],
): Promise<ChildProcess> => {
  const program = resolve(ROOT, entry)
  const [command = process.execPath, ...args] = [...prefix, process.execPath, ...nodeFlags, program]
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] })
  if (child.stdout) createInterface({ input: child.stdout }).on('line', (line) => log.push(line))
  const [event] = await Promise.race([once(child, 'message'), once(child, 'exit')])
  if (child.exitCode !== null)
    throw new Error([`${entry} did not start: exit code ${String(event)}`, ...log].join('\n'))
  return child
}
