import type { Tx } from '@stoa/kit/db/database.ts'
import type { Activity, ActivityListRequest } from '@stoa/mail-model/activity.ts'
import type {
  AddressFolder,
  AddressFolderListRequest,
  AddressInput,
  Address as AddressJson,
  AddressListRequest,
  AddressUpdate as AddressUpdateInput,
} from '@stoa/mail-model/addresses.ts'
import { type List, toList } from '@stoa/mail-model/list.ts'
import type { Ctx } from '../../context.ts'
import { fail } from '../../errors.ts'
import { pageOf } from '../../pagination/pagination.ts'
import { sessionOf } from '../../principal.ts'
import { listFolders } from '../../store/store.ts'
import type { Tables } from '../../tables.ts'
import { activityJson } from '../trace/trace.ts'
import {
  changeAddressPassword,
  createAddress,
  deleteAddress,
  hashAddressPassword,
  updateAddress,
} from './operations.ts'
import { type Address, findAddress } from './queries.ts'
import { changeRecoveryEmail } from './recovery-change.ts'
import { addressJson, folderJson } from './schema.ts'
import { findAddressView, listActivity, listAddressViews } from './view-queries.ts'

/** The address that a path names, if it is the account's. */
export const loadAddress = async (ctx: Ctx, { params }: { params: { address_id: string } }): Promise<Address> =>
  (await findAddress(ctx.db, sessionOf(ctx).account.id, params.address_id)) ?? fail('not_found')

export const getAddresses = async (
  ctx: Ctx,
  domainId: string,
  list: AddressListRequest,
): Promise<List<AddressJson>> => {
  const accountId = sessionOf(ctx).account.id
  const { rows, total } = await listAddressViews(ctx.db, { accountId, domainId }, list)
  return toList(list, total, rows.map(addressJson))
}

export const getAddress = async (ctx: Ctx, addressId: string): Promise<AddressJson> =>
  addressJson((await findAddressView(ctx.db, sessionOf(ctx).account.id, addressId)) ?? fail('not_found'))

export const addAddress = async (ctx: Ctx, domainId: string, body: AddressInput): Promise<AddressJson> => {
  const accountId = sessionOf(ctx).account.id
  const passwordHash = await hashAddressPassword(body.password)
  return ctx.tx(async (tx) => {
    const { id } = await createAddress(tx, {
      ...settingsOf(body),
      accountId,
      domainId,
      localPart: body.local_part,
      passwordHash,
      recoveryEmail: body.recovery_email ?? null,
      now: ctx.now(),
    })
    return view(tx, accountId, id)
  })
}

export const changeAddress = (ctx: Ctx, addressId: string, body: AddressUpdateInput): Promise<AddressJson> => {
  const accountId = sessionOf(ctx).account.id
  const { send_enabled: sendEnabled, spam_threshold: spamThreshold, digest } = body
  const change = { ...settingsOf(body), sendEnabled, spamThreshold, digest }
  return ctx.tx(async (tx) => {
    await updateAddress(tx, { accountId, addressId, change, now: ctx.now() })
    return view(tx, accountId, addressId)
  })
}

/** The address can be restored for a week, unless it is to be purged at once. */
export const removeAddress = async (ctx: Ctx, addressId: string, { purge }: { purge?: '0' | '1' | undefined }) => {
  const now = ctx.now()
  const which = { accountId: sessionOf(ctx).account.id, addressId, now }
  await ctx.tx((tx) => deleteAddress(tx, { ...which, ...(purge === '1' && { purgeAt: now }) }))
  return { object: 'address', id: addressId, deleted: true } as const
}

export const setAddressPassword = async (ctx: Ctx, addressId: string, password: string): Promise<AddressJson> => {
  const accountId = sessionOf(ctx).account.id
  const passwordHash = await hashAddressPassword(password)
  return ctx.tx(async (tx) => {
    await changeAddressPassword(tx, { accountId, addressId, passwordHash, now: ctx.now() })
    return view(tx, accountId, addressId)
  })
}

export const setAddressRecovery = (ctx: Ctx, addressId: string, recoveryEmail: string | null): Promise<AddressJson> => {
  const accountId = sessionOf(ctx).account.id
  return ctx.tx(async (tx) => {
    await changeRecoveryEmail(ctx.parts, tx, { accountId, addressId, recoveryEmail, now: ctx.now() })
    return view(tx, accountId, addressId)
  })
}

/** A mailbox has few folders: one statement reads them all. */
export const getAddressFolders = async (
  ctx: Ctx,
  addressId: string,
  list: AddressFolderListRequest,
): Promise<List<AddressFolder>> => {
  const { rows, total } = pageOf(await listFolders(ctx.db, addressId), list, {
    text: ({ path }) => path,
    columns: { name: ({ path }) => path.toLowerCase(), total: (row) => row.total, unread: (row) => row.unread },
  })
  return toList(list, total, rows.map(folderJson))
}

export const getAddressActivity = async (
  ctx: Ctx,
  addressId: string,
  list: ActivityListRequest,
): Promise<List<Activity>> => {
  const accountId = sessionOf(ctx).account.id
  const { rows, total } = await listActivity(ctx.db, { accountId, addressId }, list)
  return toList(list, total, rows.map(activityJson))
}

const view = async (tx: Tx<Tables>, accountId: string, id: string): Promise<AddressJson> =>
  addressJson((await findAddressView(tx, accountId, id)) ?? fail('not_found'))

const settingsOf = (body: AddressInput | AddressUpdateInput) => ({
  name: body.name,
  quotaBytes: body.quota_bytes,
  aliases: body.aliases,
  forwardTo: body.forward_to,
  keepCopy: body.keep_copy,
  enabled: body.enabled,
  requireAppPassword: body.require_app_password,
})
