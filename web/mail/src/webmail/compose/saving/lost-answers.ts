import type { Submission } from '@stoa/mail-model/compose.ts'
import type { List } from '@stoa/mail-model/list.ts'
import type { Message, MessageItem } from '@stoa/mail-model/messages.ts'
import { RequestError } from '@stoa/ui/request/request.ts'
import { sendMailbox } from '../../api.ts'
import { type Letter, textOf } from '../letter.ts'
import { allWindows, type Carried } from '../windows.ts'
import { type ComposeSession, draftsFolder } from './session.ts'

/*
 * Answers that are lost. A request that the service carried out and whose answer did not come must not be carried out
 * again:
 * - Saving replaces a draft in one transaction, so asking again for the same draft is refused with 404. Then the draft
 *   that holds exactly these words is the one that was made. Words that are not the same are somebody else's (another tab,
 *   another program): they are left alone, and a new draft is made.
 *   A 404 can also be about the identity or a file: a draft is gone only if it is not found when it is looked for.
 * - Sending removes the draft in the transaction that sends. A message is therefore saved before it is sent, and sent only
 *   by the id of its draft: the same draft cannot be sent twice, however often that is asked for. If the draft is gone,
 *   the mail with these words is looked for among what was sent.
 */

export const carriedBy = (letter: Letter): Carried => ({ subject: letter.subject.trim(), text: textOf(letter) })

export const isGone = (error: unknown): boolean =>
  error instanceof RequestError && (error.status === 404 || error.status === 409)

/** Drafts that are looked at: the one in question was made a moment ago. */
const LOOKED_AT = 10

/** The draft that a lost save made; null when there is none. */
export const findDraft = async (session: ComposeSession, carried: Carried): Promise<string | null> => {
  const folder = await draftsFolder(session)
  if (folder === null) return null
  const query = new URLSearchParams({ folder_id: folder, per_page: String(LOOKED_AT) })
  const { data } = await sendMailbox<List<MessageItem>>('GET', `/api/mail/messages?${query}`)
  const open = new Set(allWindows().map(({ draftId }) => draftId))
  return firstThat(
    data.filter(({ id, subject }) => !open.has(id) && sameWords(subject ?? '', carried.subject)).map(({ id }) => id),
    carried,
  )
}

/** The submission that a lost send made; null when there is none. */
export const findSent = async (carried: Carried): Promise<Submission | null> => {
  const { data } = await sendMailbox<List<Submission>>('GET', `/api/mail/submissions?per_page=${LOOKED_AT}`)
  const found = await firstThat(
    data.filter(({ status }) => status !== 'cancelled').map(({ message_id: id }) => id),
    carried,
  )
  return data.find(({ message_id: id }) => id === found) ?? null
}

export const exists = async (messageId: string): Promise<boolean> => {
  try {
    await sendMailbox<Message>('GET', `/api/mail/messages/${messageId}`)
    return true
  } catch (error) {
    if (isGone(error)) return false
    throw error
  }
}

const firstThat = async (ids: readonly string[], carried: Carried): Promise<string | null> => {
  for (const id of ids) {
    const message = await sendMailbox<Message>('GET', `/api/mail/messages/${id}`).catch((error: unknown) => {
      if (isGone(error)) return null
      throw error
    })
    if (message && sameWords(message.subject ?? '', carried.subject) && sameWords(message.text ?? '', carried.text))
      return id
  }
  return null
}

const sameWords = (a: string, b: string): boolean => words(a) === words(b)
const words = (text: string): string => text.replace(/\s+/g, ' ').trim()
