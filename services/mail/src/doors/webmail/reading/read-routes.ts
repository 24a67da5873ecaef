import {
  folder,
  folderDeleted,
  folderInput,
  folderList,
  folderListQuery,
  folderUpdate,
} from '@stoa/mail-model/folders.ts'
import { label, labelDeleted, labelInput, labelList, labelListQuery, labelParams } from '@stoa/mail-model/labels.ts'
import { message, messageList, messageListQuery, messageQuery, proxyQuery, thread } from '@stoa/mail-model/messages.ts'
import { z } from 'zod'
import { route } from '../../../context.ts'
import { addFolder, changeFolder, deleteFolder, getFolders, loadFolder } from '../lists/folders.ts'
import { getLabels, putLabel, removeLabel } from '../lists/labels.ts'
import { getMessageList, getThread } from '../lists/messages.ts'
import { getPart, getRaw } from './parts.ts'
import { getProxiedImage } from './proxy.ts'
import { getMessage, loadMessage, viewMessage } from './reading.ts'

const ofFolder = z.object({ folder_id: z.uuid() })
const ofThread = z.object({ thread_id: z.uuid() })
const ofMessage = z.object({ message_id: z.uuid() })
const ofPart = z.object({ message_id: z.uuid(), section: z.string() })
const ofImage = z.object({ token: z.string() })

/** All pictures of a message are asked for at once. */
const PICTURE_RATE = { limit: 200, windowSeconds: 1 }

const folderRoutes = [
  route({
    method: 'GET',
    path: '/api/mail/folders',
    summary: 'List folders with counts',
    auth: ['webmail'],
    access: 'mailbox',
    query: folderListQuery,
    output: folderList,
    run: (ctx, { query }) => getFolders(ctx, query),
  }),
  route({
    method: 'POST',
    path: '/api/mail/folders',
    summary: 'Create a folder',
    auth: ['webmail'],
    access: 'mailbox',
    body: folderInput,
    output: folder,
    status: 201,
    run: (ctx, { body }) => addFolder(ctx, body),
  }),
  route({
    method: 'PATCH',
    path: '/api/mail/folders/:folder_id',
    summary: 'Rename, move or reorder a folder',
    auth: ['webmail'],
    access: 'mailbox',
    params: ofFolder,
    body: folderUpdate,
    output: folder,
    load: loadFolder,
    run: (ctx, { params, body }) => changeFolder(ctx, params.folder_id, body),
  }),
  route({
    method: 'DELETE',
    path: '/api/mail/folders/:folder_id',
    summary: 'Delete a folder; its messages go to the trash',
    auth: ['webmail'],
    access: 'mailbox',
    params: ofFolder,
    output: folderDeleted,
    load: loadFolder,
    run: (ctx, { params }) => deleteFolder(ctx, params.folder_id),
  }),
]

const labelRoutes = [
  route({
    method: 'GET',
    path: '/api/mail/labels',
    summary: 'List labels with counts',
    auth: ['webmail'],
    access: 'mailbox',
    query: labelListQuery,
    output: labelList,
    run: (ctx, { query }) => getLabels(ctx, query),
  }),
  route({
    method: 'PUT',
    path: '/api/mail/labels/:name',
    summary: 'Set how a label is shown; creates the label if needed',
    auth: ['webmail'],
    access: 'mailbox',
    params: labelParams,
    body: labelInput,
    output: label,
    run: (ctx, { params, body }) => putLabel(ctx, params.name, body),
  }),
  route({
    method: 'DELETE',
    path: '/api/mail/labels/:name',
    summary: 'Remove the name and color of a label; messages keep the label',
    auth: ['webmail'],
    access: 'mailbox',
    params: labelParams,
    output: labelDeleted,
    run: (ctx, { params }) => removeLabel(ctx, params.name),
  }),
]

/** Folders, lists and reading of a mailbox. */
export const webmailReadRoutes = [
  ...folderRoutes,
  ...labelRoutes,
  route({
    method: 'GET',
    path: '/api/mail/messages',
    summary: 'List messages, with search and pagination',
    auth: ['webmail'],
    access: 'mailbox',
    query: messageListQuery,
    output: messageList,
    run: (ctx, { query }) => getMessageList(ctx, query),
  }),
  route({
    method: 'GET',
    path: '/api/mail/threads/:thread_id',
    summary: 'One conversation, oldest message first',
    auth: ['webmail'],
    access: 'mailbox',
    params: ofThread,
    output: thread,
    run: (ctx, { params }) => getThread(ctx, params.thread_id),
  }),
  route({
    method: 'GET',
    path: '/api/mail/messages/:message_id',
    summary: "One message, sanitized; reading it doesn't mark it as seen",
    auth: ['webmail'],
    access: 'mailbox',
    params: ofMessage,
    query: messageQuery,
    output: message,
    load: loadMessage,
    run: (ctx, { query, loaded }) => getMessage(ctx, loaded, query.images),
  }),
  route({
    method: 'GET',
    path: '/api/mail/messages/:message_id/view',
    summary: 'The message as an HTML page',
    auth: ['webmail'],
    access: 'mailbox',
    principalRate: PICTURE_RATE,
    params: ofMessage,
    query: messageQuery,
    output: 'raw',
    load: loadMessage,
    run: (ctx, { query, loaded }) => viewMessage(ctx, loaded, query.images),
  }),
  route({
    method: 'GET',
    path: '/api/mail/messages/:message_id/raw',
    summary: 'The raw message',
    auth: ['webmail'],
    access: 'mailbox',
    params: ofMessage,
    output: 'raw',
    load: loadMessage,
    run: (ctx, { loaded }) => getRaw(ctx, loaded),
  }),
  route({
    method: 'GET',
    path: '/api/mail/messages/:message_id/part/:section',
    summary: 'One MIME part, decoded, as a file',
    auth: ['webmail'],
    access: 'mailbox',
    principalRate: PICTURE_RATE,
    params: ofPart,
    output: 'raw',
    load: loadMessage,
    run: (ctx, { params, loaded }) => getPart(ctx, loaded, params.section),
  }),
  route({
    method: 'GET',
    path: '/api/mail/proxy/:token',
    summary: 'Proxy for a remote image in a message',
    auth: ['webmail'],
    access: 'mailbox',
    principalRate: PICTURE_RATE,
    params: ofImage,
    query: proxyQuery,
    output: 'raw',
    run: (ctx, { params, query }) => getProxiedImage(ctx, { signature: params.token, url: query.url }),
  }),
]
