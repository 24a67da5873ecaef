import { websiteState } from '@stoa/cms-model/website.ts'
import { needs, type Route, route } from '../../people/access/access.ts'
import { readWebsite } from './website.ts'

export const websiteRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/api/website',
    summary: 'List the parts shared by all pages of the website, with their current content',
    auth: ['session', 'agent'],
    access: needs('content.read'),
    output: websiteState,
    run: (ctx) => readWebsite(ctx),
  }),
]
