import { visualDefinitions, visualPage, visualPageInput } from '@stoa/cms-model/visual.ts'
import { z } from 'zod'
import { needs, type Route, route } from '../../people/access/access.ts'
import { readPage } from './visual.ts'

export const visualRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/api/visual',
    summary: 'List the content types whose pages can be edited in place',
    auth: ['session', 'agent'],
    access: needs('content.read'),
    output: z.object({ types: visualDefinitions }),
    run: async (ctx) => ({ types: ctx.host.visual }),
  }),
  route({
    method: 'POST',
    path: '/api/visual/page',
    summary: 'Load a page of the website for the editor: the page of a preview link, or the one with the shared parts',
    auth: ['session'],
    access: needs('content.write'),
    body: visualPageInput,
    output: visualPage,
    run: (ctx, { body }) => readPage(ctx, body),
  }),
]
