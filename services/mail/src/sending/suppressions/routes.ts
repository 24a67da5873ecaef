import {
  suppression,
  suppressionDeleted,
  suppressionImport,
  suppressionImportInput,
  suppressionInput,
  suppressionList,
  suppressionListQuery,
  suppressionUpdate,
} from '@stoa/mail-model/suppressions.ts'
import { z } from 'zod'
import { route } from '../../context.ts'
import { importSuppressions } from './import.ts'
import {
  addSuppression,
  changeSuppression,
  getSuppressions,
  loadSuppression,
  removeSuppression,
} from './suppressions.ts'

const one = z.object({ suppression_id: z.uuid() })

/** A session alone reaches them: a leaked key cannot let through what was stopped. */
export const suppressionRoutes = [
  route({
    method: 'GET',
    path: '/api/suppressions',
    summary: 'List suppressions',
    auth: ['session'],
    access: 'account',
    query: suppressionListQuery,
    output: suppressionList,
    run: (ctx, { query }) => getSuppressions(ctx, query),
  }),
  route({
    method: 'POST',
    path: '/api/suppressions',
    summary: 'Suppress an address',
    auth: ['session'],
    access: 'account',
    body: suppressionInput,
    output: suppression,
    status: 201,
    run: (ctx, { body }) => addSuppression(ctx, body),
  }),
  route({
    method: 'POST',
    path: '/api/suppressions/import',
    summary: 'Import suppressions, as a JSON list or text/csv file',
    auth: ['session'],
    access: 'account',
    form: z.looseObject({}),
    describes: { body: { 'application/json': suppressionImportInput, 'text/csv': null } },
    output: suppressionImport,
    run: (ctx, { request }) => importSuppressions(ctx, request),
  }),
  route({
    method: 'PATCH',
    path: '/api/suppressions/:suppression_id',
    summary: 'Update the reason or expiry of a suppression',
    auth: ['session'],
    access: 'account',
    params: one,
    body: suppressionUpdate,
    output: suppression,
    load: loadSuppression,
    run: (ctx, { loaded, body }) => changeSuppression(ctx, loaded, body),
  }),
  route({
    method: 'DELETE',
    path: '/api/suppressions/:suppression_id',
    summary: 'Remove a suppression',
    auth: ['session'],
    access: 'account',
    params: one,
    output: suppressionDeleted,
    load: loadSuppression,
    run: (ctx, { loaded }) => removeSuppression(ctx, loaded),
  }),
]
