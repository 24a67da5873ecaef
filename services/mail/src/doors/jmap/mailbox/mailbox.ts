import type { JmapMethod } from '../method.ts'
import { mailboxChanges, mailboxGet } from './get.ts'
import { mailboxQuery, mailboxQueryChanges } from './query.ts'
import { mailboxSet } from './set.ts'

/** RFC 8621 §2. */
export const mailboxMethods: readonly JmapMethod[] = [
  mailboxGet,
  mailboxChanges,
  mailboxQuery,
  mailboxQueryChanges,
  mailboxSet,
]
