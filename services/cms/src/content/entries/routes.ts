import {
  bulkInput,
  bulkResults,
  createEntryInput,
  type Entry,
  entry,
  entryItem,
  entryStatusInput,
  entryTermsInput,
  entryUse,
  updateEntryInput,
} from '@stoa/cms-model/entries.ts'
import { listOf, listQuery } from '@stoa/cms-model/lists.ts'
import { versionEtag } from '@stoa/kit/http/etag.ts'
import { reply } from '@stoa/kit/http/route.ts'
import { needs, type Route, route } from '../../people/access/access.ts'
import { versionInput, wantedVersion } from '../../version-conflict.ts'
import { changeEntries } from './bulk.ts'
import { createEntry } from './create.ts'
import { duplicateEntry } from './duplicate.ts'
import { discardPending } from './pending.ts'
import { revisionRoutes } from './revision-routes.ts'
import { ENTRY_BODY_LIMIT, entriesQuery, idParams } from './schema.ts'
import { getEntry, listEntries } from './show.ts'
import { changeStatus } from './status.ts'
import { changeTerms } from './terms.ts'
import { trashEntry } from './trash.ts'
import { trashRoutes } from './trash-routes.ts'
import { updateEntry } from './update.ts'
import { listUses } from './usage.ts'

const record = (saved: Entry) => reply(saved, { etag: versionEtag(saved.version) })

const mainRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/api/entries',
    summary:
      'Entries outside of the trash, as they are edited; narrowed also to ids, or to an entry and its translations',
    auth: ['session', 'agent'],
    access: needs('content.read'),
    query: entriesQuery,
    output: listOf(entryItem),
    run: (ctx, { query }) => listEntries(ctx, query),
  }),
  route({
    method: 'POST',
    path: '/api/entries',
    summary: 'Make a draft',
    auth: ['session', 'agent'],
    access: needs('content.write'),
    body: createEntryInput,
    bodyLimit: ENTRY_BODY_LIMIT,
    output: entry,
    status: 201,
    run: async (ctx, { body }) => record(await createEntry(ctx, body)),
  }),
  route({
    method: 'GET',
    path: '/api/entries/:id',
    summary: 'One entry: what is edited, and what is live',
    auth: ['session', 'agent'],
    access: needs('content.read'),
    params: idParams,
    output: entry,
    run: async (ctx, { params }) => record(await getEntry(ctx, params.id)),
  }),
  route({
    method: 'GET',
    path: '/api/entries/:id/usage',
    summary: 'Where an entry is used: menus, and entries outside of the trash, in what is live or edited',
    auth: ['session', 'agent'],
    access: needs('content.read'),
    params: idParams,
    query: listQuery({}),
    output: listOf(entryUse),
    run: (ctx, { params, query }) => listUses(ctx, params.id, query),
  }),
  route({
    method: 'PUT',
    path: '/api/entries/:id',
    summary: 'Change the members sent; of a published entry live, or as unpublished changes with mode draft',
    auth: ['session', 'agent'],
    access: needs('content.write'),
    params: idParams,
    body: updateEntryInput,
    bodyLimit: ENTRY_BODY_LIMIT,
    output: entry,
    run: async (ctx, { params, body, request }) =>
      record(await updateEntry(ctx, params.id, body, wantedVersion(request, body.version))),
  }),
  route({
    method: 'POST',
    path: '/api/entries/:id/status',
    summary: 'Publish, unpublish or return to draft: now, or at a time',
    auth: ['session', 'agent'],
    // Each action asks for its own right.
    access: needs('content.read'),
    params: idParams,
    body: entryStatusInput,
    output: entry,
    run: async (ctx, { params, body, request }) =>
      record(await changeStatus(ctx, params.id, body, wantedVersion(request, body.version))),
  }),
  route({
    method: 'DELETE',
    path: '/api/entries/:id/pending',
    summary: 'Throw the unpublished changes away',
    auth: ['session', 'agent'],
    access: needs('content.write'),
    params: idParams,
    body: versionInput,
    output: entry,
    run: async (ctx, { params, body, request }) =>
      record(await discardPending(ctx, params.id, wantedVersion(request, body.version))),
  }),
  route({
    method: 'DELETE',
    path: '/api/entries/:id',
    summary: 'Move to the trash',
    auth: ['session', 'agent'],
    access: needs('content.write'),
    params: idParams,
    body: versionInput,
    output: 'empty',
    run: async (ctx, { params, body, request }) => {
      await trashEntry(ctx, params.id, wantedVersion(request, body.version))
      return undefined
    },
  }),
  route({
    method: 'POST',
    path: '/api/entries/:id/duplicate',
    summary: 'A draft of one’s own with the same content',
    auth: ['session', 'agent'],
    access: needs('content.write'),
    params: idParams,
    output: entry,
    status: 201,
    run: async (ctx, { params }) => record(await duplicateEntry(ctx, params.id)),
  }),
  route({
    method: 'PUT',
    path: '/api/entries/:id/terms',
    summary: 'The terms that the entry has of one taxonomy',
    auth: ['session', 'agent'],
    access: needs('content.write'),
    params: idParams,
    body: entryTermsInput,
    output: entry,
    run: async (ctx, { params, body, request }) =>
      record(await changeTerms(ctx, params.id, body, wantedVersion(request, body.version))),
  }),
  route({
    method: 'POST',
    path: '/api/entries/bulk',
    summary: 'The same change of up to 100 entries, with a result for each',
    auth: ['session', 'agent'],
    // Each action asks for its own right.
    access: needs('content.read'),
    body: bulkInput,
    output: bulkResults,
    run: (ctx, { body }) => changeEntries(ctx, body),
  }),
]

export const entryRoutes: Route[] = [...mainRoutes, ...trashRoutes, ...revisionRoutes]
