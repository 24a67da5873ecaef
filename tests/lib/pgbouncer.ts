import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chooseAccount } from '@stoa/kit/postgres/account.ts'
import { freePort } from './free-port.ts'
import { until } from './waiting.ts'

/** The program, if it is installed; it is often outside of the PATH of ordinary users. */
export const findPgBouncer = (): string | undefined =>
  ['pgbouncer', '/usr/sbin/pgbouncer'].find((program) => spawnSync(program, ['--version']).status === 0)

/** Like [1, 21]. */
export const versionOf = (program: string): readonly [number, number] => {
  const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' })
  const [, major, minor] = /PgBouncer (\d+)\.(\d+)/.exec(stdout) ?? []
  return [Number(major), Number(minor)]
}

export type PgBouncer = {
  readonly port: number
  /** SIGKILL, and a new one on the same port. */
  restart(): Promise<void>
  close(): Promise<void>
}

export type PgBouncerOptions = {
  program: string
  mode: 'session' | 'transaction'
  /** URLs of the databases behind the pool, with their roles and passwords. */
  urls: readonly string[]
}

/** In front of the databases, under the same names and with the same passwords. */
export const startPgBouncer = async ({ program, mode, urls }: PgBouncerOptions): Promise<PgBouncer> => {
  const folder = mkdtempSync(join(tmpdir(), 'stoa-pgbouncer-'))
  const port = await freePort()
  const config = join(folder, 'pgbouncer.ini')
  writeFileSync(join(folder, 'users.txt'), urls.map(userLine).join('\n'))
  writeFileSync(config, configOf({ mode, urls, port, folder, canKeepStatements: isNewer(versionOf(program)) }))
  // PgBouncer refuses to run as root, and must read its own files.
  chmodSync(folder, 0o755)
  const account = chooseAccount(folder) ?? {}
  const launch = async () => {
    const child = spawn(program, ['-q', config], { stdio: ['ignore', 'ignore', 'inherit'], ...account })
    await until(() => {
      if (child.exitCode !== null) throw new Error(`PgBouncer ended with ${child.exitCode}`)
      return answers(port)
    }, 'PgBouncer answers')
    return child
  }
  let child = await launch()
  const kill = async () => {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  return {
    port,
    async restart() {
      await kill()
      child = await launch()
    },
    async close() {
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** From this version on it keeps named statements in transaction mode. */
export const isNewer = ([major, minor]: readonly [number, number]): boolean => major > 1 || minor >= 21

const userLine = (url: string): string => {
  const { username, password } = new URL(url)
  return `"${username}" "${decodeURIComponent(password)}"`
}

type Config = Omit<PgBouncerOptions, 'program'> & { port: number; folder: string; canKeepStatements: boolean }

const configOf = ({ mode, urls, port, folder, canKeepStatements }: Config): string =>
  [
    '[databases]',
    ...urls.map((url) => {
      const { hostname, port, pathname } = new URL(url)
      return `${pathname.slice(1)} = host=${hostname} port=${port}`
    }),
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = scram-sha-256',
    `auth_file = ${join(folder, 'users.txt')}`,
    `pool_mode = ${mode}`,
    'default_pool_size = 40',
    'max_client_conn = 200',
    ...(canKeepStatements ? ['max_prepared_statements = 200'] : []),
    '',
  ].join('\n')

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' })
    socket.on('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
