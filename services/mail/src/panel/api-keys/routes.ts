import { apiKeyDeleted, apiKeyInput, apiKeyList, apiKeyListQuery, createdApiKey } from '@stoa/mail-model/api-keys.ts'
import { z } from 'zod'
import { route } from '../../context.ts'
import { addApiKey, getApiKeys, loadApiKey, removeApiKey, requireSending } from './api-keys.ts'

/** A session alone reaches them: a leaked key cannot make itself another one. */
export const apiKeyRoutes = [
  route({
    method: 'GET',
    path: '/api/api-keys',
    summary: 'List API keys',
    auth: ['session'],
    access: 'account',
    query: apiKeyListQuery,
    output: apiKeyList,
    run: (ctx, { query }) => getApiKeys(ctx, query),
  }),
  route({
    method: 'POST',
    path: '/api/api-keys',
    summary: 'Create an API key; the token is returned once',
    auth: ['session'],
    access: 'account',
    body: apiKeyInput,
    output: createdApiKey,
    status: 201,
    load: requireSending,
    run: (ctx, { body }) => addApiKey(ctx, body),
  }),
  route({
    method: 'DELETE',
    path: '/api/api-keys/:api_key_id',
    summary: 'Revoke an API key',
    auth: ['session'],
    access: 'account',
    params: z.object({ api_key_id: z.uuid() }),
    output: apiKeyDeleted,
    load: loadApiKey,
    run: (ctx, { loaded }) => removeApiKey(ctx, loaded),
  }),
]
