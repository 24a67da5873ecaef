import { emailHooks } from '../emails/emails.ts'
import { submissionHooks } from '../identities/identities.ts'
import { joinHooks, type QueueHooks } from '../queue/queue.ts'

/** What follows from outcomes of the queue for those who sent: programs through the API, people through their mailbox. */
export const mailHooks = (config: { testDomain: string }): QueueHooks =>
  joinHooks(submissionHooks, emailHooks(config.testDomain))
