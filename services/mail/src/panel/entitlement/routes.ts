import { entitlement, planList, planListQuery } from '@stoa/mail-model/plans.ts'
import { route } from '../../context.ts'
import { getEntitlement, getPlans } from './entitlement.ts'

export const planRoutes = [
  route({
    method: 'GET',
    path: '/api/plans',
    summary: 'Visible plans, ordered by position',
    auth: ['session'],
    access: 'account',
    query: planListQuery,
    output: planList,
    run: (ctx, { query }) => getPlans(ctx, query),
  }),
  route({
    method: 'GET',
    path: '/api/entitlement',
    summary: "The account's entitlement and usage",
    auth: ['session'],
    access: 'account',
    output: entitlement,
    run: getEntitlement,
  }),
]
