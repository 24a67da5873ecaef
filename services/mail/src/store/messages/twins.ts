import type { MailDb } from '../handles.ts'
import { hashId } from './read.ts'
import { findTwinRows, type TwinRow } from './twins-queries.ts'

export type Twin = Omit<TwinRow, 'nth'>

/** A message that may be here already. */
export type TwinQuestion = {
  /** The Message-ID without its brackets. */
  headerId: string | null
  /** Of its bytes, if they are known. */
  blobKey: string | null
  /** All bytes of it. */
  size: number
  receivedAt: Date
}

/**
 * Messages of a mailbox that are the same as those asked for: the same Message-ID, or without one the same bytes, with
 * the same size and date. In the order of the questions.
 */
export const findTwins = async (
  db: MailDb,
  addressId: string,
  questions: readonly TwinQuestion[],
): Promise<Twin[][]> => {
  const answers = questions.map((): Twin[] => [])
  if (questions.length === 0) return answers
  const wishes = questions.map(({ headerId, ...question }) => ({
    ...question,
    headerId,
    idHash: headerId === null ? null : hashId(headerId),
  }))
  for (const { nth, ...twin } of await findTwinRows(db, addressId, wishes)) answers[nth]?.push(twin)
  return answers
}
