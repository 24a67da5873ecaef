import { type RealtimeTicket, TICKET_SECONDS } from '@stoa/cms-model/realtime.ts'
import { hashToken, newToken } from '@stoa/kit/crypto/tokens.ts'
import { inBatches } from '@stoa/kit/db/batches.ts'
import type { Ctx, Services } from '../../context.ts'
import { type Holder, hasEnded } from './holders.ts'
import { deleteExpiredTickets, insertTicket, takeTicket } from './queries.ts'

/** A prefix distinguishes it from other credentials that end up in a log by mistake. */
const PREFIX = 'cmstkt_'
/** Stays far below the statement timeout. */
const EXPIRED_AT_ONCE = 1_000

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

/** Removes tickets that nobody used in time; gives how many. */
export const expireTickets = ({ database, clock }: Pick<Services, 'database' | 'clock'>): Promise<number> =>
  inBatches(database, EXPIRED_AT_ONCE, (tx, limit) => deleteExpiredTickets(tx, clock.now(), limit))
