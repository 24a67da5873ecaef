import { entry, entryDiff, restoreRevisionInput, revision, revisionItem } from '@stoa/cms-model/entries.ts'
import { listOf } from '@stoa/cms-model/lists.ts'
import { versionEtag } from '@stoa/kit/http/etag.ts'
import { reply } from '@stoa/kit/http/route.ts'
import { needs, type Route, route } from '../../people/access/access.ts'
import { wantedVersion } from '../../version-conflict.ts'
import { diffRevision, getRevision, listRevisions, restoreRevision } from './revisions.ts'
import { diffQuery, idParams, revisionParams, revisionsQuery } from './schema.ts'

export const revisionRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/api/entries/:id/revisions',
    summary: "List an entry's revisions, newest first",
    auth: ['session', 'agent'],
    access: needs('content.read'),
    params: idParams,
    query: revisionsQuery,
    output: listOf(revisionItem),
    run: (ctx, { params, query }) => listRevisions(ctx, params.id, query),
  }),
  route({
    method: 'GET',
    path: '/api/entries/:id/revisions/:rid',
    summary: 'Read a revision with its data',
    auth: ['session', 'agent'],
    access: needs('content.read'),
    params: revisionParams,
    output: revision,
    run: (ctx, { params }) => getRevision(ctx, params.id, params.rid),
  }),
  route({
    method: 'GET',
    path: '/api/entries/:id/revisions/:rid/diff',
    summary: 'Compare a revision with another one, or with the current draft',
    auth: ['session', 'agent'],
    access: needs('content.read'),
    params: revisionParams,
    query: diffQuery,
    output: entryDiff,
    run: (ctx, { params, query }) => diffRevision(ctx, params.id, { id: params.rid, against: query.against }),
  }),
  route({
    method: 'POST',
    path: '/api/entries/:id/revisions/:rid/restore',
    summary: 'Restore a revision, or some of its fields',
    auth: ['session', 'agent'],
    access: needs('content.write'),
    params: revisionParams,
    body: restoreRevisionInput,
    output: entry,
    run: async (ctx, { params, body, request }) => {
      const wanted = wantedVersion(request, body.version)
      const saved = await restoreRevision(ctx, params.id, { ...body, id: params.rid, wanted })
      return reply(saved, { etag: versionEtag(saved.version) })
    },
  }),
]
