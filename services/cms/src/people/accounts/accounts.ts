import type { ChangePasswordInput, SetupInput, UpdateMeInput } from '@stoa/cms-model/accounts.ts'
import { isRaster } from '@stoa/cms-model/media.ts'
import { hashPassword } from '@stoa/kit/crypto/password.ts'
import type { Incoming } from '@stoa/kit/http/incoming.ts'
import { newId } from '@stoa/kit/ids.ts'
import type { CmsTx, Ctx } from '../../context.ts'
import { fail, failFields } from '../../errors.ts'
import { type Account, accountOf, sessionOf } from '../../principal.ts'
import { refuseOtherVersion, type WantedVersion } from '../../version-conflict.ts'
import { hashNewPassword } from './passwords.ts'
import {
  type AccountChanges,
  findLastEditor,
  findMimeType,
  hasAccounts,
  insertAccount,
  lockAccounts,
  updateAccount,
} from './queries.ts'
import { lockMe, lockOwnAccount, proveOwnPassword } from './reauth.ts'
import { recordUserChange } from './record.ts'
import { endOtherSessions, type OpenedSession, openSession } from './sessions.ts'

export { hashNewPassword } from './passwords.ts'
export { findAccount, findAccountByEmail, lockAccounts, revokeAllSessions, updateAccount } from './queries.ts'
export { lockMe, lockOwnAccount, proveOwnPassword } from './reauth.ts'
export { recordUserChange } from './record.ts'
export { endOtherSessions, type OpenedSession, openSession } from './sessions.ts'
export { addAccount, lockActor, refuseHigher } from './users.ts'
export { welcome } from './welcome.ts'

export const isSetUp = (ctx: Ctx): Promise<boolean> => hasAccounts(ctx.db)

/** The first visitor becomes the owner; the second is refused. */
export const claimSite = async (ctx: Ctx, input: SetupInput, request: Incoming): Promise<OpenedSession> => {
  if (await hasAccounts(ctx.db)) return fail('ALREADY_SET_UP')
  const passwordHash = await hashNewPassword('password', input.password)
  const opened = await ctx.tx(async (tx) => {
    const owner = (await insertFirstOwner(ctx, tx, { ...input, passwordHash })) ?? fail('ALREADY_SET_UP')
    const session = await openSession(ctx, tx, owner, request)
    const principal = { kind: 'session', sessionId: session.sessionId, account: owner } as const
    await recordUserChange({ ...ctx, principal }, tx, 'user.created', owner)
    return session
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
  const owner = await ctx.tx(async (tx) => {
    const inserted = await insertFirstOwner(ctx, tx, { email, name, passwordHash })
    if (inserted) await recordUserChange(ctx, tx, 'user.created', inserted)
    return inserted
  })
  if (owner) ctx.log.info({ accountId: owner.id }, 'the first owner was created from BOOTSTRAP_EMAIL')
}

/** Replaces one's own password; all other sessions end. */
export const changeOwnPassword = async (ctx: Ctx, input: ChangePasswordInput): Promise<Account> => {
  const proven = await proveOwnPassword(ctx, input.currentPassword)
  const passwordHash = await hashNewPassword('newPassword', input.newPassword)
  const changed = await ctx.tx(async (tx) => {
    const { id } = await lockOwnAccount(ctx, tx, proven)
    const updated = await updateAccount(tx, id, { passwordHash }, { at: ctx.now(), by: id })
    await endOtherSessions(ctx, tx)
    await recordUserChange(ctx, tx, 'user.password.changed', updated)
    return updated
  })
  ctx.log.info({ accountId: changed.id }, 'password changed')
  return changed
}

/** Changes the members sent of one's own account. Nobody is signed out by it. */
export const updateMe = (ctx: Ctx, input: UpdateMeInput, wanted: WantedVersion): Promise<Account> =>
  ctx.tx(async (tx) => {
    const me = await lockMe(ctx, tx)
    await refuseOtherVersion(wanted, me, () => findLastEditor(tx, me.id))
    const { name, avatarId } = input
    const changes: AccountChanges = {
      ...(name === undefined || name === me.name ? {} : { name }),
      ...(avatarId === undefined || avatarId === (me.avatar?.id ?? null) ? {} : { avatarId }),
    }
    if (Object.keys(changes).length === 0) return me
    if (changes.avatarId) await refuseOtherThanPicture(tx, changes.avatarId)
    const account = await updateAccount(tx, me.id, changes, { at: ctx.now(), by: me.id })
    await recordUserChange(ctx, tx, 'user.updated', account, Object.keys(changes))
    return account
  })

/** A drawing such as SVG is no picture of a person: it may hold more than one sees. */
const refuseOtherThanPicture = async (tx: CmsTx, mediaId: string): Promise<void> => {
  const mimeType = await findMimeType(tx, mediaId)
  if (mimeType === null || !isRaster(mimeType))
    failFields([{ key: 'avatarId', message: 'must be a JPEG, PNG, GIF, WebP or AVIF image from the media library' }])
}

/** Notes on one's own account that a second factor is asked at sign-in, or no longer. */
export const noteTwoFactor = async (ctx: Ctx, tx: CmsTx, hasTotp: boolean): Promise<void> => {
  const { id } = sessionOf(ctx).account
  const account = await updateAccount(tx, id, { hasTotp }, { at: ctx.now(), by: id })
  await recordUserChange(ctx, tx, hasTotp ? 'user.totp.enabled' : 'user.totp.disabled', account)
}

export const getMe = (ctx: Ctx): Account => accountOf(ctx)

type FirstOwner = { email: string; name: string; passwordHash: string }

const insertFirstOwner = async (ctx: Ctx, tx: CmsTx, owner: FirstOwner): Promise<Account | null> => {
  await lockAccounts(tx)
  if (await hasAccounts(tx)) return null
  const { email, name, passwordHash } = owner
  return insertAccount(tx, { id: newId(), email, name, role: 'owner', passwordHash }, { at: ctx.now(), by: null })
}
