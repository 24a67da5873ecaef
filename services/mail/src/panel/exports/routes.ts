import { exportDeleted, exportInput, exportList, exportListQuery, mailExport } from '@stoa/mail-model/exports.ts'
import { z } from 'zod'
import { route } from '../../context.ts'
import { downloadExport } from './download.ts'
import { addExport, exportJson, getExports, loadExport, removeExport } from './exports.ts'

const one = z.object({ export_id: z.uuid() })

export const exportRoutes = [
  route({
    method: 'GET',
    path: '/api/exports',
    summary: 'List exports of mail',
    auth: ['session'],
    access: 'account',
    query: exportListQuery,
    output: exportList,
    run: (ctx, { query }) => getExports(ctx, query),
  }),
  route({
    method: 'POST',
    path: '/api/exports',
    summary: 'Export mail as a zip file',
    auth: ['session'],
    access: 'account',
    body: exportInput,
    output: mailExport,
    status: 202,
    run: (ctx, { body }) => addExport(ctx, body),
  }),
  route({
    method: 'GET',
    path: '/api/exports/:export_id',
    summary: 'Read an export and its progress',
    auth: ['session'],
    access: 'account',
    params: one,
    output: mailExport,
    load: loadExport,
    run: (_ctx, { loaded }) => exportJson(loaded),
  }),
  route({
    method: 'DELETE',
    path: '/api/exports/:export_id',
    summary: 'Delete an export and its file; stops one in progress',
    auth: ['session'],
    access: 'account',
    params: one,
    output: exportDeleted,
    load: loadExport,
    run: (ctx, { loaded }) => removeExport(ctx, loaded),
  }),
  route({
    method: 'GET',
    path: '/api/exports/:export_id/download',
    summary: 'Download an export; supports Range',
    auth: ['session'],
    access: 'account',
    params: one,
    output: 'raw',
    describes: { type: 'application/zip' },
    load: loadExport,
    run: (ctx, { loaded, request }) => downloadExport(ctx, loaded, request),
  }),
]
