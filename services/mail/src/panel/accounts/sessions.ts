import type { Session, SessionRevocation } from '@stoa/mail-model/accounts.ts'
import { type List, type ListRequest, toList } from '@stoa/mail-model/list.ts'
import type { Ctx } from '../../context.ts'
import { fail } from '../../errors.ts'
import { sessionOf } from '../../principal.ts'
import { deleteOtherSessions, hasSession, listSessions, lockAccount } from './queries.ts'
import { sessionJson } from './schema.ts'

/** The live sessions of the caller's account. */
export const getSessions = async (
  ctx: Ctx,
  list: ListRequest<'last_seen_at' | 'created_at'>,
): Promise<List<Session>> => {
  const { account, sessionId } = sessionOf(ctx)
  const { rows, total } = await listSessions(ctx.db, account.id, { ...list, now: ctx.now() })
  return toList(
    list,
    total,
    rows.map((row) => sessionJson(row, sessionId)),
  )
}

/** Ends all sessions but this one. Of two that do it to each other at the same moment, one remains. */
export const revokeOtherSessions = (ctx: Ctx): Promise<SessionRevocation> => {
  const { account, sessionId } = sessionOf(ctx)
  return ctx.tx(async (tx) => {
    await lockAccount(tx, account.id)
    if (!(await hasSession(tx, account.id, sessionId))) return fail('unauthorized')
    const revoked = await deleteOtherSessions(tx, account.id, { id: sessionId, now: ctx.now() })
    return { object: 'session_revocation', revoked }
  })
}
