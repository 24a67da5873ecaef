import { searchQuery, searchResults } from '@stoa/cms-model/search.ts'
import { needs, type Route, route } from '../../people/access/access.ts'
import { searchSite } from './search.ts'

export const searchRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/api/search',
    summary: 'Search entries and files, best matches first',
    auth: ['session', 'agent'],
    access: needs('content.read'),
    query: searchQuery,
    output: searchResults,
    run: (ctx, { query }) => searchSite(ctx, query),
  }),
]
