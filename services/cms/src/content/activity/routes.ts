import { activityRecord } from '@stoa/cms-model/activity.ts'
import { listOf } from '@stoa/cms-model/lists.ts'
import { needs, type Route, route } from '../../people/access/access.ts'
import { listActivity } from './activity.ts'
import { activityJson, activityQuery } from './schema.ts'

export const activityRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/activity',
    summary: 'List activity, newest first; without users.manage, only activity on content',
    auth: ['session', 'agent'],
    access: needs('content.read'),
    query: activityQuery,
    output: listOf(activityRecord),
    run: async (ctx, { query }) => {
      const { items, meta } = await listActivity(ctx, query)
      return { items: items.map(activityJson), meta }
    },
  }),
]
