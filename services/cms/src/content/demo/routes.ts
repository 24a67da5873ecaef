import { demoInput, demoResult } from '@stoa/cms-model/demo.ts'
import { needs, type Route, route } from '../../people/access/access.ts'
import { makeDemo } from './demo.ts'

export const demoRoutes: Route[] = [
  route({
    method: 'POST',
    path: '/api/demo',
    summary: 'Add the demo content to a site without content types, all or nothing; owners only',
    auth: ['session'],
    access: needs('types.manage'),
    body: demoInput,
    output: demoResult,
    status: 201,
    run: (ctx) => makeDemo(ctx),
  }),
]
