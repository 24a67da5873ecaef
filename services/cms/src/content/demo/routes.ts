import { demoInput, demoResult } from '@stoa/cms-model/demo.ts'
import { needs, type Route, route } from '../../people/access/access.ts'
import { makeDemo } from './demo.ts'

export const demoRoutes: Route[] = [
  route({
    method: 'POST',
    path: '/api/demo',
    summary: 'Fill a site that has no content type yet with a demo: all of it, or nothing. For owners',
    auth: ['session'],
    access: needs('types.manage'),
    body: demoInput,
    output: demoResult,
    status: 201,
    run: (ctx) => makeDemo(ctx),
  }),
]
