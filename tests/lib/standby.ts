import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Cluster, openCluster } from '@stoa/kit/postgres/cluster.ts'
import { readPidFile } from '@stoa/kit/postgres/leftover-server.ts'
import { launchPostmaster, type Postmaster } from '@stoa/kit/postgres/postmaster.ts'
import type { PostgresServer } from '@stoa/kit/postgres/server.ts'
import pg from 'pg'
import { freePort } from './free-port.ts'
import { until } from './waiting.ts'

/** A server that can have a standby. Nobody starts it again when it crashes; its data goes with this process. */
export type ReplicatedServer = PostgresServer & {
  /** A copy that follows this server, which it finds at `through`, or at this server's own port. */
  addStandby(options?: { through?: number }): Promise<ReplicatedServer>
  /** Commits wait for a standby, whether there is one or not; or they do not. */
  expectStandby(isSynchronous: boolean): Promise<void>
  /** Like `expectStandby`, and resolves when the standby replicates in this mode. */
  waitForStandby(isSynchronous: boolean): Promise<void>
  /** A standby takes over: it no longer follows, and takes writes. */
  promote(): Promise<void>
  /** SIGQUIT: no checkpoint, no goodbye, and what the standby does not have yet stays here. */
  crash(): Promise<void>
}

const STANDBY = 'standby'
const SETTINGS = ['fsync=off', 'wal_keep_size=256MB', 'checkpoint_timeout=60min', 'max_connections=200']

/** The first server, empty. */
export const startReplicatedServer = async (): Promise<ReplicatedServer> => {
  const folder = newFolder()
  const cluster = await openCluster({ folder, extraInitArguments: ['--no-sync'], onProgress: () => undefined })
  return run(cluster, [])
}

const newFolder = (): string => mkdtempSync(join(tmpdir(), 'stoa-replicated-'))

const run = async (given: Cluster, settings: string[]): Promise<ReplicatedServer> => {
  const cluster = { ...given, port: await freePort() }
  const postmaster = await launchPostmaster(cluster, {
    settings: [...SETTINGS, ...settings],
    removeAfterwards: cluster.folder,
    holdsProcess: false,
  })
  const url = (database: string): string =>
    `postgres://postgres:${cluster.password}@127.0.0.1:${cluster.port}/${database}`
  const ask = async (text: string) => (await withAdmin(url('postgres'), (admin) => admin.query(text))).rows
  const expectStandby = async (isSynchronous: boolean) => {
    await ask(`alter system set synchronous_standby_names = '${isSynchronous ? STANDBY : ''}'`)
    await ask('select pg_reload_conf()')
  }
  return {
    port: cluster.port,
    password: cluster.password,
    url,
    stop: () => whileAwake(postmaster.stop),
    crash: () => crash(cluster, postmaster),
    async promote() {
      await ask('select pg_promote()')
    },
    expectStandby,
    async waitForStandby(isSynchronous) {
      await expectStandby(isSynchronous)
      const state = isSynchronous ? 'sync' : 'async'
      const text = `select from pg_stat_replication where state = 'streaming' and sync_state = '${state}'`
      await until(async () => (await ask(text)).length > 0, `the standby is ${state}`)
    },
    async addStandby({ through = cluster.port } = {}) {
      const copy = { ...cluster, folder: newFolder() }
      copy.data = join(copy.folder, 'cluster')
      await withAdmin(url('postgres'), (admin) => copyData(admin, cluster.data, copy.data))
      const source = `host=127.0.0.1 port=${through} user=postgres password=${cluster.password}`
      return run(copy, [`primary_conninfo=${source} application_name=${STANDBY}`])
    },
  }
}

/** The embedded PostgreSQL comes without pg_basebackup: this is what it does. The label belongs to one connection. */
const copyData = async (admin: pg.Client, from: string, to: string): Promise<void> => {
  await admin.query(`select pg_backup_start('standby', true)`)
  // Files that go away meanwhile are written anew from the log.
  await promisify(execFile)('cp', ['-a', from, to]).catch(() => undefined)
  const { rows } = await admin.query('select labelfile from pg_backup_stop(false)')
  await promisify(execFile)('find', [join(to, 'pg_wal'), '-type', 'f', '-delete'])
  rmSync(join(to, 'postmaster.pid'), { force: true })
  writeFileSync(join(to, 'backup_label'), rows[0].labelfile)
  writeFileSync(join(to, 'standby.signal'), '')
  await promisify(execFile)('chown', ['--reference', from, join(to, 'backup_label'), join(to, 'standby.signal')])
}

/** The server does not keep this process alive, but waiting for its end does. */
const whileAwake = async (work: () => Promise<void>): Promise<void> => {
  const timer = setInterval(() => undefined, 1_000)
  await work().finally(() => clearInterval(timer))
}

const crash = async (cluster: Cluster, postmaster: Postmaster): Promise<void> => {
  const running = readPidFile(cluster.data)
  if (!running) throw new Error('the server is not running')
  process.kill(running.pid, 'SIGQUIT')
  await postmaster.ended
  await postmaster.stop()
}

const withAdmin = async <R>(url: string, use: (admin: pg.Client) => Promise<R>): Promise<R> => {
  const admin = new pg.Client({ connectionString: url })
  await admin.connect()
  try {
    return await use(admin)
  } finally {
    await admin.end()
  }
}
