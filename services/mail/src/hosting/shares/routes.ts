import { type List, toList } from '@stoa/mail-model/list.ts'
import {
  type Share,
  type ShareInput,
  type ShareListRequest,
  share,
  shareDeleted,
  shareInput,
  shareList,
  shareListQuery,
} from '@stoa/mail-model/shares.ts'
import { z } from 'zod'
import { type Ctx, route } from '../../context.ts'
import { fail } from '../../errors.ts'
import { pageOf } from '../../pagination/pagination.ts'
import { sessionOf } from '../../principal.ts'
import { loadAddress } from '../addresses/addresses.ts'
import { createShare, deleteShare, listShares, type Share as ShareRow } from './shares.ts'

const ofAddress = z.object({ address_id: z.uuid() })
const one = ofAddress.extend({ share_id: z.uuid() })

const loadShare = async (ctx: Ctx, { params }: { params: z.output<typeof one> }): Promise<ShareRow> => {
  const all = await listShares(ctx.db, { accountId: sessionOf(ctx).account.id, addressId: params.address_id })
  return all.find(({ id }) => id === params.share_id.toLowerCase()) ?? fail('not_found')
}

export const shareRoutes = [
  route({
    method: 'GET',
    path: '/api/addresses/:address_id/shares',
    summary: 'List the addresses a mailbox is shared with',
    auth: ['session'],
    access: 'account',
    params: ofAddress,
    query: shareListQuery,
    output: shareList,
    run: (ctx, { params, query }) => getShares(ctx, params.address_id, query),
  }),
  route({
    method: 'POST',
    path: '/api/addresses/:address_id/shares',
    summary: 'Share a mailbox with another address of the account',
    auth: ['session'],
    access: 'account',
    params: ofAddress,
    body: shareInput,
    output: share,
    status: 201,
    load: loadAddress,
    run: (ctx, { params, body }) => addShare(ctx, params.address_id, body),
  }),
  route({
    method: 'DELETE',
    path: '/api/addresses/:address_id/shares/:share_id',
    summary: 'Stop sharing',
    auth: ['session'],
    access: 'account',
    params: one,
    output: shareDeleted,
    load: loadShare,
    run: (ctx, { loaded }) => removeShare(ctx, loaded),
  }),
]

/** A mailbox has a hundred at most. */
const getShares = async (ctx: Ctx, addressId: string, list: ShareListRequest): Promise<List<Share>> => {
  const all = await listShares(ctx.db, { accountId: sessionOf(ctx).account.id, addressId })
  const { rows, total } = pageOf(all, list, {
    text: (row) => row.with_email,
    columns: {
      created_at: (row) => row.created_at.getTime(),
      with_email: (row) => row.with_email,
      access: (row) => row.access,
    },
  })
  return toList(list, total, rows.map(shareJson))
}

const addShare = async (ctx: Ctx, addressId: string, body: ShareInput): Promise<Share> => {
  const accountId = sessionOf(ctx).account.id
  const input = { accountId, addressId, withAddressId: body.address_id, access: body.access, now: ctx.now() }
  return shareJson(await ctx.tx((tx) => createShare(tx, input)))
}

const removeShare = async (ctx: Ctx, { address_id: addressId, id }: ShareRow) => {
  await ctx.tx((tx) => deleteShare(tx, { accountId: sessionOf(ctx).account.id, addressId, id }))
  return { object: 'share', id, deleted: true } as const
}

const shareJson = (row: ShareRow): Share => ({
  object: 'share',
  id: row.id,
  address_id: row.address_id,
  with_address_id: row.with_address_id,
  with_email: row.with_email,
  access: row.access,
  created_at: row.created_at.toISOString(),
})
