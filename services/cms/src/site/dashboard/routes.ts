import { dashboard } from '@stoa/cms-model/dashboard.ts'
import { needs, type Route, route } from '../../people/access/access.ts'
import { readDashboard } from './dashboard.ts'

export const dashboardRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/api/dashboard',
    summary: 'What needs your attention, recent changes, and the number of entries of each type',
    auth: ['session', 'agent'],
    access: needs('content.read'),
    output: dashboard,
    run: (ctx) => readDashboard(ctx),
  }),
]
