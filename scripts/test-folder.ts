import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { freemem } from 'node:os'
import { join } from 'node:path'

const GIB = 2 ** 30
// Ten times the space that tests use at the same time.
const ROOM_BYTES = 4 * GIB
const NAME = /^stoa-tests-(\d+)$/

/**
 * A folder in memory for what tests write, if this machine has the room; it is removed with the process that made it. Hundreds of
 * databases are copied and dropped in a run: on a disk that is a fifth of all its work.
 */
export const openMemoryFolder = (
  below = '/dev/shm',
  roomBytes = ROOM_BYTES,
): { path: string; remove(): void } | undefined => {
  if (!fs.existsSync(below)) return undefined
  removeLeftovers(below)
  const { bavail, bsize } = fs.statfsSync(below)
  if (Math.min(bavail * bsize, freemem()) < roomBytes) return undefined
  const path = join(below, `stoa-tests-${process.pid}`)
  const remove = (): void => fs.rmSync(path, { recursive: true, force: true })
  remove()
  fs.mkdirSync(path)
  // World-writable like the usual folder: PostgreSQL and other servers run as their own users.
  fs.chmodSync(path, 0o1777)
  if (canExecuteIn(path)) return { path, remove }
  remove()
  return undefined
}

/** A killed run could not clean up. */
const removeLeftovers = (below: string): void => {
  for (const name of fs.readdirSync(below)) {
    const pid = Number(NAME.exec(name)?.[1])
    if (pid && !isAlive(pid)) fs.rmSync(join(below, name), { recursive: true, force: true })
  }
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** Some systems allow no programs there. */
const canExecuteIn = (folder: string): boolean => {
  const program = join(folder, 'program')
  fs.writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 })
  const { status } = spawnSync(program)
  fs.rmSync(program)
  return status === 0
}
