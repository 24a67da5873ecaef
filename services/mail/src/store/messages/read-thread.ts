import { parentPort } from 'node:worker_threads'
import { type MimeStructure, parseMessage } from '../../formats/mime/mime.ts'
import { type ReadMessage, readMessage } from './read.ts'

/** The thread's requests and answers. Bytes are handed over without a copy. */
export type ReadJob = { id: number; bytes: Uint8Array; isStructureOnly: boolean }
export type ReadAnswer =
  | { id: number; read: ReadMessage }
  | { id: number; structure: MimeStructure }
  | { id: number; error: string }

const answerTo = ({ id, bytes, isStructureOnly }: ReadJob): ReadAnswer => {
  try {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    return isStructureOnly ? { id, structure: parseMessage(buffer) } : { id, read: readMessage(buffer) }
  } catch (error) {
    return { id, error: error instanceof Error ? error.message : 'failed' }
  }
}

parentPort?.on('message', (job: ReadJob) => parentPort?.postMessage(answerTo(job)))
