import type { CmsTx, Ctx } from '../../context.ts'
import { recordChange } from '../../events/events.ts'
import type { Account } from '../../principal.ts'

export type UserAction =
  | 'user.created'
  | 'user.updated'
  | 'user.deactivated'
  | 'user.password.changed'
  | 'user.totp.enabled'
  | 'user.totp.disabled'

/** Activity of what happened to an account, and the same for listeners of this service: sockets of that person. */
export const recordUserChange = (
  ctx: Ctx,
  tx: CmsTx,
  action: UserAction,
  account: Account,
  changed: readonly string[] = [],
): Promise<void> =>
  recordChange(ctx, tx, {
    action,
    target: userTarget(account),
    changed,
    events: [{ name: action, data: { id: account.id }, isPublic: false, isInternal: true }],
  })

/**
 * Listeners of this service are notified of an ended session: its sockets end with it. No event reveals who signs out
 * and when.
 */
export const announceSessionEnd = (tx: CmsTx, sessionId: string): void => {
  tx.changes.push({ topic: 'session', event: 'session.ended', data: { id: sessionId } })
}

export const userTarget = (account: Account) => ({ kind: 'user', id: account.id, label: account.name })
