import { type RealtimeTicket, TICKET_SECONDS } from '@stoa/cms-model/realtime.ts'
import { hashToken, newToken } from '@stoa/kit/crypto/tokens.ts'
import type { Ctx, Services } from '../../context.ts'
import { type Holder, hasEnded } from './holders.ts'
import { insertTicket, takeTicket } from './queries.ts'

/** A prefix distinguishes it from other credentials that end up in a log by mistake. */
const PREFIX = 'cmstkt_'

/** A ticket for one socket, which will be this holder's. */
export const issueTicket = async (ctx: Ctx, holder: { kind: Holder['kind']; id: string }): Promise<RealtimeTicket> => {
  const ticket = newToken(PREFIX)
  const expiresAt = new Date(ctx.now().getTime() + TICKET_SECONDS * 1000)
  await ctx.tx((tx) => insertTicket(tx, { tokenHash: hashToken(ticket), holder, expiresAt }))
  return { ticket, expiresAt: expiresAt.toISOString(), expiresIn: TICKET_SECONDS }
}

/** Whose ticket it is; null when it was used, has expired, or its session or key has ended meanwhile. */
export const redeemTicket = async (
  { database, clock }: Pick<Services, 'database' | 'clock'>,
  ticket: string,
): Promise<Holder | null> => {
  if (!ticket.startsWith(PREFIX)) return null
  const now = clock.now()
  const holder = await database.tx((tx) => takeTicket(tx, hashToken(ticket), now))
  return holder && !hasEnded(holder, now) ? holder : null
}
