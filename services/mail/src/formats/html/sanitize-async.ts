import { Worker } from 'node:worker_threads'
import { type ImageSource, imageUrls } from './images.ts'
import { type SanitizedHtml, sanitizeHtml } from './sanitize.ts'
import type { SanitizeAnswer, SanitizeJob } from './thread.ts'

/** More than nearly all mail has; cleaning it takes so long that everybody else would wait. */
const LARGE_HTML_LENGTH = 131_072

/** `sanitizeHtml` for HTML of any length: much of it is cleaned in a thread of its own. */
export const sanitizeHtmlAsync = (html: string, images: ImageSource): Promise<SanitizedHtml> =>
  html.length <= LARGE_HTML_LENGTH
    ? Promise.resolve(sanitizeHtml(html, imageUrls(images)))
    : sanitizeInThread(html, images)

type Job = { resolve(clean: SanitizedHtml): void; reject(error: Error): void }
type Thread = { worker: Worker; jobs: Map<number, Job> }

let current: Thread | null = null
let nextId = 1

const sanitizeInThread = (html: string, images: ImageSource): Promise<SanitizedHtml> => {
  const thread = current ?? startThread()
  current = thread
  const id = nextId
  nextId += 1
  return new Promise((resolve, reject) => {
    thread.jobs.set(id, { resolve, reject })
    thread.worker.ref()
    thread.worker.postMessage({ id, html, images } satisfies SanitizeJob)
  })
}

/** Started when it is needed, and kept; one that dies fails its jobs and is replaced. */
const startThread = (): Thread => {
  const thread: Thread = { worker: new Worker(new URL('./thread.ts', import.meta.url)), jobs: new Map() }
  const lose = (error: Error): void => {
    if (current === thread) current = null
    for (const job of thread.jobs.values()) job.reject(error)
    thread.jobs.clear()
  }
  thread.worker.on('message', (answer: SanitizeAnswer) => {
    const job = thread.jobs.get(answer.id)
    thread.jobs.delete(answer.id)
    if (thread.jobs.size === 0) thread.worker.unref()
    if ('clean' in answer) job?.resolve(answer.clean)
    else job?.reject(new Error(answer.error))
  })
  thread.worker.on('error', lose).on('exit', () => lose(new Error('the cleaning thread ended')))
  return thread
}
