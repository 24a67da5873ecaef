import { contentType, contentTypeInput } from '@stoa/cms-model/content-types.ts'
import { listOf } from '@stoa/cms-model/lists.ts'
import { versionEtag } from '@stoa/kit/http/etag.ts'
import { reply } from '@stoa/kit/http/route.ts'
import { needs, type Route, route } from '../../people/access/access.ts'
import { versionInput, wantedVersion } from '../../version-conflict.ts'
import { createType, deleteType, tryUpdate, updateType } from './changes.ts'
import { getType, listTypes, type TypeRecord } from './content-type.ts'
import { affected, nameParams, noQuery, typeJson, typesQuery, updated, updateInput, updateQuery } from './schema.ts'

// Taxonomies name the types they are for without touching them, so that this never answers 304.
const record = (type: TypeRecord) => reply(typeJson(type), { headers: { etag: versionEtag(type.version) } })

export const typeRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/api/types',
    summary: 'List content types with their fields',
    auth: ['session', 'agent'],
    access: needs('content.read'),
    query: typesQuery,
    output: listOf(contentType),
    run: async (ctx, { query }) => {
      const { items, meta } = await listTypes(ctx, query)
      return { items: items.map(typeJson), meta }
    },
  }),
  route({
    method: 'POST',
    path: '/api/types',
    summary: "Create a content type; its name can't be changed later",
    auth: ['session', 'agent'],
    access: needs('types.manage'),
    query: noQuery,
    body: contentTypeInput,
    output: contentType,
    status: 201,
    run: async (ctx, { body }) => record(await createType(ctx, body)),
  }),
  route({
    method: 'GET',
    path: '/api/types/:name',
    summary: 'Read a content type',
    auth: ['session', 'agent'],
    access: needs('content.read'),
    params: nameParams,
    output: contentType,
    run: async (ctx, { params }) => record(await getType(ctx, params.name)),
  }),
  route({
    method: 'PUT',
    path: '/api/types/:name',
    summary:
      'Update a content type; fields replaces all fields and keeps stored values, and renames changes field keys; a field that changes its type keeps the values that can be converted without loss; with dryRun=1 nothing is saved, and the response counts the affected entries',
    auth: ['session', 'agent'],
    access: needs('types.manage'),
    params: nameParams,
    query: updateQuery,
    body: updateInput,
    output: updated,
    run: async (ctx, { params, query, body, request }) => {
      const wanted = wantedVersion(request, body.version)
      if (query.dryRun) return tryUpdate(ctx, params.name, body, wanted)
      return record(await updateType(ctx, params.name, body, wanted))
    },
  }),
  route({
    method: 'DELETE',
    path: '/api/types/:name',
    summary:
      "Delete a content type that has no entries and isn't referenced by other types. With dryRun=1 nothing is deleted, and the response counts the entries that have values",
    auth: ['session', 'agent'],
    access: needs('types.manage'),
    params: nameParams,
    query: updateQuery,
    body: versionInput,
    output: affected.optional(),
    status: 204,
    run: async (ctx, { params, query, body, request }) => {
      const wanted = wantedVersion(request, body.version)
      if (query.dryRun) {
        const { affected } = await tryUpdate(ctx, params.name, { fields: [] }, wanted)
        return reply({ affected }, { status: 200 })
      }
      await deleteType(ctx, params.name, wanted)
      return undefined
    },
  }),
]
