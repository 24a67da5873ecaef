import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { bareEnvironment } from '../lib/bare-environment.ts'

/** A service in a real process of its own, as `npm start` runs it, that can be killed and started again. */
export type ServiceProcess = {
  readonly url: string
  readonly pid: number
  /** SIGKILL: nothing is flushed, nobody is told. */
  kill(): Promise<void>
  /** SIGTERM; gives the exit code. */
  stop(): Promise<number | null>
  restart(): Promise<void>
  hasExited(): boolean
}

type ServiceName = 'cms' | 'mail'

export const startService = async (name: ServiceName, env: Record<string, string>): Promise<ServiceProcess> => {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const settings = { ...baseEnv(name, port, url), ...env }
  let child = await launch(name, settings)
  return {
    url,
    get pid() {
      return child.pid ?? 0
    },
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
    async stop() {
      child.kill('SIGTERM')
      const [code] = await once(child, 'exit')
      return code
    },
    async restart() {
      child = await launch(name, settings)
    },
    hasExited: () => child.exitCode !== null || child.signalCode !== null,
  }
}

const baseEnv = (name: ServiceName, port: number, url: string): Record<string, string> => ({
  ...bareEnvironment(),
  NODE_ENV: 'test',
  SECRET: 'a secret of the fault harness, 32+ characters',
  LOG_LEVEL: 'fatal',
  TRUSTED_PROXIES: '127.0.0.1',
  ...(name === 'cms'
    ? { PORT: String(port), HOST: '127.0.0.1', PUBLIC_URL: url }
    : { MAIL_PORT: String(port), MAIL_HOST: '127.0.0.1', MAIL_PUBLIC_URL: url }),
})

const launch = async (name: ServiceName, env: Record<string, string>): Promise<ChildProcess> => {
  const entry = fileURLToPath(new URL(`../../services/${name}/src/main.ts`, import.meta.url))
  const child = spawn(process.execPath, [entry], { env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const [event] = await Promise.race([once(child, 'message'), once(child, 'exit')])
  if (child.exitCode !== null) throw new Error(`${name} did not start: exit code ${String(event)}`)
  return child
}

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (typeof address !== 'object' || address === null) throw new Error('no free port')
  return address.port
}
