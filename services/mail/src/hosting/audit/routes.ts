import { auditList, auditListQuery } from '@stoa/mail-model/audit.ts'
import { route } from '../../context.ts'
import { getAudit } from './audit.ts'

export const auditRoutes = [
  route({
    method: 'GET',
    path: '/api/instance/audit',
    summary: 'List actions of the owner and of server commands',
    auth: ['session'],
    access: 'owner',
    query: auditListQuery,
    output: auditList,
    run: (ctx, { query }) => getAudit(ctx, query),
  }),
]
