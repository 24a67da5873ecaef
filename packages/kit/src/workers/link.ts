import cluster from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Channel, createChannel, inRounds } from './channel.ts'

/** How a worker reaches its primary, and through it the other workers of the machine. */
export type Link = Channel & {
  /** From 1; the one that takes the place of a worker that ended has the same number. */
  readonly number: number
  /** How many workers there are. */
  readonly count: number
  /** Comes back when every other worker has received everything that was committed before. */
  settleOthers(): Promise<void>
}

/** The time that other processes are waited for: one that hangs delays nobody for longer. */
const LONGEST_WAIT_MS = 250

/** Waits for an answer of other workers, if they give one in time. */
export const notForLong = async (answer: Promise<unknown>): Promise<void> => {
  const over = new AbortController()
  const late = sleep(LONGEST_WAIT_MS, undefined, { signal: over.signal, ref: false }).catch(() => undefined)
  await Promise.race([answer, late])
  over.abort()
}

const openLink = (): Link => {
  const channel = createChannel((message) => {
    if (process.connected) process.send?.(message)
  })
  process.on('message', channel.receive)
  process.on('disconnect', channel.close)
  const settleOthers = inRounds(() => notForLong(channel.ask('settle', null)))
  return { ...channel, number: Number(process.env[NUMBER]), count: Number(process.env[COUNT]), settleOthers }
}

/** Set by the primary for its workers. A process of a host's own cluster does not have them. */
export const NUMBER = 'STOA_WORKER'
export const COUNT = 'STOA_WORKERS'

/** Null in a process that has no others beside it on its ports. */
export const link: Link | null = cluster.isWorker && process.env[NUMBER] !== undefined ? openLink() : null
