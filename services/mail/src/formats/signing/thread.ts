import { parentPort } from 'node:worker_threads'
import { type DkimKey, hashBody, signHeader } from './dkim.ts'
import { sealMessage } from './seal.ts'

/** What a thread is asked, and what it answers. Bytes are handed over without a copy. */
export type ThreadJob =
  | { id: number; kind: 'sign'; key: DkimKey; header: Uint8Array; body: Uint8Array; at: Date }
  | {
      id: number
      kind: 'seal'
      key: DkimKey
      message: Uint8Array
      authResults: string
      chain: 'none' | 'pass' | 'fail'
      at: Date
    }
export type ThreadAnswer = { id: number; field: string } | { id: number; error: string }

const perform = async (job: ThreadJob): Promise<string> => {
  if (job.kind === 'seal') return sealMessage({ ...job, message: view(job.message) })
  return signHeader({ key: job.key, header: view(job.header), bodyHash: hashBody(view(job.body)), at: job.at })
}

const view = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

parentPort?.on('message', (job: ThreadJob) => {
  perform(job)
    .then((field): ThreadAnswer => ({ id: job.id, field }))
    .catch((error: unknown): ThreadAnswer => ({ id: job.id, error: error instanceof Error ? error.message : 'failed' }))
    .then((answer) => parentPort?.postMessage(answer))
})
