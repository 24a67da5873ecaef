import {
  bulkJob,
  flagsInput,
  messageActionResult,
  messageDeleteInput,
  moveInput,
  snoozeInput,
} from '@stoa/mail-model/message-actions.ts'
import { z } from 'zod'
import { route } from '../../context.ts'
import { fail, failMember } from '../../errors.ts'
import { act, getBulkJob, requireTarget } from './bulk.ts'

const own = { auth: ['webmail'], access: 'mailbox', output: messageActionResult } as const

/** Nobody plans further ahead by mail. */
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
      if (add.length + remove.length === 0) return fail('validation_error', { message: 'Give `add` or `remove`.' })
      if (add.some((word) => remove.includes(word))) return failMember('remove', 'the same is in `add`')
      return act(ctx, body, { kind: 'flags', add, remove })
    },
  }),
  route({
    ...own,
    method: 'POST',
    path: '/api/mail/messages/move',
    summary: 'Move messages to a folder, out of all others',
    body: moveInput,
    run: (ctx, { body }) => act(ctx, body, { kind: 'move', folderId: body.folder_id.toLowerCase() }),
  }),
  route({
    ...own,
    method: 'POST',
    path: '/api/mail/messages/delete',
    summary: 'Move messages to the trash; those in the trash are gone',
    body: messageDeleteInput,
    run: (ctx, { body }) => act(ctx, body, { kind: 'delete', permanent: body.permanent ?? false }),
  }),
  route({
    ...own,
    method: 'POST',
    path: '/api/mail/messages/snooze',
    summary: 'Put messages away until a moment; null brings them back',
    body: snoozeInput,
    run: (ctx, { body }) => {
      requireTarget(body)
      const until = body.until === null ? null : new Date(body.until)
      const now = ctx.now().getTime()
      if (until && until.getTime() <= now) return failMember('until', 'it has passed')
      if (until && until.getTime() > now + MAX_SNOOZE_MS) return failMember('until', 'it is too far ahead')
      return act(ctx, body, { kind: 'snooze', until: until?.toISOString() ?? null })
    },
  }),
  route({
    auth: ['webmail'],
    access: 'mailbox',
    method: 'GET',
    path: '/api/mail/jobs/:job_id',
    summary: 'How far an action on many messages is',
    params: z.object({ job_id: z.uuid() }),
    output: bulkJob,
    run: getBulkJob,
  }),
]
