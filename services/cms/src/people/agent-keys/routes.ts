import { agentKey, createAgentKeyInput, mintedAgentKey } from '@stoa/cms-model/keys.ts'
import { listOf } from '@stoa/cms-model/lists.ts'
import { versionEtag } from '@stoa/kit/http/etag.ts'
import { reply } from '@stoa/kit/http/route.ts'
import { versionInput, wantedVersion } from '../../version-conflict.ts'
import { OPEN, type Route, route } from '../access/access.ts'
import { getAgentKey, listAgentKeys, mintAgentKey, revokeAgentKey } from './agent-keys.ts'
import { agentKeyJson, agentKeysQuery, idParams } from './schema.ts'

export const agentKeyRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/agent-keys',
    summary: 'Your agent keys, newest first; `account=all` or another ID requires users.manage',
    auth: ['session'],
    access: OPEN,
    query: agentKeysQuery,
    output: listOf(agentKey),
    run: async (ctx, { query }) => {
      const { items, meta } = await listAgentKeys(ctx, query)
      return { items: items.map(agentKeyJson), meta }
    },
  }),
  route({
    method: 'POST',
    path: '/api/agent-keys',
    summary: 'Create an agent key, with your password; `key` is only returned here',
    auth: ['session'],
    access: OPEN,
    body: createAgentKeyInput,
    output: mintedAgentKey,
    status: 201,
    run: async (ctx, { body }) => {
      const { record, key } = await mintAgentKey(ctx, body)
      return reply({ ...agentKeyJson(record), key }, { etag: versionEtag(record.version) })
    },
  }),
  route({
    method: 'GET',
    path: '/api/agent-keys/:id',
    summary: "Read one of your agent keys, or anyone's with users.manage",
    auth: ['session'],
    access: OPEN,
    params: idParams,
    output: agentKey,
    run: async (ctx, { params }) => {
      const record = await getAgentKey(ctx, params.id)
      // Its use is noted without a new version: never 304.
      return reply(agentKeyJson(record), { headers: { etag: versionEtag(record.version) } })
    },
  }),
  route({
    method: 'DELETE',
    path: '/api/agent-keys/:id',
    summary: 'Revoke an agent key; it stops working immediately and stays listed',
    auth: ['session'],
    access: OPEN,
    params: idParams,
    body: versionInput,
    output: 'empty',
    run: async (ctx, { params, body, request }) => {
      await revokeAgentKey(ctx, params.id, wantedVersion(request, body.version))
      return undefined
    },
  }),
]
