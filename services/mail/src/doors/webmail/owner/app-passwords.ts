import type {
  AppPassword,
  AppPasswordInput,
  AppPasswordListRequest,
  CreatedAppPassword,
} from '@stoa/mail-model/app-passwords.ts'
import { type List, toList } from '@stoa/mail-model/list.ts'
import type { Ctx } from '../../../context.ts'
import { fail } from '../../../errors.ts'
import {
  type AppPassword as AppPasswordRow,
  appPasswordJson,
  createAppPassword,
  deleteAppPassword,
  listAppPasswords,
} from '../../../hosting/addresses/addresses.ts'
import { pageOf } from '../../../pagination/pagination.ts'
import { signInOf } from '../../../principal.ts'

/** App passwords of the own mailbox. */
export const getOwnAppPasswords = async (ctx: Ctx, list: AppPasswordListRequest): Promise<List<AppPassword>> => {
  const { rows, total } = pageOf(await listAppPasswords(ctx.db, signInOf(ctx).address.id), list, {
    text: ({ name }) => name,
    columns: {
      created_at: (row) => row.created_at.getTime(),
      name: (row) => row.name.toLowerCase(),
      last_used_at: (row) => row.last_used_at?.getTime() ?? null,
    },
  })
  return toList(list, total, rows.map(appPasswordJson))
}

export const loadOwnAppPassword = async (
  ctx: Ctx,
  { params }: { params: { app_password_id: string } },
): Promise<AppPasswordRow> => {
  const wanted = params.app_password_id.toLowerCase()
  const all = await listAppPasswords(ctx.db, signInOf(ctx).address.id)
  return all.find(({ id }) => id === wanted) ?? fail('not_found')
}

export const addOwnAppPassword = async (ctx: Ctx, body: AppPasswordInput): Promise<CreatedAppPassword> => {
  const { id: addressId, accountId } = signInOf(ctx).address
  const input = {
    accountId,
    addressId,
    name: body.name,
    ...(body.scopes && { scopes: body.scopes }),
    expiresAt: body.expires_at ? new Date(body.expires_at) : null,
    now: ctx.now(),
  }
  const { appPassword, token } = await ctx.tx((tx) => createAppPassword(tx, input))
  return { ...appPasswordJson(appPassword), token: token.reveal() }
}

export const removeOwnAppPassword = async (ctx: Ctx, { id }: AppPasswordRow) => {
  const { id: addressId, accountId } = signInOf(ctx).address
  await ctx.tx((tx) => deleteAppPassword(tx, { accountId, addressId, id }))
  return { object: 'app_password', id, deleted: true } as const
}
