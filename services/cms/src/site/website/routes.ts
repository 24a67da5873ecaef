import { visualDefinitions } from '@stoa/cms-model/visual.ts'
import { websiteState } from '@stoa/cms-model/website.ts'
import { z } from 'zod'
import { needs, type Route, route } from '../../people/access/access.ts'
import { readWebsite } from './website.ts'

export const websiteRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/api/website',
    summary: 'The parts that all pages of the website share, and what their sources hold',
    auth: ['session', 'agent'],
    access: needs('content.read'),
    output: websiteState,
    run: (ctx) => readWebsite(ctx),
  }),
  route({
    method: 'GET',
    path: '/api/visual',
    summary: 'The content types whose pages can be edited on the page itself',
    auth: ['session', 'agent'],
    access: needs('content.read'),
    output: z.object({ types: visualDefinitions }),
    run: async (ctx) => ({ types: ctx.host.visual }),
  }),
]
