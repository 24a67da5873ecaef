import type { Session, SessionRevocation } from '@stoa/mail-model/accounts.ts'
import { type List, type ListRequest, toList } from '@stoa/mail-model/list.ts'
import type { Ctx } from '../../../context.ts'
import { fail } from '../../../errors.ts'
import { mailboxOf } from '../../../principal.ts'
import type { MailTx } from '../../../store/store.ts'
import {
  deleteOtherWebmailSessions,
  type EndedSession,
  hasWebmailSession,
  listSessionRows,
  lockSessions,
  type WebmailSessionRow,
} from './sessions-queries.ts'

/** Who is signed in to the mailbox with a browser. */
export const getWebmailSessions = async (
  ctx: Ctx,
  list: ListRequest<'last_seen_at' | 'created_at'>,
): Promise<List<Session>> => {
  const { signIn, sessionId } = mailboxOf(ctx)
  const live = { addressId: signIn.address.id, passwordStamp: signIn.passwordStamp, now: ctx.now() }
  const { rows, total } = await listSessionRows(ctx.db, live, list)
  return toList(
    list,
    total,
    rows.map((row) => sessionJson(row, sessionId)),
  )
}

/** Ends all sessions but this one. Of two that do it to each other at the same moment, one remains. */
export const revokeOtherWebmailSessions = (ctx: Ctx): Promise<SessionRevocation> => {
  const { signIn } = mailboxOf(ctx)
  return ctx.tx(async (tx) => {
    const now = ctx.now()
    await lockSessions(tx, signIn.address.id)
    const ended = await endOtherSessions(ctx, tx)
    const live = ended.filter(
      ({ passwordStamp, expiresAt }) => passwordStamp === signIn.passwordStamp && expiresAt > now,
    )
    return { object: 'session_revocation', revoked: live.length }
  })
}

/** Ends all other sessions in a transaction that has the lock already; their open streams are closed too. */
export const endOtherSessions = async (ctx: Ctx, tx: MailTx): Promise<EndedSession[]> => {
  const { signIn, sessionId } = mailboxOf(ctx)
  const addressId = signIn.address.id
  if (sessionId === null || !(await hasWebmailSession(tx, addressId, sessionId))) return fail('unauthorized')
  const ended = await deleteOtherWebmailSessions(tx, addressId, sessionId)
  for (const { id } of ended)
    tx.changes.push({ topic: 'webmail_session', event: 'ended', data: { addressId, sessionId: id } })
  return ended
}

const sessionJson = (row: WebmailSessionRow, currentId: string | null): Session => ({
  object: 'session',
  id: row.id,
  current: row.id === currentId,
  ip: row.ip,
  user_agent: row.user_agent,
  created_at: row.created_at.toISOString(),
  last_seen_at: row.last_seen_at.toISOString(),
  expires_at: row.expires_at.toISOString(),
})
