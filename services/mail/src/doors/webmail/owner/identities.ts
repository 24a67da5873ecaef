import type {
  IdentityInput,
  Identity as IdentityJson,
  IdentityListRequest,
  IdentityUpdate,
} from '@stoa/mail-model/identities.ts'
import { type List, toList } from '@stoa/mail-model/list.ts'
import type { Ctx } from '../../../context.ts'
import { error, fail, failMember } from '../../../errors.ts'
import { pageOf } from '../../../pagination/pagination.ts'
import { signInOf } from '../../../principal.ts'
import {
  createIdentity,
  deleteIdentity,
  findIdentity,
  type Identity,
  IdentityRefusal,
  type IdentityRefusalKind,
  listIdentities,
  updateIdentity,
} from '../../../sending/identities/identities.ts'

/** Whom the mailbox writes as; that of its own address is always among them. */
export const getIdentities = async (ctx: Ctx, list: IdentityListRequest): Promise<List<IdentityJson>> => {
  const { id: addressId, email, name } = signInOf(ctx).address
  const all = await listIdentities(ctx.parts.database, { addressId, email, name }, ctx.now())
  const { rows, total } = pageOf(all, list, {
    text: (identity) => `${identity.name} ${identity.email}`,
    columns: { email: (identity) => identity.email, name: (identity) => identity.name.toLowerCase() },
  })
  return toList(list, total, rows.map(identityJson))
}

export const loadIdentity = async (ctx: Ctx, { params }: { params: { identity_id: string } }): Promise<Identity> =>
  (await findIdentity(ctx.db, signInOf(ctx).address.id, params.identity_id.toLowerCase())) ?? fail('not_found')

export const addIdentity = (ctx: Ctx, body: IdentityInput): Promise<IdentityJson> =>
  orFail(async () => {
    const input = { addressId: signInOf(ctx).address.id, email: body.email, now: ctx.now(), ...changeOf(body) }
    return identityJson(await ctx.tx((tx) => createIdentity(tx, input)))
  })

export const changeIdentity = (ctx: Ctx, identity: Identity, body: IdentityUpdate): Promise<IdentityJson> =>
  orFail(async () => {
    if (body.email !== undefined && body.email !== identity.email)
      failMember('email', "this can't be changed; create another identity")
    const input = { addressId: signInOf(ctx).address.id, id: identity.id, change: changeOf(body), now: ctx.now() }
    return identityJson(await ctx.tx((tx) => updateIdentity(tx, input)))
  })

export const removeIdentity = (ctx: Ctx, { id }: Identity) =>
  orFail(async () => {
    await ctx.tx((tx) => deleteIdentity(tx, { addressId: signInOf(ctx).address.id, id, now: ctx.now() }))
    return { object: 'identity', id, deleted: true } as const
  })

const changeOf = (body: IdentityUpdate) => ({
  ...(body.name !== undefined && { name: body.name }),
  ...(body.reply_to !== undefined && { replyTo: body.reply_to?.length ? body.reply_to : null }),
  ...(body.signature_text !== undefined && { textSignature: body.signature_text }),
  ...(body.signature_html !== undefined && { htmlSignature: body.signature_html }),
  ...(body.is_default !== undefined && { isDefault: body.is_default }),
})

const ERRORS = {
  no_such_identity: 'not_found',
  forbidden_from: 'validation_error',
  own_identity: 'forbidden',
  too_many: 'quota_exceeded',
} as const satisfies Record<IdentityRefusalKind, string>

const orFail = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (cause) {
    if (!(cause instanceof IdentityRefusal)) throw cause
    throw error(ERRORS[cause.kind], { message: cause.message, cause })
  }
}

const identityJson = (identity: Identity): IdentityJson => ({
  object: 'identity',
  id: identity.id,
  name: identity.name,
  email: identity.email,
  reply_to: identity.replyTo?.map(({ name, email }) => ({ name, email })) ?? [],
  signature_html: identity.htmlSignature,
  signature_text: identity.textSignature,
  is_default: identity.isDefault,
  is_own: identity.isOwn,
})
