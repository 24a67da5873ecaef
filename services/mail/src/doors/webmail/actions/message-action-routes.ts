import {
  deletedMessageList,
  deletedMessageListQuery,
  deleteQuery,
  restoreMessagesInput,
} from '@stoa/mail-model/deleted.ts'
import { rsvp, rsvpInput } from '@stoa/mail-model/invitations.ts'
import {
  bulkJob,
  flagsInput,
  messageActionResult,
  messageDeleteInput,
  messageUpdate,
  moveInput,
  snoozeInput,
} from '@stoa/mail-model/message-actions.ts'
import { unsubscribed } from '@stoa/mail-model/messages.ts'
import { z } from 'zod'
import { route } from '../../../context.ts'
import { fail, failMember } from '../../../errors.ts'
import { loadMessage } from '../reading/reading.ts'
import { act, getBulkJob, requireTarget } from './bulk.ts'
import { getDeletedMessages, restoreMessages } from './deleted.ts'
import { answerInvitation } from './rsvp.ts'
import { unsubscribeFrom } from './unsubscribe.ts'

const ofMessage = z.object({ message_id: z.uuid() })
const own = { auth: ['webmail'], access: 'mailbox', output: messageActionResult } as const

/** The longest snooze; nobody plans further ahead by mail. */
const MAX_SNOOZE_MS = 5 * 366 * 86_400_000

/** What can be done to messages by their ids, or to all that a search finds. */
export const messageActionRoutes = [
  route({
    ...own,
    method: 'POST',
    path: '/api/mail/messages/flags',
    summary: 'Set or clear flags and labels',
    body: flagsInput,
    run: (ctx, { body }) => {
      requireTarget(body)
      const add = [...new Set(body.add ?? [])]
      const remove = [...new Set(body.remove ?? [])]
      if (add.length + remove.length === 0) return fail('validation_error', { message: 'Send `add` or `remove`.' })
      if (add.some((word) => remove.includes(word))) return failMember('remove', 'is also in `add`')
      return act(ctx, body, { kind: 'flags', add, remove })
    },
  }),
  route({
    ...own,
    method: 'POST',
    path: '/api/mail/messages/move',
    summary: 'Move messages to a folder',
    body: moveInput,
    run: (ctx, { body }) => act(ctx, body, { kind: 'move', folderId: body.folder_id.toLowerCase() }),
  }),
  route({
    ...own,
    method: 'POST',
    path: '/api/mail/messages/delete',
    summary: 'Move messages to the trash; messages in the trash are deleted. With purge=1 they cannot be restored',
    query: deleteQuery,
    body: messageDeleteInput,
    run: (ctx, { query, body }) => {
      const purge = query.purge === '1'
      return act(ctx, body, { kind: 'delete', permanent: purge || (body.permanent ?? false), purge })
    },
  }),
  route({
    ...own,
    method: 'GET',
    path: '/api/mail/deleted',
    summary: 'List deleted messages that can be restored',
    query: deletedMessageListQuery,
    output: deletedMessageList,
    run: (ctx, { query }) => getDeletedMessages(ctx, query),
  }),
  route({
    ...own,
    method: 'POST',
    path: '/api/mail/deleted/restore',
    summary: 'Restore deleted messages to their folder',
    body: restoreMessagesInput,
    output: messageUpdate,
    run: (ctx, { body }) => restoreMessages(ctx, body.message_ids),
  }),
  route({
    ...own,
    method: 'POST',
    path: '/api/mail/messages/snooze',
    summary: 'Snooze messages until a time; null unsnoozes them',
    body: snoozeInput,
    run: (ctx, { body }) => {
      requireTarget(body)
      const until = body.until === null ? null : new Date(body.until)
      const now = ctx.now().getTime()
      if (until && until.getTime() <= now) return failMember('until', 'must be in the future')
      if (until && until.getTime() > now + MAX_SNOOZE_MS) return failMember('until', 'too far in the future')
      return act(ctx, body, { kind: 'snooze', until: until?.toISOString() ?? null })
    },
  }),
  route({
    ...own,
    method: 'POST',
    path: '/api/mail/messages/:message_id/rsvp',
    summary: 'Answer an invitation; the answer is mailed to its organizer',
    params: ofMessage,
    body: rsvpInput,
    output: rsvp,
    load: loadMessage,
    run: (ctx, { body, loaded }) => answerInvitation(ctx, loaded, body),
  }),
  route({
    ...own,
    method: 'POST',
    path: '/api/mail/messages/:message_id/unsubscribe',
    summary: 'Unsubscribe from a mailing list with its verified one-click link',
    params: ofMessage,
    output: unsubscribed,
    load: loadMessage,
    run: (ctx, { loaded }) => unsubscribeFrom(ctx, loaded),
  }),
  route({
    auth: ['webmail'],
    access: 'mailbox',
    method: 'GET',
    path: '/api/mail/jobs/:job_id',
    summary: 'Read the progress of a bulk action',
    params: z.object({ job_id: z.uuid() }),
    output: bulkJob,
    run: getBulkJob,
  }),
]
