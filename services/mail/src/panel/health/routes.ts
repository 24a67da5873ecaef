import { health } from '@stoa/mail-model/health.ts'
import { route } from '../../context.ts'
import { checkNow, getHealth } from './health.ts'

export const healthRoutes = [
  route({
    method: 'GET',
    path: '/api/instance/health',
    summary: 'Read the last health check of the instance',
    auth: ['session'],
    access: 'owner',
    output: health,
    run: getHealth,
  }),
  route({
    method: 'POST',
    path: '/api/instance/health/check',
    summary: 'Check the health of the instance now',
    auth: ['session'],
    access: 'owner',
    output: health,
    run: checkNow,
  }),
]
