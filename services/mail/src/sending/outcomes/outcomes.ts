import { emailHooks } from '../emails/emails.ts'
import { submissionHooks } from '../identities/identities.ts'
import { joinHooks, type QueueHooks } from '../queue/queue.ts'

/** Reports outcomes of the queue to senders: to programs through the API, to people through their mailbox. */
export const mailHooks = (config: { testDomain: string }): QueueHooks =>
  joinHooks(submissionHooks, emailHooks(config.testDomain))
