import { parentPort } from 'node:worker_threads'
import { type ImageSource, imageUrls } from './images.ts'
import { type SanitizedHtml, sanitizeHtml } from './sanitize.ts'

/** Messages to and from the worker thread. */
export type SanitizeJob = { id: number; html: string; images: ImageSource }
export type SanitizeAnswer = { id: number; clean: SanitizedHtml } | { id: number; error: string }

const answerTo = ({ id, html, images }: SanitizeJob): SanitizeAnswer => {
  try {
    return { id, clean: sanitizeHtml(html, imageUrls(images)) }
  } catch (error) {
    return { id, error: error instanceof Error ? error.message : 'failed' }
  }
}

parentPort?.on('message', (job: SanitizeJob) => parentPort?.postMessage(answerTo(job)))
