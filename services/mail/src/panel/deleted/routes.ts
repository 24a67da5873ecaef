import { deletedList, deletedListQuery, restored } from '@stoa/mail-model/deleted.ts'
import { z } from 'zod'
import { route } from '../../context.ts'
import { getDeleted, loadDeleted, restore } from './deleted.ts'

export const deletedRoutes = [
  route({
    method: 'GET',
    path: '/api/deleted',
    summary: 'List deleted domains and addresses that can be restored',
    auth: ['session'],
    access: 'account',
    query: deletedListQuery,
    output: deletedList,
    run: (ctx, { query }) => getDeleted(ctx, query),
  }),
  route({
    method: 'POST',
    path: '/api/deleted/:deleted_id/restore',
    summary: 'Restore a domain with its addresses, or an address, with all mail',
    auth: ['session'],
    access: 'account',
    params: z.object({ deleted_id: z.uuid() }),
    output: restored,
    load: loadDeleted,
    run: (ctx, { loaded }) => restore(ctx, loaded),
  }),
]
