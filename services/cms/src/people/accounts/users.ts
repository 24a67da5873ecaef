import type { CreateUserInput, UpdateUserInput } from '@stoa/cms-model/accounts.ts'
import { type List, toList } from '@stoa/cms-model/lists.ts'
import { canManageRole, type Role, scopeOf } from '@stoa/cms-model/permissions.ts'
import { isConflict } from '@stoa/kit/db/errors.ts'
import { newId } from '@stoa/kit/ids.ts'
import type { CmsDb, CmsTx, Ctx } from '../../context.ts'
import { fail } from '../../errors.ts'
import { type Account, sessionOf } from '../../principal.ts'
import { refuseOtherVersion, type WantedVersion } from '../../version-conflict.ts'
import { hashNewPassword } from './passwords.ts'
import {
  type AccountChanges,
  type AccountFilter,
  countOwners,
  deactivateAccount,
  findAccount,
  findLastEditor,
  insertAccount,
  listAccounts,
  listLastSeen,
  lockAccounts,
  type NewAccount,
  revokeAllSessions,
  revokeOtherSessions,
  type Stamp,
  updateAccount,
} from './queries.ts'
import { recordUserChange } from './record.ts'

/** An account in the list of people. */
export type ListedAccount = Account & { readonly lastSeenAt: Date | null }

export const listUsers = async (ctx: Ctx, filter: AccountFilter): Promise<List<ListedAccount>> => {
  const { accounts, total } = await listAccounts(ctx.db, filter)
  const ids = accounts.map(({ id }) => id)
  const lastSeen = ids.length > 0 ? await listLastSeen(ctx.db, ids) : new Map<string, Date>()
  return toList(
    accounts.map((account) => ({ ...account, lastSeenAt: lastSeen.get(account.id) ?? null })),
    total,
    filter,
  )
}

export const getUser = async (ctx: Ctx, id: string): Promise<Account> => requireUser(ctx.db, id)

export const createUser = async (ctx: Ctx, input: CreateUserInput): Promise<Account> => {
  const { account: me } = sessionOf(ctx)
  const passwordHash = await hashNewPassword('password', input.password)
  const created = await ctx.tx(async (tx) => {
    const actor = await lockActor(ctx, tx)
    refuseHigher(actor, input.role)
    const { email, name, role } = input
    const inserted = await addAccount(tx, { email, name, role, passwordHash }, { at: ctx.now(), by: me.id })
    await recordUserChange(ctx, tx, 'user.created', inserted)
    return inserted
  })
  ctx.log.info({ actorId: me.id, accountId: created.id, role: created.role }, 'account created')
  return created
}

/** Changes the members sent. A new address, role or password ends the person's sessions, except the asking one. */
export const updateUser = async (
  ctx: Ctx,
  id: string,
  input: UpdateUserInput,
  wanted: WantedVersion,
): Promise<Account> => {
  const { account: me } = sessionOf(ctx)
  if (input.password !== undefined && id === me.id)
    fail('REAUTH_REQUIRED', { message: 'Change your own password at /api/auth/password, using your current password' })
  const passwordHash = input.password === undefined ? undefined : await hashNewPassword('password', input.password)
  const updated = await ctx.tx(async (tx) => {
    const { actor, target } = await lockTarget(ctx, tx, id, wanted)
    const changes = changesOf(target, input, passwordHash)
    if (changes.role !== undefined) {
      refuseHigher(actor, changes.role)
      await refuseLastOwner(tx, target)
    }
    if (Object.keys(changes).length === 0) return target
    const account = await updateAccount(tx, id, changes, { at: ctx.now(), by: me.id }).catch(refuseTakenEmail)
    if (changes.email ?? changes.role ?? changes.passwordHash) await endSessionsOf(ctx, tx, id)
    await recordUserChange(ctx, tx, 'user.updated', account, changedMembers(changes))
    return account
  })
  ctx.log.info({ actorId: me.id, accountId: id, role: updated.role }, 'account changed')
  return updated
}

/** Ends sign-in for good; what the person wrote keeps its author, and the address can be used again. */
export const deleteUser = async (ctx: Ctx, id: string, wanted: WantedVersion): Promise<void> => {
  const { account: me } = sessionOf(ctx)
  await ctx.tx(async (tx) => {
    const { target } = await lockTarget(ctx, tx, id, wanted)
    await refuseLastOwner(tx, target)
    await deactivateAccount(tx, id, { at: ctx.now(), by: me.id })
    await revokeAllSessions(tx, id, ctx.now())
    await recordUserChange(ctx, tx, 'user.deactivated', target)
  })
  ctx.log.info({ actorId: me.id, accountId: id }, 'account deactivated')
}

/** Adds an account, unless another one has its address. */
export const addAccount = (tx: CmsTx, account: Omit<NewAccount, 'id'>, change: Stamp): Promise<Account> =>
  insertAccount(tx, { id: newId(), ...account }, change).catch(refuseTakenEmail)

/** The asking person as they are now: a demotion that was committed a moment ago counts. */
export const lockActor = async (ctx: Ctx, tx: CmsTx): Promise<Account> => {
  await lockAccounts(tx)
  const actor = (await findAccount(tx, sessionOf(ctx).account.id)) ?? fail('TOKEN_REVOKED')
  if (scopeOf(actor.role, 'users.manage') === null) fail('FORBIDDEN', { details: { permission: 'users.manage' } })
  return actor
}

/** The account to change, once it is certain that the asking person may and has seen its present state. */
const lockTarget = async (
  ctx: Ctx,
  tx: CmsTx,
  id: string,
  wanted: WantedVersion,
): Promise<{ actor: Account; target: Account }> => {
  const actor = await lockActor(ctx, tx)
  const target = await requireUser(tx, id)
  refuseHigher(actor, target.role)
  await refuseOtherVersion(wanted, target, () => findLastEditor(tx, id))
  return { actor, target }
}

const requireUser = async (db: CmsDb, id: string): Promise<Account> => (await findAccount(db, id)) ?? fail('NOT_FOUND')

export const refuseHigher = (actor: Account, role: Role): void => {
  if (!canManageRole(actor.role, role)) fail('RANK_TOO_LOW')
}

const refuseLastOwner = async (tx: CmsTx, target: Account): Promise<void> => {
  if (target.role === 'owner' && (await countOwners(tx)) === 1) fail('LAST_OWNER')
}

const changesOf = (target: Account, input: UpdateUserInput, passwordHash: string | undefined): AccountChanges => ({
  ...(input.email === undefined || input.email === target.email ? {} : { email: input.email }),
  ...(input.name === undefined || input.name === target.name ? {} : { name: input.name }),
  ...(input.role === undefined || input.role === target.role ? {} : { role: input.role }),
  ...(passwordHash === undefined ? {} : { passwordHash }),
})

/** The names that the API uses: clients do not know of hashes. */
const changedMembers = (changes: AccountChanges): string[] =>
  Object.keys(changes).map((name) => (name === 'passwordHash' ? 'password' : name))

const endSessionsOf = async (ctx: Ctx, tx: CmsTx, accountId: string): Promise<void> => {
  const { account: me, sessionId } = sessionOf(ctx)
  if (accountId === me.id) return revokeOtherSessions(tx, { accountId, keptId: sessionId, now: ctx.now() })
  return revokeAllSessions(tx, accountId, ctx.now())
}

const refuseTakenEmail = (raised: unknown): never => {
  if (isConflict(raised, 'account_email_key')) return fail('EMAIL_TAKEN', { cause: raised })
  throw raised
}
