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
      "List entries that aren't in the trash, with their current draft; filter also by ids, or by an entry and its translations",
    auth: ['session', 'agent'],
    access: needs('content.read'),
    query: entriesQuery,
    output: listOf(entryItem),
    run: (ctx, { query }) => listEntries(ctx, query),
  }),
  route({
    method: 'POST',
    path: '/api/entries',
    summary: 'Create a draft',
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
    summary: 'Read an entry: its current draft and its published version',
    auth: ['session', 'agent'],
    access: needs('content.read'),
    params: idParams,
    output: entry,
    run: async (ctx, { params }) => record(await getEntry(ctx, params.id)),
  }),
  route({
    method: 'GET',
    path: '/api/entries/:id/usage',
    summary:
      "List where an entry is used: in menus, and in published versions and drafts of entries that aren't in the trash",
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
    summary:
      'Update an entry; changes to a published entry go live immediately, or are kept as unpublished changes with mode=draft',
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
    summary: 'Publish, unpublish or return to draft, now or at a scheduled time',
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
    summary: 'Discard unpublished changes',
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
    summary: 'Move an entry to the trash',
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
    summary: 'Duplicate an entry as your own draft',
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
    summary: "Set an entry's terms in one taxonomy",
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
    summary: 'Apply the same change to up to 100 entries, with a result for each',
    auth: ['session', 'agent'],
    // Each action asks for its own right.
    access: needs('content.read'),
    body: bulkInput,
    output: bulkResults,
    run: (ctx, { body }) => changeEntries(ctx, body),
  }),
]

export const entryRoutes: Route[] = [...mainRoutes, ...trashRoutes, ...revisionRoutes]
