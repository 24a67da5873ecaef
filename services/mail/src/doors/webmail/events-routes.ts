import { mailboxEvent } from '@stoa/mail-model/mailbox-events.ts'
import { route } from '../../context.ts'
import { mailboxOf } from '../../principal.ts'
import type { Jmap } from '../jmap/jmap.ts'
import { openMailboxEvents } from './events.ts'

/** The events that webmail pushes; the stream ends with those of JMAP when the service stops. */
export const webmailEventRoutes = (jmap: Jmap) => [
  route({
    method: 'GET',
    path: '/api/mail/events',
    summary: 'Stream of mailbox changes (server-sent events)',
    auth: ['webmail'],
    access: 'mailbox',
    output: 'raw',
    describes: { output: mailboxEvent },
    run: (ctx, { request }) => openMailboxEvents(jmap, mailboxOf(ctx), request),
  }),
]
