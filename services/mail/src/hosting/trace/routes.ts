import { traceList, traceListQuery } from '@stoa/mail-model/trace.ts'
import { route } from '../../context.ts'
import { getTrace } from './trace.ts'

export const traceRoutes = [
  route({
    method: 'GET',
    path: '/api/trace',
    summary: 'Trace mail across all addresses',
    auth: ['session'],
    access: 'account',
    query: traceListQuery,
    output: traceList,
    run: (ctx, { query }) => getTrace(ctx, query),
  }),
]
