import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { freemem } from 'node:os'
import { join } from 'node:path'

const GIB = 2 ** 30
// Ten times the space that tests use at the same time.
const ROOM_BYTES = 4 * GIB
const MOUNTS = '/proc/mounts'
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
  const remove = (): void => removeTree(path)
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
    if (pid && !isAlive(pid)) removeTree(join(below, name))
  }
}

/** With the small disks that a killed run left mounted in it. */
const removeTree = (path: string): void => {
  const mounts = fs.existsSync(MOUNTS) ? fs.readFileSync(MOUNTS, 'utf8').split('\n') : []
  const points = mounts.map((line) => line.split(' ')[1] ?? '').filter((point) => point.startsWith(`${path}/`))
  for (const point of points) spawnSync('umount', ['--lazy', point])
  fs.rmSync(path, { recursive: true, force: true })
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
