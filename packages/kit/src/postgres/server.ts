import * as fs from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Cluster, openCluster, saveSettings } from './cluster.ts'
import { stopLeftover } from './leftover-server.ts'
import { launchPostmaster, type Postmaster } from './postmaster.ts'

/** A running embedded PostgreSQL, reachable on 127.0.0.1 only. */
export type PostgresServer = {
  port: number
  /** The superuser's. */
  password: string
  /** Connects as the superuser; `ensureDatabase` gives a service its own role. */
  url(database: string): string
  stop(): Promise<void>
}

export type PostgresOptions = {
  /** Belongs to this server alone; created on the first start. */
  folder: string
  maxConnections?: number
  /** A folder with `bin/postgres` in place of the installed one. */
  binaries?: string
  onProgress?: (line: string) => void
  /** Gives up a start that is still under way, for instance a recovery after a crash. */
  signal?: AbortSignal
}

/**
 * Starts the durable server of an instance. It is started again if it ends by itself, and it stops when this
 * process ends, however that happens. The caller makes sure that one process at a time uses the folder.
 */
export const startPostgres = async (options: PostgresOptions): Promise<PostgresServer> => {
  const { folder, maxConnections = 100, binaries, onProgress = () => undefined, signal } = options
  const cluster = await openCluster({ folder, extraInitArguments: [], onProgress, binaries })
  await stopLeftover(cluster.data, onProgress)
  const settings = [`max_connections=${maxConnections}`]
  const run = (until?: AbortSignal) => launchPostmaster(cluster, { settings, holdsProcess: true, signal: until })
  return supervise(cluster, await onFreePort(cluster, () => run(signal)), run, onProgress)
}

/**
 * Starts an empty server for tests: without fsync, and gone with its data when this process ends. It does not keep
 * the process alive.
 */
export const startThrowawayPostgres = async (): Promise<PostgresServer> => {
  const folder = fs.mkdtempSync(join(tmpdir(), 'stoa-test-'))
  const cluster = await openCluster({ folder, extraInitArguments: ['--no-sync'], onProgress: () => undefined })
  const postmaster = await onFreePort(cluster, () =>
    launchPostmaster(cluster, { settings: THROWAWAY_SETTINGS, removeAfterwards: folder, holdsProcess: false }),
  )
  return describeServer(cluster, postmaster.stop)
}

const THROWAWAY_SETTINGS = [
  'max_connections=200',
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'wal_level=minimal',
  'max_wal_senders=0',
]

const RESTART_PAUSE_MS = 1000
const PORT_ATTEMPTS = 3

const describeServer = (cluster: Cluster, stop: () => Promise<void>): PostgresServer => ({
  port: cluster.port,
  password: cluster.password,
  url: (database) => `postgres://postgres:${cluster.password}@127.0.0.1:${cluster.port}/${database}`,
  stop,
})

const supervise = (
  cluster: Cluster,
  first: Postmaster,
  run: (until: AbortSignal) => Promise<Postmaster>,
  onProgress: (line: string) => void,
): PostgresServer => {
  const stopping = new AbortController()
  let current = first
  const restart = async (): Promise<void> => {
    try {
      await sleep(RESTART_PAUSE_MS, undefined, { signal: stopping.signal })
      await stopLeftover(cluster.data, onProgress)
      current = await run(stopping.signal)
    } catch (error) {
      if (!stopping.signal.aborted) onProgress(`PostgreSQL: ${error instanceof Error ? error.message : error}`)
    }
  }
  const watch = async (): Promise<void> => {
    for (;;) {
      await current.ended
      if (stopping.signal.aborted) return
      onProgress('PostgreSQL stopped unexpectedly; restarting it')
      await current.stop()
      await restart()
      if (stopping.signal.aborted) return
    }
  }
  const watching = watch()
  return describeServer(cluster, async () => {
    stopping.abort()
    await current.stop()
    await watching
    await current.stop()
  })
}

/** Keeps the port of the last start while it is free. Another program may take a free port before we do. */
const onFreePort = async (cluster: Cluster, run: () => Promise<Postmaster>): Promise<Postmaster> => {
  for (let attempt = 1; ; attempt++) {
    cluster.port = (await tryPort(cluster.port)) ?? (await tryPort(0)) ?? 0
    saveSettings(cluster)
    try {
      return await run()
    } catch (error) {
      if (attempt === PORT_ATTEMPTS || (await tryPort(cluster.port))) throw error
    }
  }
}

/** The port when it is free on loopback; 0 asks for any. */
const tryPort = (port: number): Promise<number | undefined> =>
  new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(undefined))
    probe.listen(port, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' ? address?.port : undefined))
    })
  })
