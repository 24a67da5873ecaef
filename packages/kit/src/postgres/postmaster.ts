import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Cluster, programArguments, programEnvironment } from './cluster.ts'
import { FAST_SHUTDOWN_MS, readPidFile } from './leftover-server.ts'

/** A running server process. `ended` resolves when it is gone, for whatever reason. */
export type Postmaster = { ended: Promise<void>; stop(): Promise<void> }

type Options = {
  settings: string[]
  /** A folder that goes away with the server. */
  removeAfterwards?: string
  /** Whether the server keeps this process alive. */
  holdsProcess: boolean
  signal?: AbortSignal | undefined
}

/** Starts the server on `cluster.port` and waits until it accepts connections. */
export const launchPostmaster = async (cluster: Cluster, options: Options): Promise<Postmaster> => {
  const log = openLog(cluster)
  const settings = [...SETTINGS, ...options.settings, `port=${cluster.port}`].flatMap((setting) => ['-c', setting])
  // A session of its own: Ctrl-C in the terminal must not stop the database before the services.
  const child = spawn(
    join(cluster.binaries, 'bin/postgres'),
    [...programArguments(cluster, cluster.data), ...settings],
    { cwd: cluster.data, env: programEnvironment(), detached: true, stdio: ['ignore', log, log], ...cluster.account },
  )
  fs.closeSync(log)
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  await once(child, 'spawn')
  const guardian = startGuardian(child.pid ?? 0, cluster.data, options.removeAfterwards ?? '')
  const stop = async (): Promise<void> => {
    await stopChild(child, ended)
    guardian.stdin?.end('stopped\n')
    if (guardian.exitCode === null) await once(guardian, 'exit')
  }
  try {
    await untilReady(cluster, child, options.signal)
  } catch (error) {
    await stop()
    throw error
  }
  if (!options.holdsProcess) unref(child, guardian)
  return { ended, stop }
}

const SETTINGS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'cluster_name=stoa',
  'timezone=UTC',
  'log_timezone=UTC',
]

const READY_POLL_MS = 15
const MAX_LOG_BYTES = 10_000_000 // a larger log is set aside at the next start, so that it cannot fill the disk

/**
 * A few lines of shell that outlive us: when our end of the pipe closes, however we ended, they stop the server. The
 * pid file is compared first, because the process number may belong to someone else by then.
 */
const GUARDIAN = `
  trap '' INT TERM HUP
  read -r word
  read -r pid < "$2"
  if [ "$word" != stopped ] && [ "$pid" = "$1" ] && kill -INT "$1"; then
    tries=0
    while [ -e "$2" ] && [ $tries -lt 600 ]; do sleep 0.1; tries=$((tries + 1)); done
  fi
  [ -z "$3" ] || rm -rf "$3"
`

const startGuardian = (pid: number, data: string, removeAfterwards: string): ChildProcess =>
  spawn(
    '/bin/sh',
    ['-c', GUARDIAN, 'stoa-postgres-guardian', String(pid), join(data, 'postmaster.pid'), removeAfterwards],
    {
      cwd: '/',
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    },
  )

const unref = (child: ChildProcess, guardian: ChildProcess): void => {
  child.unref()
  guardian.unref()
  const { stdin } = guardian
  if (stdin && 'unref' in stdin && typeof stdin.unref === 'function') stdin.unref()
}

const untilReady = async (cluster: Cluster, child: ChildProcess, signal: AbortSignal | undefined): Promise<void> => {
  for (;;) {
    signal?.throwIfAborted()
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`PostgreSQL didn't start. Last lines of ${logFile(cluster)}:
${endOfLog(cluster)}`)
    const state = readPidFile(cluster.data)
    if (state?.pid === child.pid && state?.isReady) return
    await sleep(READY_POLL_MS)
  }
}

const stopChild = async (child: ChildProcess, ended: Promise<void>): Promise<void> => {
  // "Fast" shutdown ends the connections and writes a checkpoint; "immediate" leaves that to the next start.
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill(signal)
    const patience = new AbortController()
    await Promise.race([ended, sleep(FAST_SHUTDOWN_MS, undefined, { signal: patience.signal }).catch(() => undefined)])
    patience.abort()
  }
}

const logFile = ({ folder }: Cluster): string => join(folder, 'server.log')

const openLog = (cluster: Cluster): number => {
  const file = logFile(cluster)
  const size = fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (size > MAX_LOG_BYTES) fs.renameSync(file, `${file}.old`)
  return fs.openSync(file, 'a', 0o600)
}

const endOfLog = (cluster: Cluster): string =>
  fs.readFileSync(logFile(cluster), 'utf8').trimEnd().split('\n').slice(-5).join('\n')
