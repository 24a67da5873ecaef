import { sender, senderDeleted, senderInput, senderList, senderListQuery } from '@stoa/mail-model/senders.ts'
import { z } from 'zod'
import { type Ctx, route } from '../../context.ts'
import { loadDomain } from '../../hosting/domains/domains.ts'
import { signInOf } from '../../principal.ts'
import { addSender, getSender, getSenders, removeSender, type SenderList } from './senders.ts'

type ListParams = { domain_id?: string }

type ListRoutes = {
  path: string
  /** The scope of the list, for the API reference. */
  where: string
  caller: { auth: ['session']; access: 'account' | 'owner' } | { auth: ['webmail']; access: 'mailbox' }
  params: z.ZodType<ListParams>
  ofSender: z.ZodType<ListParams & { sender_id: string }>
  /** Whose list it is, or 404. */
  listOf: (ctx: Ctx, params: ListParams) => Promise<SenderList>
}

const routesOf = ({ path, where, caller, params, ofSender, listOf }: ListRoutes) => [
  route({
    ...caller,
    method: 'GET',
    path,
    summary: `List allowed and blocked senders ${where}`,
    params,
    load: (ctx, input) => listOf(ctx, input.params),
    query: senderListQuery,
    output: senderList,
    run: (ctx, { loaded, query }) => getSenders(ctx, loaded, query),
  }),
  route({
    ...caller,
    method: 'POST',
    path,
    summary: `Allow or block a sender ${where}`,
    params,
    load: (ctx, input) => listOf(ctx, input.params),
    body: senderInput,
    output: sender,
    status: 201,
    run: (ctx, { loaded, body }) => addSender(ctx, loaded, body),
  }),
  route({
    ...caller,
    method: 'DELETE',
    path: `${path}/:sender_id`,
    summary: `Remove a sender from the list ${where}`,
    params: ofSender,
    load: async (ctx, input) => getSender(ctx, await listOf(ctx, input.params), input.params.sender_id),
    output: senderDeleted,
    run: (ctx, { loaded }) => removeSender(ctx, loaded),
  }),
]

const nothing = z.object({})
const ofDomain = z.object({ domain_id: z.uuid() })
const ofSender = z.object({ sender_id: z.uuid() })

/** The three lists of senders; the nearest to a mailbox counts. */
export const senderRoutes = [
  ...routesOf({
    path: '/api/domains/:domain_id/senders',
    where: 'of a domain',
    caller: { auth: ['session'], access: 'account' },
    params: ofDomain,
    ofSender: ofDomain.extend(ofSender.shape),
    listOf: async (ctx, { domain_id = '' }) => {
      const { id } = await loadDomain(ctx, { params: { domain_id } })
      return { addressId: null, domainId: id }
    },
  }),
  ...routesOf({
    path: '/api/instance/senders',
    where: 'of the instance',
    caller: { auth: ['session'], access: 'owner' },
    params: nothing,
    ofSender,
    listOf: async () => ({ addressId: null, domainId: null }),
  }),
  ...routesOf({
    path: '/api/mail/senders',
    where: 'of the mailbox',
    caller: { auth: ['webmail'], access: 'mailbox' },
    params: nothing,
    ofSender,
    listOf: async (ctx) => ({ addressId: signInOf(ctx).address.id, domainId: null }),
  }),
]
