import { parentPort } from 'node:worker_threads'
import { type ReadMessage, readMessage } from './read.ts'

/** What the thread is asked, and what it answers. Bytes are handed over without a copy. */
export type ReadJob = { id: number; bytes: Uint8Array }
export type ReadAnswer = { id: number; read: ReadMessage } | { id: number; error: string }

const answerTo = ({ id, bytes }: ReadJob): ReadAnswer => {
  try {
    return { id, read: readMessage(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)) }
  } catch (error) {
    return { id, error: error instanceof Error ? error.message : 'failed' }
  }
}

parentPort?.on('message', (job: ReadJob) => parentPort?.postMessage(answerTo(job)))
