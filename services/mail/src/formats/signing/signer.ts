import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { type DkimKey, hashBody, signHeader } from './dkim.ts'
import type { SealInput } from './seal.ts'
import type { ThreadAnswer, ThreadJob } from './thread.ts'

/** Signs without holding up everything else; what is large is read in threads of its own. */
export type Signer = {
  /** The DKIM-Signature field. `body` is the body, or its hash when it was too large to keep. */
  sign(input: { key: DkimKey; header: Buffer; body: Buffer | string; at: Date }): Promise<string>
  /** The ARC set of a forwarded message. */
  seal(input: SealInput): Promise<string>
  close(): Promise<void>
}

type Thread = { worker: Worker; jobs: Map<number, { resolve(field: string): void; reject(error: Error): void }> }
type Job = ThreadJob extends infer J ? (J extends ThreadJob ? Omit<J, 'id'> : never) : never

const MAX_THREADS = 4
/** To read less than this takes a part of a millisecond, which is less than to hand it over. */
const SMALL_BYTES = 65_536

/** Threads are started when they are needed; one that dies fails its jobs and is replaced. */
export const createSigner = (options: { threads?: number } = {}): Signer => {
  const limit = options.threads ?? Math.min(availableParallelism(), MAX_THREADS)
  const threads = new Set<Thread>()
  let nextId = 1
  let isClosed = false

  const start = (): Thread => {
    const thread: Thread = { worker: new Worker(new URL('./thread.ts', import.meta.url)), jobs: new Map() }
    const lose = (error: Error): void => {
      threads.delete(thread)
      for (const job of thread.jobs.values()) job.reject(error)
      thread.jobs.clear()
    }
    thread.worker.on('message', (answer: ThreadAnswer) => {
      const job = thread.jobs.get(answer.id)
      thread.jobs.delete(answer.id)
      if (thread.jobs.size === 0) thread.worker.unref()
      if ('field' in answer) job?.resolve(answer.field)
      else job?.reject(new Error(answer.error))
    })
    thread.worker.on('error', lose).on('exit', () => lose(new Error('a signing thread ended')))
    thread.worker.unref()
    threads.add(thread)
    return thread
  }
  const leastBusy = (): Thread => {
    let chosen: Thread | undefined
    for (const thread of threads) if (!chosen || thread.jobs.size < chosen.jobs.size) chosen = thread
    return chosen && (chosen.jobs.size === 0 || threads.size >= limit) ? chosen : start()
  }
  const run = (job: Job, owned: readonly Uint8Array<ArrayBuffer>[]): Promise<string> => {
    if (isClosed) return Promise.reject(new Error('the signer is closed'))
    const thread = leastBusy()
    const id = nextId++
    return new Promise((resolve, reject) => {
      thread.jobs.set(id, { resolve, reject })
      thread.worker.ref()
      thread.worker.postMessage(
        { ...job, id },
        owned.map(({ buffer }) => buffer),
      )
    })
  }

  return {
    async sign({ key, header, body, at }) {
      if (isClosed) throw new Error('the signer is closed')
      if (typeof body === 'string') return signHeader({ key, header, bodyHash: body, at })
      if (header.length + body.length <= SMALL_BYTES) return signHeader({ key, header, bodyHash: hashBody(body), at })
      const given = own(header)
      const bytes = own(body)
      return run({ kind: 'sign', key, header: given, body: bytes, at }, [given, bytes])
    },
    seal({ key, message, authResults, chain, at }) {
      const bytes = own(message)
      return run({ kind: 'seal', key, message: bytes, authResults, chain, at }, [bytes])
    },
    async close() {
      isClosed = true
      await Promise.all([...threads].map(({ worker }) => worker.terminate()))
    },
  }
}

/** A copy that can be handed over: the caller still needs its own, and small buffers share their memory. */
const own = (bytes: Buffer): Uint8Array<ArrayBuffer> => new Uint8Array(bytes)
