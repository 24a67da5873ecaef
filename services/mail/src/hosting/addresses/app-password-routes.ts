import {
  type AppPassword,
  type AppPasswordInput,
  type AppPasswordListRequest,
  appPasswordDeleted,
  appPasswordInput,
  appPasswordList,
  appPasswordListQuery,
  type CreatedAppPassword,
  createdAppPassword,
} from '@stoa/mail-model/app-passwords.ts'
import { type List, toList } from '@stoa/mail-model/list.ts'
import { z } from 'zod'
import { type Ctx, route } from '../../context.ts'
import { fail } from '../../errors.ts'
import { pageOf } from '../../pagination/pagination.ts'
import { sessionOf } from '../../principal.ts'
import {
  type AppPassword as AppPasswordRow,
  createAppPassword,
  deleteAppPassword,
  listAppPasswords,
} from './app-passwords.ts'
import { loadAddress } from './panel.ts'
import { appPasswordJson } from './schema.ts'

const ofAddress = z.object({ address_id: z.uuid() })
const one = ofAddress.extend({ app_password_id: z.uuid() })

const loadAppPassword = async (ctx: Ctx, { params }: { params: z.output<typeof one> }): Promise<AppPasswordRow> => {
  const { id } = await loadAddress(ctx, { params })
  const wanted = params.app_password_id.toLowerCase()
  return (await listAppPasswords(ctx.db, id)).find((row) => row.id === wanted) ?? fail('not_found')
}

export const appPasswordRoutes = [
  route({
    method: 'GET',
    path: '/api/addresses/:address_id/app-passwords',
    summary: 'List app passwords of an address',
    auth: ['session'],
    access: 'account',
    params: ofAddress,
    query: appPasswordListQuery,
    output: appPasswordList,
    load: loadAddress,
    run: (ctx, { params, query }) => getAppPasswords(ctx, params.address_id, query),
  }),
  route({
    method: 'POST',
    path: '/api/addresses/:address_id/app-passwords',
    summary: 'Create an app password; the token is returned once',
    auth: ['session'],
    access: 'account',
    params: ofAddress,
    body: appPasswordInput,
    output: createdAppPassword,
    status: 201,
    load: loadAddress,
    run: (ctx, { params, body }) => addAppPassword(ctx, params.address_id, body),
  }),
  route({
    method: 'DELETE',
    path: '/api/addresses/:address_id/app-passwords/:app_password_id',
    summary: 'Revoke an app password and close its connections',
    auth: ['session'],
    access: 'account',
    params: one,
    output: appPasswordDeleted,
    load: loadAppPassword,
    run: (ctx, { loaded }) => removeAppPassword(ctx, loaded),
  }),
]

/** An address has a hundred at most. */
const getAppPasswords = async (
  ctx: Ctx,
  addressId: string,
  list: AppPasswordListRequest,
): Promise<List<AppPassword>> => {
  const { rows, total } = pageOf(await listAppPasswords(ctx.db, addressId), list, {
    text: ({ name }) => name,
    columns: {
      created_at: (row) => row.created_at.getTime(),
      name: (row) => row.name.toLowerCase(),
      last_used_at: (row) => row.last_used_at?.getTime() ?? null,
    },
  })
  return toList(list, total, rows.map(appPasswordJson))
}

const addAppPassword = async (ctx: Ctx, addressId: string, body: AppPasswordInput): Promise<CreatedAppPassword> => {
  const input = {
    accountId: sessionOf(ctx).account.id,
    addressId,
    name: body.name,
    ...(body.scopes && { scopes: body.scopes }),
    expiresAt: body.expires_at ? new Date(body.expires_at) : null,
    now: ctx.now(),
  }
  const { appPassword, token } = await ctx.tx((tx) => createAppPassword(tx, input))
  return { ...appPasswordJson(appPassword), token: token.reveal() }
}

const removeAppPassword = async (ctx: Ctx, { address_id: addressId, id }: AppPasswordRow) => {
  await ctx.tx((tx) => deleteAppPassword(tx, { accountId: sessionOf(ctx).account.id, addressId, id }))
  return { object: 'app_password', id, deleted: true } as const
}
