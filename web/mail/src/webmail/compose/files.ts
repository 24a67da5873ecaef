import { newKey } from '@stoa/ui/browser/new-key.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { formatBytes } from '@stoa/ui/text/format.ts'
import type { LetterFile } from './letter.ts'
import { MAX_FILE_BYTES, MAX_FILES, MAX_MESSAGE_BYTES, mailedSize } from './limits.ts'
import { canRetry, uploadFile } from './upload.ts'
import { amendLetter, type ComposeWindow, editLetter, windowOf } from './windows.ts'

/** The service takes four of a mailbox at once. */
const PARALLEL = 3

/** The bytes of files that were chosen on this page: for trying again, and to show pictures. */
const bytes = new Map<string, { file: File; url: string | null; abort: AbortController | null }>()

/** Adds files and begins to upload them. Pictures of the text have an id in it; it is given back. */
export const addFiles = (windowId: string, files: readonly File[], { isInline = false } = {}): (string | null)[] => {
  const added = files.map((file) => newFile(windowId, file, isInline))
  editLetter(windowId, (letter) => ({ files: [...letter.files, ...added] }))
  pump(windowId)
  return added.map(({ contentId, state }) => (state === 'failed' ? null : contentId))
}

const newFile = (windowId: string, file: File, isInline: boolean): LetterFile => {
  const key = newKey()
  bytes.set(key, { file, url: isInline ? URL.createObjectURL(file) : null, abort: null })
  const problem = problemOf(windowId, file)
  return {
    key,
    filename: file.name || (isInline ? 'picture.png' : 'file'),
    size: file.size,
    contentType: file.type || 'application/octet-stream',
    contentId: isInline ? `${key}@stoa` : null,
    blobId: null,
    part: null,
    state: problem === null ? 'waiting' : 'failed',
    share: 0,
    problem,
    canRetry: false,
  }
}

/** Said before a byte is sent. */
const problemOf = (windowId: string, file: File): string | null => {
  const files = windowOf(windowId)?.letter.files ?? []
  const used = files.filter(({ state }) => state !== 'failed')
  if (used.length >= MAX_FILES) return `You can attach up to ${MAX_FILES} files.`
  if (file.size > MAX_FILE_BYTES)
    return `Too large: ${formatBytes(file.size)}. The limit is ${formatBytes(MAX_FILE_BYTES)} per message.`
  const total = used.reduce((sum, { size }) => sum + mailedSize(size), mailedSize(file.size))
  if (total > MAX_MESSAGE_BYTES) return `Attachments exceed the limit of ${formatBytes(MAX_FILE_BYTES)} per message.`
  return null
}

const change = (windowId: string, key: string, patch: Partial<LetterFile>): void =>
  amendLetter(windowId, ({ files }) => ({
    files: files.map((file) => (file.key === key ? { ...file, ...patch } : file)),
  }))

const pump = (windowId: string): void => {
  const one = windowOf(windowId)
  if (!one) return
  const running = one.letter.files.filter(({ state }) => state === 'sending').length
  for (const { key } of one.letter.files.filter(({ state }) => state === 'waiting').slice(0, PARALLEL - running))
    void run(one, key)
}

const run = async ({ id, mailboxId }: ComposeWindow, key: string): Promise<void> => {
  const held = bytes.get(key)
  if (!held) return change(id, key, { state: 'failed', problem: 'Attach the file again.', canRetry: false })
  const abort = new AbortController()
  held.abort = abort
  change(id, key, { state: 'sending', share: 0, problem: null })
  try {
    const onProgress = (share: number) => change(id, key, { share })
    const blobId = await uploadFile(held.file, { mailboxId, onProgress, signal: abort.signal })
    // An edit: the draft is saved with it
    editLetter(id, ({ files }) => ({
      files: files.map((file) => (file.key === key ? { ...file, blobId, state: 'ready', share: 1 } : file)),
    }))
  } catch (error) {
    if (!abort.signal.aborted)
      change(id, key, { state: 'failed', problem: messageOf(error), canRetry: canRetry(error) })
  }
  pump(id)
}

export const retryFile = (windowId: string, key: string): void => {
  change(windowId, key, { state: 'waiting', problem: null, share: 0 })
  pump(windowId)
}

/** Takes a file away, on its way or not. */
export const removeFile = (windowId: string, key: string): void => {
  bytes.get(key)?.abort?.abort()
  editLetter(windowId, ({ files }) => ({ files: files.filter((file) => file.key !== key) }))
  pump(windowId)
}

/** The URL of an inline picture in the text. */
export const pictureUrl = (windowId: string, contentId: string): string | null => {
  const one = windowOf(windowId)
  const file = one?.letter.files.find((each) => each.contentId === contentId)
  if (!one || !file) return null
  const url = bytes.get(file.key)?.url
  if (url) return url
  if (file.part) return `/api/mail/messages/${file.part.draftId}/part/${file.part.section}`
  const [, messageId, section] = /^p([0-9a-f-]{36})-([0-9_]+)$/.exec(file.blobId ?? '') ?? []
  if (messageId && section) return `/api/mail/messages/${messageId}/part/${section.replaceAll('_', '.')}`
  const query = new URLSearchParams({ type: file.contentType })
  return file.blobId === null ? null : `/jmap/download/${one.mailboxId}/${file.blobId}/picture?${query}`
}

export const isUploading = ({ letter }: ComposeWindow): boolean =>
  letter.files.some(({ state }) => state === 'waiting' || state === 'sending')

/** Aborts uploads and frees the bytes of a window that is gone. */
export const forgetFiles = ({ letter }: ComposeWindow): void => {
  for (const { key } of letter.files) {
    const held = bytes.get(key)
    held?.abort?.abort()
    if (held?.url) URL.revokeObjectURL(held.url)
    bytes.delete(key)
  }
}
