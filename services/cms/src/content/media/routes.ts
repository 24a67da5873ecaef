import { listOf, listQuery } from '@stoa/cms-model/lists.ts'
import {
  mediaFolder,
  mediaList,
  mediaQuery,
  mediaRecord,
  mediaUse,
  renditionQuery,
  replaceFields,
  updateMediaInput,
  uploadFields,
} from '@stoa/cms-model/media.ts'
import { versionEtag } from '@stoa/kit/http/etag.ts'
import { PUBLIC, reply } from '@stoa/kit/http/route.ts'
import type { Ctx } from '../../context.ts'
import { needs, OPEN, type Route, route } from '../../people/access/access.ts'
import { versionInput, wantedVersion } from '../../version-conflict.ts'
import {
  getMedia,
  listFolders,
  listMedia,
  listUses,
  removeMedia,
  replaceMedia,
  type StoredMedia,
  updateMedia,
  uploadMedia,
} from './media.ts'
import { deleteQuery, fileParams, idParams, mediaJson } from './schema.ts'
import { serveFile } from './serve.ts'

const record = ({ config }: Ctx, saved: StoredMedia) =>
  reply(mediaJson(config, saved), { etag: versionEtag(saved.version) })

export const mediaRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/api/media',
    summary:
      'List files; search by name, texts and folder; filter by folder, type, uploader, date, usage and missing alt text',
    auth: ['session', 'agent'],
    access: needs('content.read'),
    query: mediaQuery,
    output: mediaList,
    run: async (ctx, { query }) => {
      const { items, meta } = await listMedia(ctx, query)
      return {
        items: items.map((media) => mediaJson(ctx.config, media)),
        meta: { ...meta, maxUploadBytes: ctx.config.maxUploadBytes },
      }
    },
  }),
  route({
    method: 'POST',
    path: '/api/media',
    summary: 'Upload a file in the form field "file"; its type is detected from its content',
    auth: ['session', 'agent'],
    access: needs('media.manage'),
    form: uploadFields,
    output: mediaRecord,
    status: 201,
    run: async (ctx, { request }) => record(ctx, await uploadMedia(ctx, request)),
  }),
  route({
    method: 'GET',
    path: '/api/media/folders',
    summary: 'List folders with their number of files',
    auth: ['session', 'agent'],
    access: needs('content.read'),
    query: listQuery({}),
    output: listOf(mediaFolder),
    run: (ctx, { query }) => listFolders(ctx, query),
  }),
  route({
    method: 'GET',
    path: '/api/media/:id',
    summary: "Read a file's details",
    auth: ['session', 'agent'],
    access: needs('content.read'),
    params: idParams,
    output: mediaRecord,
    run: async (ctx, { params }) => record(ctx, await getMedia(ctx, params.id)),
  }),
  route({
    method: 'PUT',
    path: '/api/media/:id',
    summary: "Update a file's details",
    auth: ['session', 'agent'],
    access: needs('media.manage'),
    params: idParams,
    body: updateMediaInput,
    output: mediaRecord,
    run: async (ctx, { params, body, request }) =>
      record(ctx, await updateMedia(ctx, params.id, body, wantedVersion(request, body.version))),
  }),
  route({
    method: 'DELETE',
    path: '/api/media/:id',
    summary: 'Delete a file permanently; a file in use requires force=1',
    auth: ['session', 'agent'],
    access: needs('media.manage'),
    params: idParams,
    query: deleteQuery,
    body: versionInput,
    output: 'empty',
    run: async (ctx, { params, query, body, request }) => {
      const wanted = wantedVersion(request, body.version)
      await removeMedia(ctx, params.id, { wanted, force: query.force === true })
      return undefined
    },
  }),
  route({
    method: 'GET',
    path: '/api/media/:id/usage',
    summary: 'List where a file is used: settings, design and entries, including entries in the trash',
    auth: ['session', 'agent'],
    access: needs('content.read'),
    params: idParams,
    query: listQuery({}),
    output: listOf(mediaUse),
    run: (ctx, { params, query }) => listUses(ctx, params.id, query),
  }),
  route({
    method: 'POST',
    path: '/api/media/:id/replace',
    summary: 'Replace a file with another one of the same type; it keeps its ID and gets a new URL',
    auth: ['session', 'agent'],
    access: needs('media.manage'),
    params: idParams,
    form: replaceFields,
    output: mediaRecord,
    run: async (ctx, { params, request }) => record(ctx, await replaceMedia(ctx, params.id, request)),
  }),
  route({
    method: 'GET',
    path: '/media/:id/:hash/:filename',
    summary: 'Download a file; images are also available in other sizes and formats',
    auth: PUBLIC,
    access: OPEN,
    surface: 'media',
    params: fileParams,
    query: renditionQuery,
    output: 'raw',
    run: (ctx, { params, query, request }) => serveFile(ctx, params, query, request),
  }),
]
