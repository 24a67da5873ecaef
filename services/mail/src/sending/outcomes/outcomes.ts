import { emailHooks } from '../emails/emails.ts'
import { joinHooks, type QueueHooks } from '../queue/queue.ts'
import { submissionHooks } from '../submission/submission.ts'

/** Reports outcomes of the queue to senders: to programs through the API, to people through their mailbox. */
export const mailHooks = (config: { testDomain: string }): QueueHooks =>
  joinHooks(submissionHooks, emailHooks(config.testDomain))
