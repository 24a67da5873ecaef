import { dashboard } from '@stoa/cms-model/dashboard.ts'
import { needs, type Route, route } from '../../people/access/access.ts'
import { readDashboard } from './dashboard.ts'

export const dashboardRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/api/dashboard',
    summary: 'What needs this person, what was changed last, and how many entries each type has',
    auth: ['session', 'agent'],
    access: needs('content.read'),
    output: dashboard,
    run: (ctx) => readDashboard(ctx),
  }),
]
