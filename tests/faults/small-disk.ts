import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A disk of its own with little room, in a folder that is made for it. */
export type SmallDisk = {
  /** Takes what room there is, and what is let go meanwhile, until `free` is called. */
  fill(): void
  free(): void
  close(): void
}

const REFILL_MS = 100

export const mountSmallDisk = (folder: string, megabytes: number): SmallDisk => {
  mkdirSync(folder)
  const options = ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder]
  if (spawnSync('mount', options).status !== 0) throw new Error('this run mounts a small disk: it needs to be root')
  const filler = join(folder, 'filler')
  let refilling: NodeJS.Timeout | undefined
  return {
    fill() {
      takeRoom(folder, filler)
      refilling = setInterval(() => takeRoom(folder, filler), REFILL_MS)
    },
    free() {
      clearInterval(refilling)
      rmSync(filler)
    },
    close() {
      clearInterval(refilling)
      spawnSync('umount', [folder])
    },
  }
}

const takeRoom = (folder: string, filler: string): void => {
  const { bavail, bsize } = statfsSync(folder)
  try {
    writeFileSync(filler, Buffer.alloc(bavail * bsize), { flag: 'a' })
  } catch (error) {
    // Others have taken some of the room meanwhile: it is as full as it was to be.
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
  }
}
