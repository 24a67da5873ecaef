import {
  filter,
  filterDeleted,
  filterInput,
  filterList,
  filterListQuery,
  filterUpdate,
  filterValidation,
  filterValidationInput,
} from '@stoa/mail-model/filters.ts'
import { z } from 'zod'
import { route } from '../../../context.ts'
import {
  addFilter,
  changeFilter,
  filterJson,
  getFilters,
  loadFilter,
  removeFilter,
  validateFilter,
} from '../../../receiving/filters/filters.ts'

const one = z.object({ filter_id: z.uuid() })
const own = { auth: ['webmail'], access: 'mailbox' } as const

/** Filters of the own mailbox: the same as those of the panel, and only those of this address. */
export const mailboxFilterRoutes = [
  route({
    ...own,
    method: 'GET',
    path: '/api/mail/filters',
    summary: "List the mailbox's filters, in the order they run",
    query: filterListQuery,
    output: filterList,
    run: (ctx, { query }) => getFilters(ctx, query),
  }),
  route({
    ...own,
    method: 'POST',
    path: '/api/mail/filters',
    summary: 'Create a filter for the mailbox',
    body: filterInput,
    output: filter,
    status: 201,
    run: (ctx, { body }) => addFilter(ctx, body),
  }),
  route({
    ...own,
    method: 'POST',
    path: '/api/mail/filters/validate',
    summary: 'Compile a script without saving',
    body: filterValidationInput,
    output: filterValidation,
    run: (_ctx, { body }) => validateFilter(body.script),
  }),
  route({
    ...own,
    method: 'GET',
    path: '/api/mail/filters/:filter_id',
    summary: 'Read a filter of the mailbox',
    params: one,
    output: filter,
    load: loadFilter,
    run: (_ctx, { loaded }) => filterJson(loaded),
  }),
  route({
    ...own,
    method: 'PATCH',
    path: '/api/mail/filters/:filter_id',
    summary: 'Update a filter of the mailbox or its position',
    params: one,
    body: filterUpdate,
    output: filter,
    load: loadFilter,
    run: (ctx, { params, body }) => changeFilter(ctx, params.filter_id, body),
  }),
  route({
    ...own,
    method: 'DELETE',
    path: '/api/mail/filters/:filter_id',
    summary: 'Delete a filter of the mailbox',
    params: one,
    output: filterDeleted,
    load: loadFilter,
    run: (ctx, { params }) => removeFilter(ctx, params.filter_id),
  }),
]
