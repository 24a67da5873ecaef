import { health } from '@stoa/cms-model/health.ts'
import { OWNERS, type Route, route } from '../../people/access/access.ts'
import { checkNow, getHealth } from './health.ts'

export const healthRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/api/health',
    summary: 'What the last health check of the service found; owners only',
    auth: ['session'],
    access: OWNERS,
    output: health,
    run: getHealth,
  }),
  route({
    method: 'POST',
    path: '/api/health/check',
    summary: 'Check the health of the service now, at most once a minute; owners only',
    auth: ['session'],
    access: OWNERS,
    output: health,
    run: checkNow,
  }),
]
