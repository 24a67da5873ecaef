import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { S3Client, S3Response } from './s3-client.ts'

/**
 * Says in the bucket which object a sweep is about to delete. A store has no compare-and-delete for objects that are
 * written again with the same content, so a put looks here afterwards: without a mark, any sweep of the key has either
 * ended, and it is seen whether the object is there, or has yet to look at its age.
 */
export type SweepMarks = {
  /** Runs the work under a mark. Fails with the work, and then leaves the mark: the deletion may still be under way. */
  during(key: string, work: (mayDelete: () => boolean) => Promise<boolean>): Promise<boolean>
  /** Resolves when no sweep is at work on the key. */
  none(key: string): Promise<void>
  /** Removes the marks of sweeps that died. */
  clean(): Promise<void>
}

/** A mark that is older belongs to a sweep that died; far more than the retries of a request take. */
const MARK_LIFE_MS = 60_000
const WAIT_MS = 50
const EMPTY_SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

export const createSweepMarks = (
  client: S3Client,
  prefix: string,
  list: (prefix: string) => AsyncIterable<{ object: string; modifiedAt: Date }>,
): SweepMarks => {
  const markOf = (key: string): string => `${prefix}/sweeping/${key}`
  const set = async (key: string): Promise<void> => {
    const body = { open: () => Readable.from([]), size: 0, sha256: EMPTY_SHA256 }
    const response = await client.send({ method: 'PUT', object: markOf(key), body, expect: [200] })
    await response.discard()
  }
  const clear = async (object: string): Promise<void> => {
    const response = await client.send({ method: 'DELETE', object, expect: [200, 204, 404] })
    await response.discard()
  }
  const isSet = async (key: string): Promise<boolean> => {
    const response = await client.send({ method: 'HEAD', object: markOf(key), expect: [200, 404] })
    await response.discard()
    return response.status === 200 && ageOf(response) < MARK_LIFE_MS
  }

  return {
    async during(key, work) {
      const start = performance.now()
      await set(key)
      const result = await work(() => performance.now() - start < MARK_LIFE_MS / 2)
      await clear(markOf(key))
      return result
    },
    async none(key) {
      while (await isSet(key)) await sleep(WAIT_MS)
    },
    async clean() {
      const dead = Date.now() - 2 * MARK_LIFE_MS
      for await (const { object, modifiedAt } of list(`${prefix}/sweeping/`))
        if (modifiedAt.getTime() < dead) await clear(object)
    },
  }
}

/** Measured by the store's own clock. */
const ageOf = (response: S3Response): number =>
  Date.parse(response.header('date') ?? '') - Date.parse(response.header('last-modified') ?? '') || 0
