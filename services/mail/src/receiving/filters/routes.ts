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
import { route } from '../../context.ts'
import { addFilter, changeFilter, filterJson, getFilters, loadFilter, removeFilter, validateFilter } from './panel.ts'

const one = z.object({ filter_id: z.uuid() })

export const filterRoutes = [
  route({
    method: 'GET',
    path: '/api/filters',
    summary: 'List filters in the order they run',
    auth: ['session'],
    access: 'account',
    query: filterListQuery,
    output: filterList,
    run: (ctx, { query }) => getFilters(ctx, query),
  }),
  route({
    method: 'POST',
    path: '/api/filters',
    summary: 'Create a filter',
    auth: ['session'],
    access: 'account',
    body: filterInput,
    output: filter,
    status: 201,
    run: (ctx, { body }) => addFilter(ctx, body),
  }),
  route({
    method: 'POST',
    path: '/api/filters/validate',
    summary: 'Compile a script without saving',
    auth: ['session'],
    access: 'account',
    body: filterValidationInput,
    output: filterValidation,
    run: (_ctx, { body }) => validateFilter(body.script),
  }),
  route({
    method: 'GET',
    path: '/api/filters/:filter_id',
    summary: 'Read a filter',
    auth: ['session'],
    access: 'account',
    params: one,
    output: filter,
    load: loadFilter,
    run: (_ctx, { loaded }) => filterJson(loaded),
  }),
  route({
    method: 'PATCH',
    path: '/api/filters/:filter_id',
    summary: 'Update a filter or its position',
    auth: ['session'],
    access: 'account',
    params: one,
    body: filterUpdate,
    output: filter,
    load: loadFilter,
    run: (ctx, { params, body }) => changeFilter(ctx, params.filter_id, body),
  }),
  route({
    method: 'DELETE',
    path: '/api/filters/:filter_id',
    summary: 'Delete a filter',
    auth: ['session'],
    access: 'account',
    params: one,
    output: filterDeleted,
    load: loadFilter,
    run: (ctx, { params }) => removeFilter(ctx, params.filter_id),
  }),
]
