import { conversation, conversationDetail, conversationInput, messageInput } from '@stoa/cms-model/assistant.ts'
import { listOf } from '@stoa/cms-model/lists.ts'
import { eventStreamReply } from '@stoa/kit/http/sse.ts'
import { needs, type Route, route } from '../../people/access/access.ts'
import {
  createConversation,
  deleteConversation,
  listConversations,
  renameConversation,
  requireConversation,
  sendMessage,
  showConversation,
  stopTurn,
} from './conversations.ts'
import { conversationJson, conversationsQuery, idParams, renameInput } from './schema.ts'

const READ = needs('content.read')

export const conversationRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/assistant/conversations',
    summary: 'List your conversations with the assistant, latest first',
    auth: ['session'],
    access: READ,
    query: conversationsQuery,
    output: listOf(conversation),
    run: async (ctx, { query }) => {
      const { items, meta } = await listConversations(ctx, query)
      return { items: items.map(conversationJson), meta }
    },
  }),
  route({
    method: 'POST',
    path: '/api/assistant/conversations',
    summary: 'Start a conversation; without a title, it is named after its first message',
    auth: ['session'],
    access: READ,
    body: conversationInput,
    output: conversation,
    status: 201,
    run: async (ctx, { body }) => conversationJson(await createConversation(ctx, body.title ?? '')),
  }),
  route({
    method: 'GET',
    path: '/api/assistant/conversations/:id',
    summary: 'Read a conversation with its latest 200 messages and its proposals',
    auth: ['session'],
    access: READ,
    params: idParams,
    output: conversationDetail,
    load: (ctx, { params }) => requireConversation(ctx, params.id),
    run: (ctx, { loaded }) => showConversation(ctx, loaded),
  }),
  route({
    method: 'PUT',
    path: '/api/assistant/conversations/:id',
    summary: 'Rename a conversation',
    auth: ['session'],
    access: READ,
    params: idParams,
    body: renameInput,
    output: conversation,
    load: (ctx, { params }) => requireConversation(ctx, params.id),
    run: async (ctx, { params, body }) => conversationJson(await renameConversation(ctx, params.id, body.title)),
  }),
  route({
    method: 'DELETE',
    path: '/api/assistant/conversations/:id',
    summary: 'Delete a conversation with its messages and proposals; a running answer is stopped',
    auth: ['session'],
    access: READ,
    params: idParams,
    output: 'empty',
    run: async (ctx, { params }) => {
      await deleteConversation(ctx, params.id)
      return undefined
    },
  }),
  route({
    method: 'POST',
    path: '/api/assistant/conversations/:id/messages',
    summary:
      'Send a message and stream the answer as server-sent events, ending with `done` or `error`; sending the same `clientId` again follows or replays the same answer',
    auth: ['session'],
    access: READ,
    params: idParams,
    body: messageInput,
    output: 'raw',
    describes: { type: 'text/event-stream' },
    load: (ctx, { params }) => requireConversation(ctx, params.id),
    run: async (ctx, { body, loaded }) => eventStreamReply(await sendMessage(ctx, loaded, body)),
  }),
  route({
    method: 'POST',
    path: '/api/assistant/conversations/:id/stop',
    summary: 'Stop the current answer; the text so far is kept, and its stream ends with `done`',
    auth: ['session'],
    access: READ,
    params: idParams,
    output: 'empty',
    status: 202,
    load: (ctx, { params }) => requireConversation(ctx, params.id),
    run: async (ctx, { loaded }) => {
      await stopTurn(ctx, loaded)
      return undefined
    },
  }),
]
