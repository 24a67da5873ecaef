import type { Attachment, Message, MessageItem } from '@stoa/mail-model/messages.ts'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { RequestError } from '@stoa/ui/request/request.ts'
import { isSignedOut } from '../../../api.ts'
import { sendMailbox } from '../../api.ts'
import { onSaveWriting } from '../compose.ts'
import { forgetFiles, isUploading } from '../files.ts'
import { isEmptyLetter, type LetterFile, letterJson, readyFiles, shapeOf } from '../letter.ts'
import { replaceLostSender } from '../sender.ts'
import {
  allWindows,
  amendLetter,
  type ComposeWindow,
  isShown,
  onEdited,
  removeWindow,
  showWindow,
  updateWindow,
  windowOf,
} from '../windows.ts'
import { type DraftState, isSaving, isUnsaved, stepDraft } from './draft-state.ts'
import { forgetWindow, isOnlyHere, keepWindow } from './kept-windows.ts'
import { carriedBy, exists, findDraft, isGone } from './lost-answers.ts'
import { type ComposeSession, currentSession, refreshLists } from './session.ts'

/** After this long without a key. */
const PAUSE_MS = 2000
/** The delay before typed text is stored in the browser, which comes before saving. */
const KEEP_MS = 300
/** Between attempts while the service does not answer. */
const RETRY_MS = 10_000
/** Time for the last save of the previous page to arrive, after the start of this page. */
const LEFT_SAVE_MS = 5000
const LOOK_AGAIN_MS = 500
/** Browsers finish requests of a page that is left only if they are small. */
const KEEPALIVE_BYTES = 60_000

const timers = new Map<string, ReturnType<typeof setTimeout>>()
const keepTimers = new Map<string, ReturnType<typeof setTimeout>>()
const running = new Map<string, Promise<boolean>>()

/** Saves what is written after each pause, when the line is back, and when the page is left. */
export const startSaving = (): (() => void) => {
  const stopListening = onEdited((id) => {
    later(keepTimers, id, KEEP_MS, () => keep(id))
    later(timers, id, PAUSE_MS, () => void saveDraft(id))
  })
  const saveEach = async () => (await Promise.all(allWindows().map(({ id }) => saveDraft(id)))).every(Boolean)
  const saveAll = () => void saveEach()
  const stopSaving = onSaveWriting(saveEach)
  const whenHidden = () => {
    if (document.visibilityState === 'hidden') saveAll()
  }
  window.addEventListener('online', saveAll)
  window.addEventListener('pagehide', leavePage)
  window.addEventListener('beforeunload', askBeforeLeaving)
  document.addEventListener('visibilitychange', whenHidden)
  return () => {
    stopListening()
    stopSaving()
    keepNow()
    window.removeEventListener('online', saveAll)
    window.removeEventListener('pagehide', leavePage)
    window.removeEventListener('beforeunload', askBeforeLeaving)
    document.removeEventListener('visibilitychange', whenHidden)
  }
}

/** Flushes pending writes at once: later they would restore a copy that was removed. */
const keepNow = (): void => {
  for (const [id, timer] of keepTimers) {
    clearTimeout(timer)
    keep(id)
  }
  keepTimers.clear()
}

/** Text is kept, unless the browser has no room; a file that is half sent is not. */
const askBeforeLeaving = (event: BeforeUnloadEvent): void => {
  if (allWindows().some((one) => isUploading(one) || isOnlyHere(one))) event.preventDefault()
}

const later = (of: typeof timers, id: string, milliseconds: number, work: () => void): void => {
  clearTimeout(of.get(id))
  of.set(id, setTimeout(work, milliseconds))
}

const keep = (id: string): boolean => {
  const one = windowOf(id)
  return !one || keepWindow(one)
}

/** Saves what is not saved yet. True when the service has everything that was written when this was called. */
export const saveDraft = async (id: string): Promise<boolean> => {
  await running.get(id)
  const work = saveOnce(id)
  running.set(id, work)
  try {
    return await work
  } finally {
    if (running.get(id) === work) running.delete(id)
    finishClosing(id)
  }
}

const saveOnce = async (id: string): Promise<boolean> => {
  clearTimeout(timers.get(id))
  const one = windowOf(id)
  const session = currentSession()
  if (!one || !session || session.mailbox.id !== one.mailboxId) return false
  if (one.phase === 'sent' || one.phase === 'loading') return true
  if (!isUnsaved(one.draft) || one.lostSend !== null) return one.lostSend === null
  if (one.draftId === null && isEmptyLetter(one.letter)) return true
  step(id, { kind: 'started' })
  try {
    await save(id, session)
    step(id, { kind: 'saved', at: Date.now() })
    keep(id)
    refreshLists(session)
    return true
  } catch (error) {
    const problem = problemOf(error)
    step(id, { kind: 'failed', problem: keep(id) ? problem : { ...problem, message: ONLY_HERE } })
    const isPassing =
      error instanceof RequestError && (error.status === 0 || error.status === 429 || error.status >= 500)
    if (isPassing) later(timers, id, RETRY_MS, () => void saveDraft(id))
    return false
  }
}

const ONLY_HERE = 'Not saved: browser storage is full. Keep this tab open'

const step = (id: string, event: Parameters<typeof stepDraft>[1]): void => {
  const one = windowOf(id)
  if (one) updateWindow(id, { draft: stepDraft(one.draft, event) })
}

const problemOf = (error: unknown): NonNullable<DraftState['problem']> => {
  if (isSignedOut(error)) return { kind: 'signed-out', message: 'Signed out. Saved in this browser' }
  if (error instanceof RequestError && error.status === 0)
    return { kind: 'offline', message: 'Offline. Saved in this browser' }
  return { kind: 'refused', message: `Not saved: ${messageOf(error)}` }
}

const save = async (id: string, session: ComposeSession): Promise<void> => {
  await settleLostSave(id, session)
  const one = windowOf(id)
  if (!one) return
  const carried = carriedBy(one.letter)
  const shape = shapeOf(one.letter)
  updateWindow(id, { lostSave: carried })
  let saved: MessageItem
  try {
    saved = await post(one)
  } catch (error) {
    const isAnswered = error instanceof RequestError && error.status >= 400 && error.status < 500
    if (isAnswered) updateWindow(id, { lostSave: null })
    if (!isGone(error)) throw error
    if (!(await replaceLostSender(id, session))) {
      if (one.draftId === null || (await exists(one.draftId))) throw error
      // Another tab or program replaced or removed it: theirs stays, and this becomes a draft of its own
      leaveDraft(id)
    }
    const again = windowOf(id)
    if (!again) return
    saved = await post(again)
  }
  updateWindow(id, { lostSave: null })
  await moveFiles(id, { draftId: saved.id, shape })
}

const post = ({ letter, draftId }: ComposeWindow): Promise<MessageItem> =>
  sendMailbox<MessageItem>('POST', '/api/mail/drafts', {
    body: { ...(draftId === null ? {} : { id: draftId }), ...letterJson(letter, draftId) },
  })

/** Whether the save whose answer was lost was made; what it made goes on as this draft. */
const settleLostSave = async (id: string, session: ComposeSession): Promise<void> => {
  const one = windowOf(id)
  if (!one || one.lostSave === null) return
  let found = await findDraft(session, one.lostSave)
  while (found === null && performance.now() < LEFT_SAVE_MS) {
    await new Promise((waited) => setTimeout(waited, LOOK_AGAIN_MS))
    found = await findDraft(session, one.lostSave)
  }
  if (found !== null) await moveFiles(id, { draftId: found, shape: '' })
  updateWindow(id, { lostSave: null })
}

const leaveDraft = (id: string): void => {
  updateWindow(id, {
    draftId: null,
    draftShape: '',
    problem: 'This draft was changed or deleted somewhere else. Your text is kept as a new draft.',
  })
  amendLetter(id, ({ files }) => ({
    files: files.map((file) =>
      file.part !== null && file.blobId === null
        ? {
            ...file,
            part: null,
            state: 'failed',
            canRetry: false,
            problem: 'The file was deleted with the draft. Attach it again.',
          }
        : { ...file, part: null },
    ),
  }))
}

/** The new draft has the files where the old one had them, or at the places that it names. */
export const moveFiles = async (id: string, { draftId, shape }: { draftId: string; shape: string }): Promise<void> => {
  const one = windowOf(id)
  if (!one) return
  const isKnown = shape !== '' && shape === one.draftShape
  updateWindow(id, { draftId, draftShape: shape })
  const ready = readyFiles(one.letter)
  if (ready.length === 0) return
  if (isKnown) {
    amendLetter(id, ({ files }) => ({
      files: files.map((file) => (file.part ? { ...file, part: { ...file.part, draftId } } : file)),
    }))
    return
  }
  const { attachments } = await sendMailbox<Message>('GET', `/api/mail/messages/${draftId}`)
  const sections = sectionsOf(ready, attachments)
  amendLetter(id, ({ files }) => ({
    files: files.map((file) => {
      const section = sections.get(file.key)
      return section === undefined ? file : { ...file, part: { draftId, section } }
    }),
  }))
}

/** Keeps the draft and takes the window away; it goes when everything is saved. */
export const closeWindow = (id: string): void => {
  const one = windowOf(id)
  if (!one) return
  if (isUploading(one)) {
    showWindow(id, 'minimised')
    toast({ title: 'Files are still uploading', description: 'Wait for the upload to finish, or discard the message.' })
    return
  }
  updateWindow(id, { phase: 'closing' })
  keep(id)
  void saveDraft(id).then(() => announceClosed(one))
}

/** Takes a window out of its place below a message; an answer that was only begun is not missed. */
export const popOut = (id: string): void => {
  const one = windowOf(id)
  if (!one || one.inlineAt === null || !isShown(one)) return
  if (isUnsaved(one.draft) || one.draftId !== null) showWindow(id, 'docked')
  else closeWindow(id)
}

/** Tells the person whether the draft of a closed window is saved. */
const announceClosed = ({ id, draft, letter }: ComposeWindow): void => {
  const left = windowOf(id)
  // The window was reopened in the meantime
  if (left && left.phase !== 'closing') return
  if (left) {
    toast({ tone: 'danger', title: 'Draft not saved yet', description: KEPT_HERE })
    return
  }
  if (isUnsaved(draft) && !isEmptyLetter(letter)) toast({ title: 'Draft saved' })
}

const KEPT_HERE = "It's stored in this browser and will be saved once you're back online."

const finishClosing = (id: string): void => {
  const one = windowOf(id)
  if (one?.phase !== 'closing' || isSaving(one.draft)) return
  if (isUnsaved(one.draft) && !(one.draftId === null && isEmptyLetter(one.letter))) return
  dropWindow(id)
}

/** Ends a window; nothing of it is kept in the browser. */
export const dropWindow = (id: string): void => {
  const one = windowOf(id)
  if (!one) return
  clearTimeout(timers.get(id))
  clearTimeout(keepTimers.get(id))
  forgetWindow(one)
  forgetFiles(one)
  removeWindow(id)
}

/** The text is in the browser before the page is gone; the service gets it if that is quick enough. */
const leavePage = (): void => {
  for (const one of allWindows()) {
    if (one.phase === 'sent' || one.phase === 'loading' || one.phase === 'sending') continue
    const canSave =
      isUnsaved(one.draft) &&
      !isSaving(one.draft) &&
      one.lostSend === null &&
      // Without it the cookie alone says whose draft it is, and another tab may have changed that
      one.letter.identityId !== null &&
      !isEmptyLetter(one.letter)
    const body = canSave
      ? JSON.stringify({ ...(one.draftId ? { id: one.draftId } : {}), ...letterJson(one.letter, one.draftId) })
      : ''
    const isSent = canSave && one.lostSave === null && body.length < KEEPALIVE_BYTES && navigator.onLine
    if (isSent) updateWindow(one.id, { lostSave: carriedBy(one.letter) })
    keep(one.id)
    // Its answer is never read: the next page looks whether it was carried out
    if (isSent)
      void fetch('/api/mail/drafts', { method: 'POST', keepalive: true, headers: JSON_TYPE, body }).catch(
        () => undefined,
      )
  }
}

const JSON_TYPE = { 'content-type': 'application/json' }

/** At which place of a saved draft each file is, by the keys of the files. Names may come back changed, sizes do not. */
export const sectionsOf = (
  files: readonly Pick<LetterFile, 'key' | 'filename' | 'size' | 'contentId'>[],
  attachments: readonly Attachment[],
): Map<string, string> => {
  const free = [...attachments]
  const sections = new Map<string, string>()
  const tests: readonly ((file: (typeof files)[number], saved: Attachment) => boolean)[] = [
    (file, saved) => file.contentId !== null && saved.content_id === file.contentId,
    (file, saved) => file.contentId === null && saved.filename === file.filename && saved.size_bytes === file.size,
    (file, saved) => file.contentId === null && saved.content_id === null && saved.size_bytes === file.size,
  ]
  for (const fits of tests)
    for (const file of files) {
      if (sections.has(file.key)) continue
      const at = free.findIndex((saved) => fits(file, saved))
      const [saved] = at === -1 ? [] : free.splice(at, 1)
      if (saved) sections.set(file.key, saved.section)
    }
  return sections
}
