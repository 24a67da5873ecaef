import {
  type AcceptInvitationInput,
  type CreateInvitationInput,
  INVITATION_DAYS,
  type OpenedInvitation,
} from '@stoa/cms-model/invitations.ts'
import { type List, type Page, toList } from '@stoa/cms-model/lists.ts'
import { canManageRole } from '@stoa/cms-model/permissions.ts'
import { hashToken, newToken } from '@stoa/kit/crypto/tokens.ts'
import type { Incoming } from '@stoa/kit/http/incoming.ts'
import { newId } from '@stoa/kit/ids.ts'
import type { CmsDb, CmsTx, Ctx } from '../../context.ts'
import { DAY_MS } from '../../credentials.ts'
import { fail, failFields } from '../../errors.ts'
import { recordChange } from '../../events/events.ts'
import type { Account } from '../../principal.ts'
import { refuseOtherVersion, type WantedVersion } from '../../version-conflict.ts'
import {
  addAccount,
  findAccountByEmail,
  hashNewPassword,
  lockAccounts,
  lockActor,
  type OpenedSession,
  openSession,
  recordUserChange,
  refuseHigher,
} from '../accounts/accounts.ts'
import { linkTo, siteName } from '../mailer/mailer.ts'
import { limitTokens } from '../sign-in-limit/sign-in-limit.ts'
import { countMail, mailInvitation } from './mailing.ts'
import {
  deleteInvitation,
  findByToken,
  findInvitation,
  findInvitationByEmail,
  findIssuer,
  insertInvitation,
  type Link,
  listInvitationRows,
  markSent,
  replaceLink,
  type StoredInvitation,
} from './queries.ts'

export type { StoredInvitation }

/** An invitation with its link, which nobody sees a second time. */
export type Issued = { invitation: StoredInvitation; url: string }

export const listInvitations = async (ctx: Ctx, page: Page): Promise<List<StoredInvitation>> => {
  const { found, total } = await listInvitationRows(ctx.db, page)
  return toList(found, total, page)
}

/** Asks someone to join, not above the own role. The link is mailed if there is a mail server. */
export const invite = async (ctx: Ctx, { email, name, role }: CreateInvitationInput): Promise<Issued> => {
  await countMail(ctx, email)
  const token = newToken()
  const invitation = await ctx.tx(async (tx) => {
    const actor = await lockActor(ctx, tx)
    refuseHigher(actor, role)
    await refuseTaken(tx, email)
    await replaceEnded(ctx, tx, email)
    const id = newId()
    const made = { id, email, name: name ?? null, role, link: linkOf(ctx, token) }
    await insertInvitation(tx, made, { at: ctx.now(), by: actor.id })
    const inserted = await requireInvitation(tx, id)
    await recordInvitation(ctx, tx, 'invitation.created', inserted)
    return inserted
  })
  return issue(ctx, invitation, token)
}

/** Another link in place of the one before, from now on in the name of the person who renews it. */
export const renewInvitation = async (ctx: Ctx, id: string, wanted: WantedVersion): Promise<Issued> => {
  await countMail(ctx, (await requireInvitation(ctx.db, id)).email)
  const token = newToken()
  const invitation = await ctx.tx(async (tx) => {
    const { actor, present } = await lockInvitation(ctx, tx, id, wanted)
    await refuseTaken(tx, present.email)
    await replaceLink(tx, id, linkOf(ctx, token), { at: ctx.now(), by: actor.id })
    const renewed = await requireInvitation(tx, id)
    await recordInvitation(ctx, tx, 'invitation.renewed', renewed)
    return renewed
  })
  return issue(ctx, invitation, token)
}

export const withdrawInvitation = (ctx: Ctx, id: string, wanted: WantedVersion): Promise<void> =>
  ctx.tx(async (tx) => {
    const { present } = await lockInvitation(ctx, tx, id, wanted)
    await deleteInvitation(tx, id)
    await recordInvitation(ctx, tx, 'invitation.withdrawn', present)
  })

/** What the holder of a link may know before they accept. */
export const openInvitation = async (ctx: Ctx, token: string, request: Incoming): Promise<OpenedInvitation> => {
  const { email, name, role } = await checkToken(ctx, token, request)
  return { email, name, role, site: await siteName(ctx) }
}

/** Makes the account and signs it in. Of those who accept at the same moment, one does. */
export const acceptInvitation = async (
  ctx: Ctx,
  { token, name, password }: AcceptInvitationInput,
  request: Incoming,
): Promise<OpenedSession> => {
  await checkToken(ctx, token, request)
  const passwordHash = await hashNewPassword('password', password)
  const opened = await ctx.tx(async (tx) => {
    await lockAccounts(tx)
    const invitation = (await findValid(ctx, tx, token)) ?? refuseToken()
    const { email, role } = invitation
    const account = await addAccount(tx, { email, name, role, passwordHash }, { at: ctx.now(), by: null })
    await deleteInvitation(tx, invitation.id)
    const session = await openSession(ctx, tx, account, request)
    const asThem = { ...ctx, principal: { kind: 'session', sessionId: session.sessionId, account } as const }
    await recordInvitation(asThem, tx, 'invitation.accepted', invitation)
    await recordUserChange(asThem, tx, 'user.created', account)
    return session
  })
  ctx.log.info({ accountId: opened.account.id, ip: request.ip }, 'an invitation was accepted')
  return opened
}

const linkOf = (ctx: Ctx, token: string): Link => ({
  tokenHash: hashToken(token),
  expiresAt: new Date(ctx.now().getTime() + INVITATION_DAYS * DAY_MS),
})

/** After the commit: a mail cannot be taken back. */
const issue = async (ctx: Ctx, invitation: StoredInvitation, token: string): Promise<Issued> => {
  const url = linkTo(ctx, 'invitation', token)
  const { email, name } = invitation
  if (!(await mailInvitation(ctx, { email, name, url }))) return { invitation, url }
  const isSent = await ctx.tx((tx) => markSent(tx, hashToken(token)))
  return { invitation: { ...invitation, isSent }, url }
}

const checkToken = async (ctx: Ctx, token: string, { limitKey }: Incoming): Promise<StoredInvitation> => {
  const guess = await limitTokens<StoredInvitation>(ctx, limitKey, async () => {
    const found = await findValid(ctx, ctx.db, token)
    return found ? { isRight: true, value: found } : { isRight: false, code: 'VALIDATION_FAILED' }
  })
  return guess.isRight ? guess.value : refuseToken()
}

/** The invitation of this link, while its issuer could still give that role. */
const findValid = async (ctx: Ctx, db: CmsDb, token: string): Promise<StoredInvitation | null> => {
  const found = await findByToken(db, { tokenHash: hashToken(token), now: ctx.now() })
  return found && canManageRole(found.issuerRole, found.role) ? found : null
}

const refuseToken = (): never =>
  failFields([{ key: 'token', message: 'was already used, has expired or was withdrawn; ask for a new invitation' }])

const requireInvitation = async (db: CmsDb, id: string): Promise<StoredInvitation> =>
  (await findInvitation(db, id)) ?? fail('NOT_FOUND')

/** The invitation to change, once it is certain that the asking person may and has seen its present state. */
const lockInvitation = async (
  ctx: Ctx,
  tx: CmsTx,
  id: string,
  wanted: WantedVersion,
): Promise<{ actor: Account; present: StoredInvitation }> => {
  const actor = await lockActor(ctx, tx)
  const present = await requireInvitation(tx, id)
  refuseHigher(actor, present.role)
  await refuseOtherVersion(wanted, present, () => findIssuer(tx, id))
  return { actor, present }
}

const refuseTaken = async (tx: CmsTx, email: string): Promise<void> => {
  if (await findAccountByEmail(tx, email)) fail('EMAIL_TAKEN')
}

/** One invitation per address: one that has ended makes way, an open one is there to be renewed. */
const replaceEnded = async (ctx: Ctx, tx: CmsTx, email: string): Promise<void> => {
  const present = await findInvitationByEmail(tx, email)
  if (present === null) return
  if (present.expiresAt > ctx.now())
    fail('EMAIL_TAKEN', { message: 'This person already has an open invitation; renew or withdraw it first' })
  await deleteInvitation(tx, present.id)
}

type InvitationAction = 'invitation.created' | 'invitation.renewed' | 'invitation.withdrawn' | 'invitation.accepted'

const recordInvitation = (
  ctx: Ctx,
  tx: CmsTx,
  action: InvitationAction,
  { id, email }: StoredInvitation,
): Promise<void> => recordChange(ctx, tx, { action, target: { kind: 'invitation', id, label: email } })
