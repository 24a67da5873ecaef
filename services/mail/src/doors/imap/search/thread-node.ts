import { casemap, readSubject } from '../../../formats/mime/mime.ts'
import type { ThreadedRow } from '../../../store/store.ts'

/** A message with those that answer it. */
export type ThreadNode = {
  /** 0: nothing is known of it but its answers. */
  uid: number
  time: number
  subject: string
  isReply: boolean
  children: ThreadNode[]
}

export const newNode = (row: ThreadedRow | null): ThreadNode => {
  const { base, isReply } = readSubject(row?.subject ?? '')
  return { uid: row?.uid ?? 0, time: row?.sentAt.getTime() ?? 0, subject: casemap(base), isReply, children: [] }
}
