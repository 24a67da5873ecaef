import type { SentMessage, Submission } from '@stoa/mail-model/compose.ts'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { messageOf, ProblemError, problemOf } from '@stoa/ui/request/problem.ts'
import { RequestError } from '@stoa/ui/request/request.ts'
import { formatMoment } from '../actions/snooze-times.ts'
import { sendMailbox } from '../api.ts'
import { letterJson } from './letter.ts'
import { freshDraft, stepDraft } from './saving/draft-state.ts'
import { forgetWindow, keepWindow } from './saving/kept-windows.ts'
import { carriedBy, exists, findSent, isGone } from './saving/lost-answers.ts'
import { dropWindow, moveFiles, saveDraft } from './saving/saving.ts'
import { type ComposeSession, currentSession, loadSettings, refreshLists } from './saving/session.ts'
import { replaceLostSender } from './sender.ts'
import {
  type ComposeWindow,
  type FieldName,
  type FieldProblems,
  showWindow,
  updateWindow,
  windowOf,
} from './windows.ts'

/** Sent mail stays in memory for as long as it can be taken back, and a little longer. */
const REMEMBER_MS = 15_000

/** Sends what is written, now or at a moment. Never twice: see lost.ts. */
export const sendLetter = async (id: string, sendAt: Date | null = null): Promise<void> => {
  const session = currentSession()
  const one = windowOf(id)
  if (!session || !one || one.phase !== 'writing') return
  updateWindow(id, { phase: 'sending', problem: null, fieldProblems: {} })
  try {
    const sent = one.lostSend === null ? null : await resolveLostSend(id)
    const submission = sent ?? (await post(id, session, sendAt))
    if (submission) await finish(id, session, submission, sendAt)
  } catch (error) {
    fail(id, error)
  }
}

const post = async (id: string, session: ComposeSession, sendAt: Date | null): Promise<Submission | null> => {
  const { undo_seconds: undoSeconds } = await loadSettings(session)
  const first = windowOf(id)
  // A message is sent by the id of its draft, so an unsaved one is saved first
  if (first?.draftId === null) updateWindow(id, { draft: stepDraft(first.draft, { kind: 'edited' }) })
  const isSaved = await saveDraft(id)
  const one = windowOf(id)
  if (!one) return null
  const { problem } = one.draft
  if (!isSaved && problem?.kind === 'refused') throw new ProblemError(`Couldn't send. ${problem.message}`)
  if (!isSaved || one.draftId === null) throw new RequestError({ message: NOT_SAVED, fields: [] }, 0, 'not_saved')
  // Its sender was gone, and somebody has to see from whom it goes now
  if (one.fieldProblems.from !== undefined) return writeOn(id)
  updateWindow(id, { lostSend: carriedBy(one.letter) })
  keep(id)
  try {
    const { submission } = await sendMailbox<SentMessage>('POST', '/api/mail/send', {
      body: {
        ...letterJson(one.letter, one.draftId),
        draft_id: one.draftId,
        ...(sendAt ? { send_at: sendAt.toISOString() } : { undo_seconds: undoSeconds }),
      },
    })
    return submission
  } catch (error) {
    if (!isGone(error)) throw error
    updateWindow(id, { lostSend: null })
    if (await replaceLostSender(id, session)) {
      updateWindow(id, { draft: stepDraft(one.draft, { kind: 'edited' }) })
      return writeOn(id)
    }
    if (await exists(one.draftId)) throw new ProblemError(`Couldn't send. ${messageOf(error)}`)
    throw error
  }
}

const writeOn = (id: string): null => {
  updateWindow(id, { phase: 'writing' })
  keep(id)
  return null
}

const NOT_SAVED =
  "Couldn't send: the server isn't responding. Your message is saved here. Try again when you're online."
const UNSURE = "The connection was lost while sending. Press Send again: we check first, so it's never sent twice."

const keep = (id: string): void => {
  const one = windowOf(id)
  if (one) keepWindow(one)
}

const fail = (id: string, error: unknown): void => {
  const one = windowOf(id)
  if (!one) return
  const isAnswered = error instanceof RequestError && error.status >= 400 && error.status < 500
  const isUnsure = one.lostSend !== null && !isAnswered
  updateWindow(id, { phase: 'writing', lostSend: isUnsure ? one.lostSend : null })
  keep(id)
  if (isUnsure) {
    updateWindow(id, { problem: UNSURE })
    return
  }
  if (isGone(error)) {
    updateWindow(id, {
      draftId: null,
      draftShape: '',
      problem: 'This draft was changed or sent somewhere else. Check Sent before you send it again.',
    })
    return
  }
  const { message, fields } = problemOf(error)
  const fieldProblems: FieldProblems = {}
  for (const { key, message: words } of fields) {
    const field = fieldOf(key)
    if (field) fieldProblems[field] = words
  }
  updateWindow(id, { fieldProblems, problem: Object.keys(fieldProblems).length > 0 ? null : message })
}

const fieldOf = (key: string): FieldName | null => {
  const [name = ''] = key.split('.')
  if (name === 'to' || name === 'cc' || name === 'bcc' || name === 'subject') return name
  if (name === 'attachments') return 'files'
  return name === 'identity_id' || name === 'from_name' ? 'from' : null
}

/** The outcome of a send whose answer was lost: its submission, or null when it was not carried out. */
const resolveLostSend = async (id: string): Promise<Submission | null> => {
  const one = windowOf(id)
  if (!one || one.lostSend === null) return null
  // The draft goes in the transaction that sends: while it is there, nothing was sent
  const wasSent = one.draftId !== null && !(await exists(one.draftId))
  const found = wasSent ? await findSent(one.lostSend) : null
  updateWindow(id, { lostSend: null, ...(wasSent && !found ? { draftId: null, draftShape: '' } : {}) })
  return found
}

/** Asks again for what was being sent when the page was left. */
export const settleRecovered = async (id: string): Promise<void> => {
  const session = currentSession()
  if (!session || windowOf(id)?.lostSend == null) return
  try {
    const found = await resolveLostSend(id)
    if (!found) return
    dropWindow(id)
    refreshLists(session)
    toast({ tone: 'success', title: 'Your message was sent' })
  } catch (error) {
    updateWindow(id, { problem: messageOf(error) })
  }
}

const finish = async (
  id: string,
  session: ComposeSession,
  submission: Submission,
  sendAt: Date | null,
): Promise<void> => {
  const one = windowOf(id)
  if (!one) return
  forgetWindow(one)
  updateWindow(id, { phase: 'sent', lostSend: null, lostSave: null })
  void mark(one, true)
  refreshLists(session)
  void session.client.invalidateQueries({ queryKey: ['webmail', 'contacts'] })
  const left = new Date(submission.send_at).getTime() - Date.now()
  const canUndo = submission.status === 'pending' && left > 0
  const undo = { label: 'Undo', onAction: () => void takeBack(id, submission.id) }
  const stay = sendAt ? REMEMBER_MS : Math.max(left, 0)
  if (canUndo && !sendAt) toast({ title: SENT, action: undo, countdown: countdownFor(left) })
  else
    toast({
      tone: 'success',
      title: sendAt ? `Scheduled for ${formatMoment(sendAt)}` : SENT,
      ...(canUndo ? { action: undo, durationMs: stay } : {}),
    })
  setTimeout(() => {
    if (windowOf(id)?.phase === 'sent') dropWindow(id)
  }, stay + REMEMBER_MS)
}

const SENT = 'Message sent'

const countdownFor = (leftMs: number) => ({
  from: Date.now(),
  until: Date.now() + leftMs,
  words: (seconds: number) => `Sending in ${seconds} s…`,
  done: SENT,
})

/** The original shows that it was answered or passed on. */
const mark = async ({ letter: { original } }: ComposeWindow, isDone: boolean): Promise<void> => {
  if (original === null || original.wasMarked) return
  const marks = [original.mark]
  const session = currentSession()
  try {
    await sendMailbox('POST', '/api/mail/messages/flags', {
      body: { message_ids: [original.id], ...(isDone ? { add: marks } : { remove: marks }) },
    })
    if (session) refreshLists(session)
    if (session) void session.client.invalidateQueries({ queryKey: ['webmail', 'message', original.id] })
  } catch {
    // The message is sent, or taken back; a missing mark is no reason to worry anybody
  }
}

/** Stops mail that nobody has begun to send, and opens it again. */
const takeBack = async (id: string, submissionId: string): Promise<void> => {
  const session = currentSession()
  const one = windowOf(id)
  if (!session || !one) return
  try {
    const cancelled = await sendMailbox<Submission>('POST', `/api/mail/submissions/${submissionId}/cancel`)
    updateWindow(id, { phase: 'writing', draft: freshDraft(Date.now()), focus: 'body' })
    showWindow(id, one.view === 'minimised' ? 'docked' : one.view)
    await moveFiles(id, { draftId: cancelled.message_id, shape: '' })
    void mark(one, false)
    keep(id)
    refreshLists(session)
    toast({ title: 'Send undone', description: 'The message is back in Drafts.' })
  } catch (error) {
    const isLate = error instanceof RequestError && error.status === 409
    toast({
      tone: 'danger',
      title: isLate ? 'Too late to undo' : "Couldn't undo send",
      description: isLate ? 'The message has already been sent.' : messageOf(error),
    })
  }
}
