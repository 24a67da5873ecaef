import { clientConfig } from '@stoa/mail-model/client-config.ts'
import { overview } from '@stoa/mail-model/overview.ts'
import { route } from '../../context.ts'
import { clientConfigOf } from './client-config.ts'
import { getOverview } from './overview.ts'

export const overviewRoutes = [
  route({
    method: 'GET',
    path: '/api/overview',
    summary: 'Everything the Overview screen renders',
    auth: ['session'],
    access: 'account',
    output: overview,
    run: getOverview,
  }),
  route({
    method: 'GET',
    path: '/api/client-config',
    summary: 'Host names and ports for mail clients',
    auth: ['session'],
    access: 'account',
    output: clientConfig,
    run: (ctx) => clientConfigOf(ctx.config),
  }),
]
