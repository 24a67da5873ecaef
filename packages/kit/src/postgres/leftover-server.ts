import { spawnSync } from 'node:child_process'
import { readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** How long a fast shutdown may take (it writes a checkpoint) before PostgreSQL is stopped without one. */
export const FAST_SHUTDOWN_MS = 30_000

/** What `postmaster.pid` says: the process, and whether it accepts connections. */
export const readPidFile = (cluster: string): { pid: number; isReady: boolean } | undefined => {
  try {
    const lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')
    return { pid: Number(lines[0]), isReady: lines[7]?.trim() === 'ready' }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/**
 * Stops the postmaster that a killed run left in this cluster. A pid file whose process is something else is
 * removed: process numbers are reused, and PostgreSQL would refuse to start because of a stranger.
 */
export const stopLeftover = async (cluster: string, onProgress: (line: string) => void): Promise<void> => {
  const left = readPidFile(cluster)
  if (!left) return
  if (!isPostmasterOf(left.pid, cluster)) return rmSync(join(cluster, 'postmaster.pid'), { force: true })
  onProgress(`PostgreSQL: stopping process ${left.pid}, left behind by an earlier run`)
  process.kill(left.pid, 'SIGINT')
  if (await isGone(left.pid, cluster, FAST_SHUTDOWN_MS)) return
  process.kill(left.pid, 'SIGQUIT')
  if (await isGone(left.pid, cluster, FAST_SHUTDOWN_MS)) return
  throw new Error(`PostgreSQL process ${left.pid} on ${cluster} doesn't stop. Stop it manually and start again.`)
}

/** True only for a `postgres` process whose data folder is this cluster. */
const isPostmasterOf = (pid: number, cluster: string): boolean => {
  if (!Number.isInteger(pid) || pid <= 1) return false
  if (process.platform !== 'linux') {
    const command = spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout
    return command.includes('/bin/postgres ') && command.includes(`-D ${cluster} `)
  }
  try {
    const [program] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
    // Every PostgreSQL process works inside its data folder.
    return basename(program ?? '') === 'postgres' && readlinkSync(`/proc/${pid}/cwd`) === realpathSync(cluster)
  } catch {
    return false // gone, or a process of another user: in both cases not ours
  }
}

const isGone = async (pid: number, cluster: string, withinMs: number): Promise<boolean> => {
  const deadline = Date.now() + withinMs
  while (isPostmasterOf(pid, cluster)) {
    if (Date.now() > deadline) return false
    await sleep(50)
  }
  return true
}
