import type { ChangePasswordInput, SetupInput } from '@stoa/cms-model/accounts.ts'
import { hashPassword } from '@stoa/kit/crypto/password.ts'
import type { Incoming } from '@stoa/kit/http/incoming.ts'
import { newId } from '@stoa/kit/ids.ts'
import type { CmsTx, Ctx } from '../context.ts'
import { fail } from '../errors.ts'
import { limitGuesses } from '../login-limit/login-limit.ts'
import { type Account, sessionOf } from '../principal.ts'
import { hashNewPassword } from './passwords.ts'
import {
  hasAccounts,
  insertAccount,
  lockAccounts,
  lockPassword,
  revokeOtherSessions,
  updateAccount,
} from './queries.ts'
import { type OpenedSession, openSession, provePassword } from './sessions.ts'

export const isSetUp = (ctx: Ctx): Promise<boolean> => hasAccounts(ctx.db)

/** The first visitor becomes the owner; whoever comes second is refused. */
export const claimSite = async (ctx: Ctx, input: SetupInput, request: Incoming): Promise<OpenedSession> => {
  if (await hasAccounts(ctx.db)) return fail('ALREADY_SET_UP')
  const passwordHash = await hashNewPassword('password', input.password)
  const opened = await ctx.tx(async (tx) => {
    const owner = (await insertFirstOwner(ctx, tx, { ...input, passwordHash })) ?? fail('ALREADY_SET_UP')
    return openSession(ctx, tx, owner, request)
  })
  ctx.log.info({ accountId: opened.account.id, ip: request.ip }, 'the site was claimed')
  return opened
}

/** Makes the owner that BOOTSTRAP_* names while there is no account; never changes one. */
export const bootstrapOwner = async (ctx: Ctx): Promise<void> => {
  const { bootstrap } = ctx.config
  if (bootstrap === null || (await hasAccounts(ctx.db))) return
  const passwordHash = await hashPassword(bootstrap.password.reveal())
  const { email, name } = bootstrap
  const owner = await ctx.tx((tx) => insertFirstOwner(ctx, tx, { email, name, passwordHash }))
  if (owner) ctx.log.info({ accountId: owner.id }, 'the first owner was made from BOOTSTRAP_EMAIL')
}

/** Replaces one's own password; all other sessions end. */
export const changeOwnPassword = async (ctx: Ctx, input: ChangePasswordInput, request: Incoming): Promise<Account> => {
  const { account, sessionId } = sessionOf(ctx)
  // A stolen session must not become a way to guess the password: the same limit as for signing in.
  const guesser = { limitKey: request.limitKey, email: account.email }
  const proven = await limitGuesses(ctx, guesser, () => provePassword(ctx, account.email, input.currentPassword))
  if (!proven) return fail('REAUTH_REQUIRED', { message: 'The current password is wrong' })
  const passwordHash = await hashNewPassword('newPassword', input.newPassword)
  const changed = await ctx.tx(async (tx) => {
    if ((await lockPassword(tx, account.id)) !== proven.passwordHash) return fail('REAUTH_REQUIRED')
    const now = ctx.now()
    const updated = await updateAccount(tx, account.id, { passwordHash }, { at: now, by: account.id })
    await revokeOtherSessions(tx, { accountId: account.id, keptId: sessionId, now })
    return updated
  })
  ctx.log.info({ accountId: account.id }, 'password changed')
  return changed
}

export const getMe = (ctx: Ctx): Account => sessionOf(ctx).account

type FirstOwner = { email: string; name: string; passwordHash: string }

const insertFirstOwner = async (ctx: Ctx, tx: CmsTx, owner: FirstOwner): Promise<Account | null> => {
  await lockAccounts(tx)
  if (await hasAccounts(tx)) return null
  const { email, name, passwordHash } = owner
  return insertAccount(tx, { id: newId(), email, name, role: 'owner', passwordHash }, { at: ctx.now(), by: null })
}
