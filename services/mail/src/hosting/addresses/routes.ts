import { activityList, activityListQuery } from '@stoa/mail-model/activity.ts'
import {
  address,
  addressDeleted,
  addressFolderList,
  addressFolderListQuery,
  addressInput,
  addressList,
  addressListQuery,
  addressPasswordInput,
  addressUpdate,
  recoveryInput,
} from '@stoa/mail-model/addresses.ts'
import { deleteQuery } from '@stoa/mail-model/deleted.ts'
import { z } from 'zod'
import { type Ctx, route } from '../../context.ts'
import { fail } from '../../errors.ts'
import { sessionOf } from '../../principal.ts'
import { findDomain } from '../domains/domains.ts'
import { appPasswordRoutes } from './app-password-routes.ts'
import {
  addAddress,
  changeAddress,
  getAddress,
  getAddressActivity,
  getAddresses,
  getAddressFolders,
  loadAddress,
  removeAddress,
  setAddressPassword,
  setAddressRecovery,
} from './panel.ts'

const inDomain = z.object({ domain_id: z.uuid() })
const ofAddress = z.object({ address_id: z.uuid() })

const loadDomain = async (ctx: Ctx, { params }: { params: z.output<typeof inDomain> }) =>
  (await findDomain(ctx.db, sessionOf(ctx).account.id, params.domain_id)) ?? fail('not_found')

export const addressRoutes = [
  route({
    method: 'GET',
    path: '/api/domains/:domain_id/addresses',
    summary: 'Addresses on this domain',
    auth: ['session'],
    access: 'account',
    params: inDomain,
    query: addressListQuery,
    output: addressList,
    load: loadDomain,
    run: (ctx, { params, query }) => getAddresses(ctx, params.domain_id, query),
  }),
  route({
    method: 'POST',
    path: '/api/domains/:domain_id/addresses',
    summary: 'Create an address with an empty mailbox',
    auth: ['session'],
    access: 'account',
    params: inDomain,
    body: addressInput,
    output: address,
    status: 201,
    load: loadDomain,
    run: (ctx, { params, body }) => addAddress(ctx, params.domain_id, body),
  }),
  route({
    method: 'GET',
    path: '/api/addresses/:address_id',
    summary: 'Read an address',
    auth: ['session'],
    access: 'account',
    params: ofAddress,
    output: address,
    run: (ctx, { params }) => getAddress(ctx, params.address_id),
  }),
  route({
    method: 'PATCH',
    path: '/api/addresses/:address_id',
    summary: 'Update an address',
    auth: ['session'],
    access: 'account',
    params: ofAddress,
    body: addressUpdate,
    output: address,
    load: loadAddress,
    run: (ctx, { params, body }) => changeAddress(ctx, params.address_id, body),
  }),
  route({
    method: 'DELETE',
    path: '/api/addresses/:address_id',
    summary: 'Delete an address with its mail; with purge=1 permanently, otherwise it can be restored for 7 days',
    auth: ['session'],
    access: 'account',
    params: ofAddress,
    query: deleteQuery,
    output: addressDeleted,
    load: loadAddress,
    run: (ctx, { params, query }) => removeAddress(ctx, params.address_id, query),
  }),
  route({
    method: 'POST',
    path: '/api/addresses/:address_id/password',
    summary: 'Change the mailbox password; revokes its app passwords',
    auth: ['session'],
    access: 'account',
    params: ofAddress,
    body: addressPasswordInput,
    output: address,
    load: loadAddress,
    run: (ctx, { params, body }) => setAddressPassword(ctx, params.address_id, body.password),
  }),
  route({
    method: 'POST',
    path: '/api/addresses/:address_id/recovery',
    summary: 'Set the recovery address',
    auth: ['session'],
    access: 'account',
    params: ofAddress,
    body: recoveryInput,
    output: address,
    load: loadAddress,
    run: (ctx, { params, body }) => setAddressRecovery(ctx, params.address_id, body.recovery_email),
  }),
  route({
    method: 'GET',
    path: '/api/addresses/:address_id/folders',
    summary: 'Folders with counts',
    auth: ['session'],
    access: 'account',
    params: ofAddress,
    query: addressFolderListQuery,
    output: addressFolderList,
    load: loadAddress,
    run: (ctx, { params, query }) => getAddressFolders(ctx, params.address_id, query),
  }),
  route({
    method: 'GET',
    path: '/api/addresses/:address_id/activity',
    summary: 'Recent mail activity and sign-ins',
    auth: ['session'],
    access: 'account',
    params: ofAddress,
    query: activityListQuery,
    output: activityList,
    load: loadAddress,
    run: (ctx, { params, query }) => getAddressActivity(ctx, params.address_id, query),
  }),
  ...appPasswordRoutes,
]
