import { restoredEntry, restoreEntryInput, trashedEntry } from '@stoa/cms-model/entries.ts'
import { listOf } from '@stoa/cms-model/lists.ts'
import { versionEtag } from '@stoa/kit/http/etag.ts'
import { reply } from '@stoa/kit/http/route.ts'
import { needs, type Route, route } from '../../people/access/access.ts'
import { wantedVersion } from '../../version-conflict.ts'
import { idParams, trashQuery } from './schema.ts'
import { emptyTrash, listTrash, purgeEntry, restoreEntry } from './trash.ts'

export const trashRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/api/trash',
    summary: 'List deleted entries that you can restore, last deleted first; can be searched',
    auth: ['session', 'agent'],
    access: needs('content.write'),
    query: trashQuery,
    output: listOf(trashedEntry),
    run: (ctx, { query }) => listTrash(ctx, query),
  }),
  route({
    method: 'POST',
    path: '/api/entries/:id/restore',
    summary: 'Restore an entry from the trash as a draft; it gets a new slug if its old one is taken',
    auth: ['session', 'agent'],
    access: needs('content.write'),
    params: idParams,
    body: restoreEntryInput,
    output: restoredEntry,
    run: async (ctx, { params, body, request }) => {
      const restored = await restoreEntry(ctx, params.id, body, wantedVersion(request, body.version))
      return reply(restored, { etag: versionEtag(restored.version) })
    },
  }),
  route({
    method: 'DELETE',
    path: '/api/trash',
    summary: "Empty the trash; this can't be undone",
    auth: ['session'],
    access: needs('types.manage'),
    output: 'empty',
    run: async (ctx) => {
      await emptyTrash(ctx)
      return undefined
    },
  }),
  route({
    method: 'DELETE',
    path: '/api/trash/:id',
    summary: 'Delete an entry in the trash permanently',
    auth: ['session'],
    access: needs('types.manage'),
    params: idParams,
    output: 'empty',
    run: async (ctx, { params }) => {
      await purgeEntry(ctx, params.id)
      return undefined
    },
  }),
]
