import { Worker } from 'node:worker_threads'
import { type MimeStructure, parseMessage } from '../../formats/mime/mime.ts'
import { type ReadMessage, readMessage } from './read.ts'
import type { ReadAnswer, ReadJob } from './read-thread.ts'

/** Reading so much takes some milliseconds; everybody else waits meanwhile. */
const LARGE_MESSAGE_BYTES = 1_048_576

/**
 * `readMessage` for messages of any size: a large one is read in a thread of its own, so that nobody waits for it. Its
 * bytes are handed over, and must not be used afterwards.
 */
export const readMessageAsync = async (bytes: Buffer): Promise<ReadMessage> => {
  if (bytes.length <= LARGE_MESSAGE_BYTES) return readMessage(bytes)
  const answer = await askThread(bytes, false)
  return 'read' in answer ? withBuffers(answer.read) : refuseAnswer(answer)
}

/** `parseMessage` in the same way; the bytes stay usable. */
export const parseMessageAsync = async (bytes: Buffer): Promise<MimeStructure> => {
  if (bytes.length <= LARGE_MESSAGE_BYTES) return parseMessage(bytes)
  const answer = await askThread(Buffer.from(bytes), true)
  return 'structure' in answer ? answer.structure : refuseAnswer(answer)
}

const refuseAnswer = (answer: ReadAnswer): never => {
  throw new Error('error' in answer ? answer.error : 'the reading thread answered something else')
}

type Job = { resolve(answer: ReadAnswer): void; reject(error: Error): void }
type Thread = { worker: Worker; jobs: Map<number, Job> }

let current: Thread | null = null
let nextId = 1

const askThread = (bytes: Buffer, isStructureOnly: boolean): Promise<ReadAnswer> => {
  const thread = current ?? startThread()
  current = thread
  const id = nextId
  nextId += 1
  return new Promise((resolve, reject) => {
    thread.jobs.set(id, { resolve, reject })
    thread.worker.ref()
    const { buffer } = bytes
    const isWhole = bytes.byteLength === buffer.byteLength && buffer instanceof ArrayBuffer
    const own = isWhole ? new Uint8Array(buffer) : new Uint8Array(bytes)
    thread.worker.postMessage({ id, bytes: own, isStructureOnly } satisfies ReadJob, [own.buffer])
  })
}

/** Started when it is needed, and kept; one that dies fails its jobs and is replaced. */
const startThread = (): Thread => {
  const thread: Thread = { worker: new Worker(new URL('./read-thread.ts', import.meta.url)), jobs: new Map() }
  const lose = (error: Error): void => {
    if (current === thread) current = null
    for (const job of thread.jobs.values()) job.reject(error)
    thread.jobs.clear()
  }
  thread.worker.on('message', (answer: ReadAnswer) => {
    const job = thread.jobs.get(answer.id)
    thread.jobs.delete(answer.id)
    if (thread.jobs.size === 0) thread.worker.unref()
    job?.resolve(answer)
  })
  thread.worker.on('error', lose).on('exit', () => lose(new Error('the reading thread ended')))
  return thread
}

/** A Buffer arrives from a worker thread as a plain Uint8Array. */
const withBuffers = (read: ReadMessage): ReadMessage => ({
  ...read,
  headers: read.headers && Buffer.from(read.headers),
  threadIds: read.threadIds.map((id) => Buffer.from(id)),
  subjectHash: Buffer.from(read.subjectHash),
})
